/* problems.c - `impact problems`: fresh problems of a class, in the program's own formats. */
#include "cli/asked.h"
#include "cli/cli.h"
#include "io/dump.h"

#include <math.h>

static const imp_column columns[] = {IMP_WORDS("class"), IMP_WORDS("contacts"), IMP_WORDS("about"),
                                     IMP_COLUMNS_END};

static int list_classes(const options *o) {
    if (o->count > 0 || !isnan(o->seed))
        return complain_of("problems: no CLASS, expected one beside %s",
                           o->count > 0 ? o->count_word : "--seed");
    FILE *out = output_open(o->output);
    if (!out) return EXIT_BAD;
    imp_write_header(columns, out);
    for (const fresh_class *c = fresh_classes; c->name; c++)
        imp_write_row(columns, out, IMP_TEXT(c->name), IMP_TEXT(c->contacts), IMP_TEXT(c->about));
    return output_commit(EXIT_SOLVED);
}

/* One problem behind those before it: a row, or one of `to`. */
static bool write_problem(const fresh_class *c, const char *id, const fresh_problem *made,
                          objects *to, FILE *out) {
    if (!c->one) return objects_add(to, imp_problem_json(id, &made->problem, NULL, NULL, NULL));
    const gen_problem row = gen_single(&made->problem);
    gen_print_row(out, id, &row);
    return true;
}

static int write_class(const options *o, const fresh_class *c) {
    FILE *out = output_open(o->output);
    objects to = {0};
    if (!out) return EXIT_BAD;
    if (c->one)
        fprintf(out, "# impact problems %s -n %.0f --seed %.0f\n" GEN_TABLE_HEADER, c->name,
                o->count, o->seed);
    else
        to = objects_begin(out, objects_listed(o->output));
    bool good = true;
    for (uint64_t k = 0; good && k < (uint64_t)o->count && !ferror(out); k++) {
        fresh_problem made;
        char id[80];
        snprintf(id, sizeof id, "%.40s-%.0f-%llu", c->name, o->seed, (unsigned long long)k);
        good = fresh_make(c, (uint64_t)o->seed, k, &made) == IMP_OK &&
               write_problem(c, id, &made, &to, out);
        fresh_clear(&made);
    }
    if (!c->one) objects_end(&to);
    if (good) return output_commit(EXIT_SOLVED);
    complain_of("no memory for a problem");
    return output_abandon();
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const fresh_class *c = o.files[0] ? find_class(o.files[0]) : NULL;
        outcome = EXIT_BAD;
        if (c && !(o.count > 0)) o.count = 1;
        if ((!o.files[0] || c) &&
            !output_fits(o.output_word, o.output, "the output", !c || c->one ? "a table" : "JSON"))
            outcome = EXIT_BAD;
        else if (!o.files[0])
            outcome = list_classes(&o);
        else if (c && draw_seed(self->name, &o.seed))
            outcome = write_class(&o, c);
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"count", "seed", "output", NULL};

const command command_problems = {
    .name = "problems",
    .arguments = "[-n N] [--seed S] [-o FILE] [CLASS]",
    .summary = "make fresh problems of a class, which solve reads; without CLASS list the classes",
    .options = option_names,
    .text = "Problems of one contact are a table, others JSON. Each is drawn by the seed, its "
            "contacts shuffled, their\n"
            "tangents turned and its units changed; without --seed nobody has seen them before. "
            "The same seed gives\n"
            "the same problems, which their ids name: CLASS-SEED-NUMBER.\n",
    .optional = 1,
    .run = run,
};
