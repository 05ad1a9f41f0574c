/* models.c - `impact models`: the table of models. */
#include "cli/cli.h"

static const imp_column columns[] = {IMP_WORDS("name"), IMP_WORDS("law"), IMP_WORDS("takes"),
                                     IMP_WORDS("citation"), IMP_COLUMNS_END};

static int run(const command *self, int argc, char **argv) {
    options o;
    int status;
    FILE *out = NULL;
    if (options_read(self, argc, argv, &o, &status) && (out = output_open(o.output))) {
        imp_write_header(columns, out);
        for (const imp_model *const *m = imp_models; *m; m++) {
            char takes[64];
            snprintf(takes, sizeof takes, "%s%s%s%s", (*m)->takes & IMP_TAKES_MANY ? "many" : "one",
                     (*m)->takes & IMP_TAKES_RESTITUTION ? ",restitution" : "",
                     (*m)->takes & IMP_ONLY_PLANAR ? ",planar" : "",
                     (*m)->takes & IMP_ONLY_FRICTIONLESS ? ",frictionless" : "");
            imp_write_row(columns, out, IMP_TEXT((*m)->name), IMP_TEXT((*m)->law->name),
                          IMP_TEXT(takes), IMP_TEXT((*m)->citation));
        }
        status = output_commit(EXIT_SOLVED);
    }
    options_free(&o);
    return status;
}

static const char *const option_names[] = {"output", NULL};

const command command_models = {
    .name = "models",
    .arguments = "[-o FILE]",
    .summary = "list the models: name, the law its answers are judged by, what it takes, source",
    .options = option_names,
    .text = "\"takes\" says one or many contacts, then restitution (e > 0), planar (only problems "
            "that stay in the plane\n"
            "of n and t) and frictionless (only mu = 0).\n",
    .tables = true,
    .run = run,
};
