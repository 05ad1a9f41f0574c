/* models.c - `impact models`: the table of models. */
#include "cli/cli.h"

static int run(const command *self, int argc, char **argv) {
    options o;
    int status;
    FILE *out = NULL;
    if (options_read(self, argc, argv, &o, &status) && (out = output_open(o.output))) {
        fputs("name\tlaw\ttakes\tcitation\n", out);
        for (const imp_model *const *m = imp_models; *m; m++)
            fprintf(out, "%s\t%s\t%s%s%s%s\t%s\n", (*m)->name, (*m)->law->name,
                    (*m)->takes & IMP_TAKES_MANY ? "many" : "one",
                    (*m)->takes & IMP_TAKES_RESTITUTION ? ",restitution" : "",
                    (*m)->takes & IMP_ONLY_PLANAR ? ",planar" : "",
                    (*m)->takes & IMP_ONLY_FRICTIONLESS ? ",frictionless" : "", (*m)->citation);
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
    .text =
        "\"takes\" says one or many contacts, then restitution (e > 0), planar (only problems that stay in the plane\n"
        "of n and t) and frictionless (only mu = 0).\n",
    .run = run,
};
