/* tally.c - what all rows come to, and the words for it. */
#include "benchmarks/harness/state.h"

#include <string.h>

const char *report_verdict_word(verdict v) {
    static const char *const words[VERDICTS] = {"fail", "pass", "shown", "refuted", "differs"};
    return words[v];
}

const char *report_reference_word(report_reference reference) {
    static const char *const words[REPORT_REFERENCES] = {
        [REPORT_UNSAID] = "",          [PRINTED_IN_SOURCE] = "printed",
        [STATED_IN_SOURCE] = "stated", [INDEPENDENT] = "independent",
        [OWN_BOUND] = "own bound",     [KEPT_RUN] = "kept run",
        [NO_REFERENCE] = "none",       [REPORT_CONTRADICTS] = "contradiction"};
    return words[reference];
}

/* Has an earlier row refuted the same words? */
static bool refuted_before(const section *s, int k) {
    for (int i = 0; i < k; i++)
        if (s->rows[i].verdict == VERDICT_REFUTED &&
            strcmp(s->rows[i].published, s->rows[k].published) == 0)
            return true;
    return false;
}

static void add_section(tally *t, const section *s) {
    t->experiments++;
    t->skipped += s->skipped != NULL;
    t->rows += s->row_count;
    for (int k = 0; k < s->row_count; k++) {
        t->verdict[s->rows[k].verdict]++;
        t->claims += s->rows[k].verdict == VERDICT_REFUTED && !refuted_before(s, k);
        if (s->rows[k].verdict == VERDICT_PASS) t->passed[s->rows[k].reference]++;
    }
    for (int k = 0; k < s->item_count; k++) {
        t->figures += s->items[k].kind == ITEM_FIGURE;
        t->missing += s->items[k].kind == ITEM_FIGURE && s->items[k].fault;
    }
}

tally report_tally_section(const section *s) {
    tally t = {0};
    add_section(&t, s);
    return t;
}

tally report_tally(const report *r) {
    tally t = {0};
    for (int i = 0; i < r->section_count; i++)
        add_section(&t, &r->sections[i]);
    return t;
}

const char *report_summary(report *r) {
    const tally t = report_tally(r);
    const char *text = report_text(
        r,
        "%d experiment%s: %d row%s numbers printed in a source, %d its statements, %d an "
        "independent computation, "
        "%d our own bounds, %d of kept runs their bounds; %d claim%s of sources refuted, %d of "
        "their numbers not met; "
        "%d FAIL",
        t.experiments, t.experiments == 1 ? "" : "s", t.passed[PRINTED_IN_SOURCE],
        t.passed[PRINTED_IN_SOURCE] == 1 ? " meets" : "s meet", t.passed[STATED_IN_SOURCE],
        t.passed[INDEPENDENT], t.passed[OWN_BOUND], t.passed[KEPT_RUN], t.claims,
        t.claims == 1 ? "" : "s", t.verdict[VERDICT_DIFFERS], t.verdict[VERDICT_FAIL]);
    if (t.verdict[VERDICT_SHOWN])
        text = report_text(r, "%s; %d shown without a verdict", text, t.verdict[VERDICT_SHOWN]);
    text = report_text(r, "%s; %d figure%s", text, t.figures, t.figures == 1 ? "" : "s");
    if (t.missing) text = report_text(r, "%s, %d MISSING", text, t.missing);
    if (t.skipped) text = report_text(r, "%s; %d skipped for want of data", text, t.skipped);
    return text;
}
