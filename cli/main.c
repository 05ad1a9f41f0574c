/* main.c - the program `impact`: a table of commands. */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const command *const commands[] = {
    &command_models,  &command_solve,   &command_enumerate,  &command_check,
    &command_convert, &command_compare, &command_simulate,   &command_sweep,
    &command_flow,    &command_ranks,   &command_problems,   &command_replay,
    &command_audit,   &command_race,    &command_completion, NULL};

static int print_help(void) {
    FILE *out = output_open(NULL);
    if (!out) return EXIT_BAD;
    fputs("usage: impact COMMAND [OPTION]... [FILE]...\n\n"
          "Impact models for frictional rigid-body contact, and the certificates that judge "
          "them.\n\n",
          out);
    for (const command *const *c = commands; *c; c++)
        fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
    fputs("\nimpact help COMMAND says more about each, as does impact COMMAND --help; so does man "
          "impact.\n"
          "Exit status: 0 all solved, 1 some problem unsolved or rejected, 2 bad input, bad use, "
          "no memory, or an "
          "output\n"
          "that cannot be written.\n",
          out);
    return output_commit(EXIT_SOLVED);
}

static int print_version(void) {
    FILE *out = output_open(NULL);
    if (!out) return EXIT_BAD;
    fputs("impact " IMP_VERSION "\nThe library is under the Apache License 2.0; this program also "
          "links GSL (GPL-3.0-or-later).\n",
          out);
    return output_commit(EXIT_SOLVED);
}

static const command *find_command(const char *name) {
    for (const command *const *c = commands; *c; c++)
        if (strcmp(name, (*c)->name) == 0) return *c;
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[sizeof commands / sizeof commands[0]] = {NULL};
    for (int i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    char list[300] = "", hint[80];
    int length = 0;
    for (const command *const *c = commands; *c && length < 250; c++)
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%.20s",
                           c == commands ? ""
                           : c[1]        ? ", "
                                         : " or ",
                           (*c)->name);
    if (!name) return complain_of("no command, expected %s (impact --help)", list);
    return complain_of("unknown command \"%.60s\"%s, expected %s", name,
                       imp_suggest(name, names, hint), list);
}

/* impact --help and impact --version stand alone. */
static int alone(int argc, char **argv, int (*print)(void)) {
    if (argc == 2) return print();
    return complain_of("\"%.60s\" is one argument too many, expected impact %s alone", argv[2],
                       argv[1]);
}

/* impact help [COMMAND] */
static int help(int argc, char **argv) {
    char option[] = "--help";
    if (argc == 0) return print_help();
    if (argc > 1)
        return complain_of(
            "help: \"%.60s\" is one argument too many, expected impact help [COMMAND]", argv[1]);
    if (strcmp(argv[0], "help") == 0 || strcmp(argv[0], option) == 0) return print_help();
    const command *c = find_command(argv[0]);
    return c ? c->run(c, 2, (char *[]){argv[0], option, NULL}) : unknown_command(argv[0]);
}

/* A standard stream that the caller closed is held, otherwise the first file opened would take its
 * place: input by what can only be written, the others by a folder, which can be neither read nor
 * written, nor by a name such as /dev/stdout. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)(fd == STDIN_FILENO ? open("/dev/null", O_WRONLY) : open("/", O_RDONLY));
}

/* A file that may not grow (ulimit -f) is a failed write, EFBIG. A handler, and not SIG_IGN: what
 * is started from here has the signal's own action again. */
static void file_too_long(int signal_number) {
    (void)signal_number;
}

int main(int argc, char **argv) {
    hold_standard_streams();
    if (signal(SIGXFSZ, file_too_long) == SIG_IGN) signal(SIGXFSZ, SIG_IGN);
    memory_watch(output_end);
    completed_commands = commands;
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0))
        return alone(argc, argv, print_help);
    if (name && strcmp(name, "--version") == 0) return alone(argc, argv, print_version);
    if (name && strcmp(name, "help") == 0) return help(argc - 2, argv + 2);
    const command *c = name ? find_command(name) : NULL;
    return c ? c->run(c, argc - 1, argv + 1) : unknown_command(name);
}
