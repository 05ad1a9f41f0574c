/* page.js - what the page is better for and readable without: sorting, filtering, figures in full. */
"use strict";

/* Headings sort their table: by numbers where both cells begin with one, else by words. */
const valueOf = (row, column) => row.cells[column].textContent.replace(/\u2212/g, "-").trim();

function compare(a, b) {
    const x = parseFloat(a), y = parseFloat(b);
    return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
}

function sortBy(table, heading, column) {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    table.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column)) * (ascending ? 1 : -1));
    table.tBodies[0].append(...rows);
}

document.querySelectorAll("main table").forEach((table) => {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
        const button = document.createElement("button");
        button.append(...heading.childNodes);
        button.addEventListener("click", () => sortBy(table, heading, column));
        heading.append(button);
    });
});

/* The filter keeps the rows that hold every word, and the experiments that have such a row, or hold them themselves. */
const filter = document.querySelector(".filter"), field = filter.querySelector("input");

function keep(section, words) {
    const holds = (element) => words.every((word) => element.textContent.toLowerCase().includes(word));
    const whole = holds(section.querySelector("h2"));
    let rows = 0;
    section.querySelectorAll(".rows tbody tr").forEach((row) => {
        row.hidden = !whole && !holds(row);
        rows += !row.hidden;
    });
    section.hidden = words.length > 0 && rows === 0 && !whole;
    const details = section.querySelector("details");
    if (details && words.length > 0) details.open = true;
    return section.hidden ? 0 : rows;
}

field.addEventListener("input", () => {
    const words = field.value.toLowerCase().replace(/(^|\s)-/g, "$1\u2212").split(/\s+/).filter(Boolean);
    let rows = 0;
    document.querySelectorAll("main > section").forEach((section) => { rows += keep(section, words); });
    document.getElementById("found").textContent = words.length ? rows + " rows" : "";
});
field.addEventListener("keydown", (event) => {
    const first = document.querySelector("main > section:not([hidden])");
    if (event.key === "Enter" && first) first.scrollIntoView();
});
filter.hidden = false;

/* A figure opens in full; + and - change its size, Escape closes it. */
const viewer = document.querySelector(".viewer"), pane = viewer.querySelector("div");
let scale = 100;

document.querySelectorAll("a.zoom").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    const figure = link.firstElementChild.cloneNode(true);
    figure.removeAttribute("id");
    pane.replaceChildren(figure);
    scale = 100;
    viewer.showModal();
}));
viewer.addEventListener("keydown", (event) => {
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (!factor) return;
    scale *= factor;
    pane.firstElementChild.style.width = scale + "%";
});
