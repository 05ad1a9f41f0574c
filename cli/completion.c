/* completion.c - `impact completion`: what bash, zsh and fish need to complete a command line, made
 * from the tables of commands, options, models, laws and classes. */
#include "cli/asked.h"
#include "cli/option_list.h"

#include <ctype.h>
#include <string.h>

const command *const *completed_commands;

/* ---- words that stand for something, in a variable each ---- */

static void put_models(FILE *out) {
    for (const imp_model *const *m = imp_models; *m; m++)
        fprintf(out, " %s", (*m)->name);
}

static bool law_before(const imp_model *const *m) {
    for (const imp_model *const *other = imp_models; other < m; other++)
        if ((*other)->law == (*m)->law) return true;
    return false;
}

static void put_laws(FILE *out) {
    for (const imp_model *const *m = imp_models; *m; m++)
        if (!law_before(m)) fprintf(out, " %s", (*m)->law->name);
}

static void put_classes(FILE *out) {
    for (const fresh_class *c = fresh_classes; c->name; c++)
        fprintf(out, " %s", c->name);
}

static bool key_before(const imp_model *const *m, const imp_key *key) {
    for (const imp_model *const *other = imp_models; other < m; other++)
        for (const imp_key *k = (*other)->keys; k && k->name; k++)
            if (strcmp(k->name, key->name) == 0) return true;
    return false;
}

static void put_settings(FILE *out) {
    for (const imp_model *const *m = imp_models; *m; m++)
        for (const imp_key *key = (*m)->keys; key && key->name; key++)
            if (!key_before(m, key)) fprintf(out, " %s=", key->name);
}

static void put_commands(FILE *out) {
    for (const command *const *c = completed_commands; *c; c++)
        fprintf(out, " %s", (*c)->name);
}

static const struct {
    const char *name;
    void (*put)(FILE *out);
} variables[] = {{"models", put_models},
                 {"laws", put_laws},
                 {"classes", put_classes},
                 {"settings", put_settings},
                 {"commands", put_commands}};

static void put_variables(const char *set, const char *begin, const char *end, FILE *out) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        fprintf(out, "%s%s%s", set, variables[i].name, begin);
        variables[i].put(out);
        fprintf(out, "%s\n", end);
    }
}

/* ---- what may stand where ---- */

/* Behind an option: the name of a variable, "files", "folders", "formats", or "" for what nobody
 * can know. */
static const char *value_of(const known_option *option) {
    static const struct {
        const char *argument, *name, *value;
    } known[] = {{"FILE", NULL, "files"},        {"CHECKPOINT", NULL, "files"},
                 {"FOLDER", NULL, "folders"},    {"FORMAT", NULL, "formats"},
                 {"NAME", "model", "models"},    {"NAME", "law", "laws"},
                 {"KEY=VALUE", NULL, "settings"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(option->argument, known[i].argument) == 0 &&
            (!known[i].name || strcmp(option->name, known[i].name) == 0))
            return known[i].value;
    return "";
}

static bool is_variable(const char *value) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strcmp(value, variables[i].name) == 0) return true;
    return false;
}

static bool takes_files(const command *c) {
    return strstr(c->arguments, " FILE OUT") || strstr(c->arguments, "... FILE") ||
           strstr(c->arguments, "] FILE") || strstr(c->arguments, "SCENE") ||
           strstr(c->arguments, "PARAMETERS");
}

/* Behind the options of a command: variables, each as $name, and words in small letters that stand
 * in its usage, as [cube] of replay. */
static void put_operands(const command *c, FILE *out) {
    if (strstr(c->arguments, "MODEL]")) fputs(" $models", out);
    if (strstr(c->arguments, "CLASS")) fputs(" $classes", out);
    for (const char *at = c->arguments; *at; at += strspn(at, " []|.")) {
        const size_t length = strcspn(at, " []|.");
        if (length > 2 && strspn(at, "abcdefghijklmnopqrstuvwxyz") == length)
            fprintf(out, " %.*s", (int)length, at);
        at += length;
    }
}

static bool repeats(const command *c, const known_option *o) {
    return strncmp(o->argument ? o->argument : "", "KEY=", 4) == 0 ||
           (c->models && strcmp(o->name, "model") == 0);
}

/* "o" of --output, "n" of --count; NULL: none. */
static const char *letter_of(const known_option *o) {
    return strcmp(o->name, "output") == 0 ? "o" : strcmp(o->name, "count") == 0 ? "n" : NULL;
}

/* Between single quotes; a backslash goes before each of `escaped`. */
static void put_quoted(const char *text, const char *escaped, FILE *out) {
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\'", out);
        if (strchr(escaped, *text)) fputc('\\', out);
        fputc(*text, out);
    }
}

/* ---- bash ---- */

static void put_bash_value(const command *c, const known_option *o, FILE *out) {
    const char *const value = value_of(o), *const letter = letter_of(o);
    const bool files = strcmp(value, "files") == 0, folders = strcmp(value, "folders") == 0;
    fprintf(out, "        --%s%s%s) kind=%s words=", o->name, letter ? " | -" : "",
            letter ? letter : "",
            files     ? "-f"
            : folders ? "-d"
                      : "");
    if (strcmp(value, "formats") == 0)
        fprintf(out, "'%s'", c->formats);
    else if (is_variable(value))
        fprintf(out, "$%s", value);
    fputs(" ;;\n", out);
}

static void put_bash_command(const command *c, FILE *out) {
    fprintf(out, "    *,%s)\n        options='", c->name);
    for (const known_option *o = NULL; (o = next_option(c, o)) != NULL;)
        fprintf(out, " --%s", o->name);
    fprintf(out, "' kind=%s words=\"", takes_files(c) ? "-f" : "");
    put_operands(c, out);
    fputs("\"\n        case $before in\n", out);
    for (const known_option *o = NULL; (o = next_option(c, o)) != NULL;)
        if (o->argument) put_bash_value(c, o, out);
    fputs("        esac ;;\n", out);
}

static void put_bash(FILE *out) {
    fputs("_impact() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local kind= words= options= head=\n",
          out);
    put_variables("    local ", "='", "'", out);
    fputs("    [ \"$word\" = = ] && word=\n"
          "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    case $COMP_CWORD,${COMP_WORDS[1]} in\n"
          "    1,*) words=\"$commands help\" options='--help --version' ;;\n"
          "    2,help) words=$commands ;;\n",
          out);
    for (const command *const *c = completed_commands; *c; c++)
        put_bash_command(*c, out);
    fputs("    esac\n"
          "    case $word in -*) words=$options kind= ;; esac\n"
          "    case $before,$word in --model,*,*) head=${word%,*}, ;; esac\n"
          "    mapfile -t COMPREPLY < <(compgen $kind -P \"$head\" -W \"$words\" -- "
          "\"${word#\"$head\"}\")\n"
          "    case ${COMPREPLY[0]} in *=) compopt -o nospace 2> /dev/null ;; esac\n"
          "}\n"
          "complete -o filenames -F _impact impact\n",
          out);
}

/* ---- zsh ---- */

static void put_zsh_option(const command *c, const known_option *o, const char *dashes,
                           const char *name, FILE *out) {
    const char *const value = o->argument ? value_of(o) : "";
    const bool letter = dashes[1] == '\0';
    fprintf(out, " \\\n        '%s%s%s%s[", repeats(c, o) ? "*" : "", dashes, name,
            !o->argument ? ""
            : letter     ? "+"
                         : "=");
    put_quoted(o->meaning, "[]:", out);
    fputc(']', out);
    if (o->argument) fprintf(out, ":%s:", o->argument);
    fputs(strcmp(value, "files") == 0     ? "_files"
          : strcmp(value, "folders") == 0 ? "_files -/"
                                          : "",
          out);
    if (strcmp(value, "formats") == 0) fprintf(out, "(%s)", c->formats);
    fputc('\'', out);
    if (is_variable(value)) fprintf(out, "\"($%s)\"", value);
}

static void put_zsh_command(const command *c, FILE *out) {
    fprintf(out, "    %s)\n        _arguments", c->name);
    for (const known_option *o = NULL; (o = next_option(c, o)) != NULL;) {
        put_zsh_option(c, o, "--", o->name, out);
        if (letter_of(o)) put_zsh_option(c, o, "-", letter_of(o), out);
    }
    if (takes_files(c)) {
        fputs(" \\\n        '*:FILE:_files'", out);
    } else {
        fputs(" \\\n        \"*:NAME:(", out);
        put_operands(c, out);
        fputs(")\"", out);
    }
    fputs(" ;;\n", out);
}

static void put_zsh(FILE *out) {
    fputs("_impact() {\n", out);
    put_variables("    local -a ", "=(", ")", out);
    fputs("    local -a about=(", out);
    for (const command *const *c = completed_commands; *c; c++) {
        fprintf(out, "\n        '%s:", (*c)->name);
        put_quoted((*c)->summary, ":", out);
        fputc('\'', out);
    }
    fputs("\n        'help:more about a command')\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command about\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n"
          "    help) compadd -a commands ;;\n",
          out);
    for (const command *const *c = completed_commands; *c; c++)
        put_zsh_command(*c, out);
    fputs("    esac\n}\n_impact \"$@\"\n", out);
}

/* ---- fish ---- */

static void put_fish_option(const command *c, const known_option *o, FILE *out) {
    const char *const value = o->argument ? value_of(o) : "", *const letter = letter_of(o);
    fprintf(out, "complete -c impact -n '__fish_seen_subcommand_from %s' -l %s%s%s", c->name,
            o->name, letter ? " -s " : "", letter ? letter : "");
    if (strcmp(value, "files") == 0)
        fputs(" -r -F", out);
    else if (strcmp(value, "folders") == 0)
        fputs(" -x -a '(__fish_complete_directories)'", out);
    else if (strcmp(value, "formats") == 0)
        fprintf(out, " -x -a '%s'", c->formats);
    else if (is_variable(value))
        fprintf(out, " -x -a \"$%s\"", value);
    else if (o->argument)
        fputs(" -x", out);
    fputs(" -d '", out);
    put_quoted(o->meaning, "\\", out);
    fputs("'\n", out);
}

static void put_fish_command(const command *c, FILE *out) {
    fprintf(out, "complete -c impact -n __fish_use_subcommand -a %s -d '", c->name);
    put_quoted(c->summary, "\\", out);
    fprintf(out, "'\ncomplete -c impact -n '__fish_seen_subcommand_from %s' %s -a \"", c->name,
            takes_files(c) ? "-F" : "-f");
    put_operands(c, out);
    fputs("\"\n", out);
    for (const known_option *o = NULL; (o = next_option(c, o)) != NULL;)
        put_fish_option(c, o, out);
}

static void put_fish(FILE *out) {
    fputs("complete -c impact -f\n", out);
    put_variables("set -l ", "", "", out);
    fputs("complete -c impact -n __fish_use_subcommand -a help -d 'more about a command'\n"
          "complete -c impact -n '__fish_seen_subcommand_from help' -a \"$commands\"\n",
          out);
    for (const command *const *c = completed_commands; *c; c++)
        put_fish_command(*c, out);
}

/* ---- the command ---- */

static const struct {
    const char *name, *head;
    void (*put)(FILE *out);
} shells[] = {{"bash", "# bash", put_bash},
              {"zsh", "#compdef impact\n# zsh", put_zsh},
              {"fish", "# fish", put_fish}};

static int complete(const options *o) {
    const char *const shell = o->files[0];
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shell, shells[i].name) != 0) continue;
        if (!output_fits(o->output_word, o->output, "a completion", "text")) return EXIT_BAD;
        FILE *out = output_open(o->output);
        if (!out) return EXIT_BAD;
        fprintf(out, "%s: made by impact completion %s\n", shells[i].head, shell);
        shells[i].put(out);
        return output_commit(EXIT_SOLVED);
    }
    return complain_of("completion: no completion for \"%.60s\", expected bash, zsh or fish",
                       shell);
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    if (options_read(self, argc, argv, &o, &outcome)) outcome = complete(&o);
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"output", NULL};

const command command_completion = {
    .name = "completion",
    .arguments = "[-o FILE] bash|zsh|fish",
    .summary = "print what a shell needs to complete command lines of impact",
    .options = option_names,
    .text = "make install puts it where bash, zsh and fish look; for this shell alone:\n"
            "    . <(impact completion bash)\n",
    .files = 1,
    .run = run,
};
