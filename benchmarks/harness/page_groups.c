/* page_groups.c - the experiments under the headings of plots/page/groups.tsv: the contents by
 * paper, the questions, and the figures, small, by either. */
#include "benchmarks/harness/html.h"
#include "benchmarks/harness/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 64 };

typedef struct group {
    char *kind, *title, *names; /* "paper" or "question"; ids or their beginnings, by spaces */
} group;

typedef struct groups {
    group of[MOST_GROUPS];
    int count;
} groups;

static groups read_groups(void) {
    static const char path[] = "plots/page/groups.tsv";
    groups all = {.count = 0};
    char *line = NULL;
    size_t room = 0;
    FILE *in = fopen(path, "r");
    if (!in) report_die("%s: %s", path, strerror(errno));
    while (getline(&line, &room, in) > 0) {
        char *rest = strdup(line);
        if (!rest) report_die("out of memory");
        rest[strcspn(rest, "\n")] = '\0';
        group *g = &all.of[all.count];
        *g = (group){.kind = strsep(&rest, "\t")};
        g->title = strsep(&rest, "\t");
        g->names = strsep(&rest, "\t");
        if (g->kind[0] == '#')
            free(g->kind);
        else if (!g->names || ++all.count == MOST_GROUPS)
            report_die("%s: expected KIND, TITLE, IDS, of at most %d lines", path, MOST_GROUPS - 1);
    }
    free(line);
    fclose(in);
    return all;
}

static void forget(groups *all) {
    for (int i = 0; i < all->count; i++)
        free(all->of[i].kind);
}

static bool names(const group *g, const char *id) {
    for (const char *at = g->names; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (strncmp(at, id, length) == 0 && (at[length - 1] == '-' || id[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

/* The heading of an experiment: the first of this kind that names it; `count` where none does. */
static int group_of(const groups *all, const char *kind, const section *s) {
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->of[i].kind, kind) == 0 && names(&all->of[i], s->experiment->id)) return i;
    return all->count;
}

/* What a heading is followed by, for the sections under it. */
typedef struct layout {
    const char *open, *title_end, *close;
    void (*write)(FILE *out, const section *s);
    bool (*has)(const section *s);
} layout;

static void write_group(FILE *out, const report *r, const groups *all, const char *kind, int which,
                        const layout *l) {
    bool opened = false;
    for (int i = 0; i < r->section_count; i++) {
        const section *s = &r->sections[i];
        if (!l->has(s) || group_of(all, kind, s) != which) continue;
        if (!opened) {
            fputs(l->open, out);
            html_escaped(out, which < all->count ? all->of[which].title : "Others");
            fputs(l->title_end, out);
            opened = true;
        }
        l->write(out, s);
    }
    if (opened) fputs(l->close, out);
}

static void write_groups(FILE *out, const report *r, const char *kind, const layout *l) {
    groups all = read_groups();
    for (int which = 0; which <= all.count; which++)
        write_group(out, r, &all, kind, which, l);
    forget(&all);
}

static bool is_there(const section *s) {
    (void)s;
    return true;
}

static bool has_figures(const section *s) {
    return report_tally_section(s).figures > 0;
}

static void write_entry(FILE *out, const section *s) {
    const tally t = report_tally_section(s);
    const bool failed = t.verdict[VERDICT_FAIL] + t.missing > 0;
    fputs("<li>", out);
    page_link(out, s);
    putc(' ', out);
    html_escaped(out, s->experiment->title);
    if (failed) fputs(" <span class=\"v fail\">fail</span>", out);
    if (t.verdict[VERDICT_REFUTED]) fputs(" <span class=\"v refuted\">refuted</span>", out);
    if (t.verdict[VERDICT_DIFFERS]) fputs(" <span class=\"v differs\">differs</span>", out);
    fputs("</li>\n", out);
}

/* The first sentence of a caption. */
static void write_first_sentence(FILE *out, const char *text) {
    const char *end = strstr(text, ". ");
    char *sentence = strndup(text, end ? (size_t)(end - text) : strlen(text));
    if (!sentence) report_die("out of memory");
    html_number(out, sentence);
    free(sentence);
}

static void write_thumbnails(FILE *out, const section *s) {
    for (int k = 0; k < s->item_count; k++) {
        const item *it = &s->items[k];
        if (it->kind != ITEM_FIGURE) continue;
        fprintf(out, "<a class=\"thumb\" href=\"#fig-%s\">", it->name);
        if (!it->fault)
            fprintf(out,
                    "<svg class=\"small\" aria-hidden=\"true\"><use href=\"#svg-%s\" "
                    "width=\"100%%\" height=\"100%%\"/></svg>",
                    it->name);
        fprintf(out, "<span><b>%s</b> ", s->experiment->id);
        write_first_sentence(out, it->text);
        fputs("</span></a>\n", out);
    }
}

void page_contents(FILE *out, const report *r) {
    write_groups(out, r, "paper",
                 &(layout){"<h3>", "</h3>\n<ul>\n", "</ul>\n", write_entry, is_there});
}

void page_questions(FILE *out, const report *r) {
    write_groups(out, r, "question",
                 &(layout){"<li>", "<ul>\n", "</ul></li>\n", write_entry, is_there});
}

void page_gallery(FILE *out, const report *r, const char *kind) {
    write_groups(out, r, kind,
                 &(layout){"<h3>", "</h3>\n<div class=\"thumbs\">\n", "</div>\n", write_thumbnails,
                           has_figures});
}
