/* page-measure.js - appended to a copy of the report's page by test_page.sh, which has it in a frame: what a browser makes
 * of it, told to the frame's page, one finding a line. */
"use strict";
(() => {
    const found = [];
    const say = (...words) => found.push(words.join(" "));
    const name = (e) => e.tagName + (e.id ? "#" + e.id : "") + " " + e.textContent.trim().slice(0, 40);

    /* What stands out of the window and in no box that scrolls. */
    const scrolls = (e) => e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    if (document.documentElement.scrollWidth > innerWidth) say("overflow", document.documentElement.scrollWidth);
    for (const e of document.querySelectorAll("main *:not(svg *)")) {
        const box = e.getBoundingClientRect();
        if (box.width > 0 && box.right > innerWidth + 1 && !scrolls(e.parentElement)) say("overflow", name(e));
    }

    /* Numbers that are broken over lines: more than one box for a word with a digit. */
    for (const cell of document.querySelectorAll("td.n")) {
        const text = [...cell.childNodes].find((n) => n.nodeType === 3);
        for (const word of text ? text.data.matchAll(/(?<![^\s([≤])[−+]?[\d.][\d.e−+]*/g) : []) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (range.getClientRects().length > 1) say("broken number", word[0]);
        }
    }

    /* Columns so narrow that words break: more than one box for a word of at most 14 letters. */
    for (const cell of document.querySelectorAll("main td")) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode())
            for (const word of text.data.matchAll(/[\p{L}\d_]+/gu)) {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                if (word[0].length <= 14 && range.getClientRects().length > 1) say("broken word", word[0], name(cell));
            }
    }

    /* Contrast of words by WCAG 2: 4.5; of words within figures, on the page's ground: 3. */
    const parse = (colour) => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
        const x = c[k] / 255;
        return sum + weight * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    }, 0);
    const ground = (e) => {
        const colour = e ? parse(getComputedStyle(e).backgroundColor) : [255, 255, 255];
        return colour.length < 4 || colour[3] > 0 ? colour : ground(e.parentElement);
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    for (const e of document.querySelectorAll("nav *, main *:not(svg *)")) {
        const words = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!words || e.getClientRects().length === 0) continue;
        const r = ratio(parse(getComputedStyle(e).color), ground(e));
        if (r < 4.5) say("contrast", r.toFixed(2), name(e));
    }
    const onColour = /#fefefe|#1c2025/; /* words on coloured ground, plots/style.gp */
    for (const e of document.querySelectorAll("svg.plot text")) {
        const r = ratio(parse(getComputedStyle(e).fill), ground(e));
        if (r >= 3 || onColour.test(e.getAttribute("fill"))) continue;
        say("contrast", r.toFixed(2), "figure", e.closest("figure").id, name(e));
    }

    /* Links within the page, names that stand twice, pictures without words; files are left to the caller. */
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    ids.filter((id, k) => ids.indexOf(id) !== k).forEach((id) => say("twice", id));
    for (const e of document.querySelectorAll("a[href], use")) {
        const to = e.getAttribute("href") || e.getAttribute("xlink:href");
        if (to.startsWith("#") ? !document.getElementById(to.slice(1)) : e.tagName === "use") say("broken link", to);
        if (!to.startsWith("#")) say("file", to);
    }
    for (const e of document.querySelectorAll("svg.plot"))
        if ((e.getAttribute("aria-label") || "").length < 10) say("no words", e.id);
    for (const e of document.querySelectorAll("main img")) {
        if (e.alt.length < 10) say("no words", e.closest("figure").id);
        if (!e.closest("details") || e.closest("details").open) say("moves unasked", e.closest("figure").id);
    }

    /* Lines that the browser does not read to their end. */
    for (const e of document.querySelectorAll("svg.plot path"))
        if (!CSS.supports("d", `path("${e.getAttribute("d")}")`)) say("bent line", e.closest("figure").id);

    /* What the page's script does: a heading sorts, by numbers with their signs; the filter keeps one experiment; a figure
     * opens, grows and closes. */
    const table = document.querySelector("#P-Tab1 table.data"), sort = table.querySelector("th:nth-child(4) button");
    const sizes = () => [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[3].textContent.replace("−", "-")));
    const inOrder = (x, sign) => x.every((value, k) => k === 0 || sign * (value - x[k - 1]) >= 0);
    sort?.click();
    if (!sort || !inOrder(sizes(), 1)) say("script", "does not sort");
    sort?.click();
    if (!inOrder(sizes(), -1)) say("script", "does not sort downwards");
    const field = document.querySelector("input[type=search]");
    const shown = () => [...document.querySelectorAll("main > section")]
        .filter((section) => section.getClientRects().length > 0).map((section) => section.id).join(" ");
    for (const [words, want] of [["painlevé", "P-4.2"], ["nothing of this kind", ""]]) {
        field.value = words;
        field.dispatchEvent(new Event("input"));
        if (shown() !== want) say("script", "filters", words, "to", shown());
    }
    field.value = "";
    field.dispatchEvent(new Event("input"));
    if (shown().split(" ").length < 2) say("script", "does not show all again");
    const viewer = document.querySelector("dialog");
    document.querySelector("a.zoom").click();
    const width = () => viewer.querySelector("svg")?.getBoundingClientRect().width;
    const before = width();
    viewer.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    if (!viewer.open || !(width() > before)) say("script", "does not open a figure, or enlarge it");

    const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    parent.postMessage("\nmeasured " + innerWidth + " " + scheme + "\n" + found.join("\n") + "\nend\n", "*");
})();
