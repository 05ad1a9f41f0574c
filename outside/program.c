/* program.c - a program as solver (--exec): one process for many problems, a line of JSON
 * each, and a line of JSON back. After whatever is no answer it is started anew. */
#include "outside/outside.h"
#include "io/dump.h"
#include "io/json_load.h"
#include "io/json_path.h"
#include "io/json_write.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

typedef struct program {
    wordexp_t words; /* of the command */
    contained process;
    bool used;    /* the process has answered */
    size_t asked; /* problems, the number that stands for the id of the last */
} program;

static void inside(void *context) {
    const program *own = context;
    execvp(own->words.we_wordv[0], own->words.we_wordv);
    const int why = errno;
    (void)!write(3, &why, sizeof why);
}

static imp_status start(program *own, const outside_terms *terms, imp_error *error) {
    own->used = false;
    return contained_start(&own->process, own->words.we_wordv[0], terms->bytes, inside, own, error);
}

static void close_program(void *solver) {
    program *own = solver;
    contained_stop(&own->process, 1);
    wordfree(&own->words);
    free(own);
}

/* The words of the command; false with one line in *error. */
static bool read_command(program *own, const char *command, imp_error *error) {
    const int fault = wordexp(command, &own->words, WRDE_NOCMD);
    if (fault == WRDE_NOSPACE) {
        wordfree(&own->words);
        imp_error_set(error, IMP_NO_MEMORY, "no memory");
    } else if (fault != 0) {
        imp_error_set(error, IMP_BAD_ARGUMENT,
                      "--exec is \"%.200s\", expected a program and its arguments, quoted as "
                      "for a shell",
                      command);
    }
    if (fault != 0) {
        own->words = (wordexp_t){0};
        return false;
    }
    if (own->words.we_wordc > 0) return true;
    imp_error_set(error, IMP_BAD_ARGUMENT, "--exec is empty, expected a program");
    return false;
}

static void *open_program(const outside_terms *terms, char name[OUTSIDE_NAME],
                          char law[OUTSIDE_NAME], imp_error *error) {
    program *own = calloc(1, sizeof *own);
    law[0] = '\0';
    if (!own) {
        imp_error_set(error, IMP_NO_MEMORY, "no memory");
        return NULL;
    }
    if (read_command(own, terms->command, error) && start(own, terms, error) == IMP_OK) {
        const char *word = own->words.we_wordv[0], *slash = strrchr(word, '/');
        outside_name(name, slash && slash[1] ? slash + 1 : word, 60);
        return own;
    }
    close_program(own);
    return NULL;
}

/* *line <- the problem with a number, as a text, as its id and e of every contact, in one line. */
static bool put_question(program *own, const imp_problem *problem, char **line, size_t *length) {
    char id[24];
    snprintf(id, sizeof id, "%zu", ++own->asked);
    double *none = calloc((size_t)problem->nc, sizeof *none);
    imp_problem whole = *problem;
    double numbers[9];
    imp_operator dense; /* W as every solver reads it, where it is a product here */
    if (!whole.e) whole.e = none;
    if (whole.nc == 1) {
        imp_operator_write(whole.W, numbers);
        dense = imp_operator_dense(1, numbers);
        whole.W = &dense;
    }
    json_t *object = none ? imp_problem_json(id, &whole, NULL, NULL, NULL) : NULL;
    FILE *out = object ? open_memstream(line, length) : NULL;
    bool good = out && imp_json_write(object, out);
    if (out) {
        fputc('\n', out);
        good = !ferror(out) && good;
        good = fclose(out) == 0 && *line && good;
    }
    json_decref(object);
    free(none);
    return good;
}

/* *status <- what it says of its answer; false: a word of its own, which may mean anything. */
static bool read_status(const imp_json *word, const char **text, imp_status *status) {
    static const imp_status outcomes[] = {IMP_OK,          IMP_NOT_CONVERGED, IMP_NOT_CERTIFIED,
                                          IMP_NO_SOLUTION, IMP_OVERFLOW,      IMP_UNSUPPORTED};
    if (!imp_json_text(word, text)) return false;
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
        *status = outcomes[k];
        if (strcmp(*text, imp_status_text(*status)) == 0) return true;
    }
    return imp_json_expected(word, "ok, not-converged, not-certified, no-solution, overflow or "
                                   "unsupported");
}

/* p (3nc) <- the answer; false: it is none. */
static bool read_answer(const imp_json *at, size_t asked, int nc, double *p, imp_info *info,
                        imp_status *status, imp_error *fault) {
    const imp_json id = imp_json_member(at, "id"), given = imp_json_member(at, "p"),
                   word = imp_json_member(at, "status"), count = imp_json_member(at, "iterations"),
                   residual = imp_json_member(at, "residual");
    const char *text = "ok";
    char own[24];
    if (!json_is_object(at->value)) return imp_json_expected(at, "an object with \"p\"");
    snprintf(own, sizeof own, "%zu", asked);
    const char *number = own; /* an answer may go without */
    if (id.value && (!imp_json_text(&id, &number) || strcmp(number, own) != 0))
        return imp_json_expected(&id, "\"%s\", the problem's", own);
    *status = IMP_OK; /* unless it says otherwise */
    if (imp_json_stands(&word) && !read_status(&word, &text, status)) return false;
    if (*status != IMP_OK) imp_error_set(fault, *status, "it says \"%.60s\" itself", text);
    if (*status != IMP_OK && !imp_json_stands(&given)) return true;
    return imp_json_vector(&given, 3 * (size_t)nc, p) &&
           (!imp_json_stands(&count) || imp_json_whole(&count, 0, INT_MAX, &info->iterations)) &&
           (!imp_json_stands(&residual) || imp_json_number(&residual, &info->residual));
}

imp_status outside_read_answer(char *line, size_t length, size_t asked, int nc, double *p,
                               imp_info *info, imp_error *fault) {
    json_t *root = NULL;
    imp_error why = {IMP_OK, ""};
    imp_status status = IMP_OK;
    FILE *in = length > 0 ? fmemopen(line, length, "r") : NULL;
    if (!in && length > 0) return imp_error_set(fault, IMP_NO_MEMORY, "no memory");
    if (!in) return imp_error_set(fault, IMP_BAD_ANSWER, "bad answer: an empty line");
    imp_status good = imp_json_load(in, "its line", &root, &why);
    (void)fclose(in);
    if (good == IMP_OK) {
        const imp_json top = imp_json_root(root, "its line", &why);
        if (!read_answer(&top, asked, nc, p, info, &status, fault)) good = why.status;
        json_decref(root);
    }
    if (good == IMP_OK) return status;
    if (good == IMP_NO_MEMORY) return imp_error_set(fault, IMP_NO_MEMORY, "no memory");
    return imp_error_set(fault, IMP_BAD_ANSWER, "bad answer: %s", why.text);
}

/* Why there is no answer; of one that lacks nothing but the end of its line that would not be
 * guessed. */
static imp_status say_fault(const program *own, contained_end end, double seconds,
                            imp_error *fault) {
    const size_t came = own->process.said.came;
    const imp_status status = contained_fault(end, &own->process, seconds, fault);
    if ((end != CONTAINED_LATE && end != CONTAINED_ENDED) || came == 0) return status;
    const imp_error why = *fault;
    return imp_error_set(fault, status, "%.200s, behind %zu bytes of a line without its end",
                         why.text, came);
}

static imp_status ask(void *solver, const outside_terms *terms, const imp_model *takes,
                      const imp_problem *problem, double *p, imp_info *info, imp_error *fault) {
    program *own = solver;
    char *line = NULL;
    size_t length = 0;
    (void)takes;
    const size_t most = 65536 + 2000 * (size_t)problem->nc;
    if (own->process.pid == 0 && start(own, terms, fault) != IMP_OK) return IMP_CRASHED;
    imp_status status = IMP_NO_MEMORY;
    if (put_question(own, problem, &line, &length)) {
        contained_end end = contained_ask(&own->process, line, length, terms->seconds, 0, most);
        /* so many, and it leaves, or fails behind its answer: the next is for another; but half a
         * line is none of them */
        if (end == CONTAINED_ENDED && own->used && own->process.said.came == 0 &&
            contained_left(&own->process)) {
            contained_stop(&own->process, 0);
            if (start(own, terms, fault) == IMP_OK)
                end = contained_ask(&own->process, line, length, terms->seconds, 0, most);
        }
        own->used = true;
        status = end == CONTAINED_ANSWERED
                     ? outside_read_answer(own->process.said.data, own->process.said.length,
                                           own->asked, problem->nc, p, info, fault)
                     : say_fault(own, end, terms->seconds, fault);
    }
    free(line);
    if (!own->process.fresh || status == IMP_BAD_ANSWER) contained_stop(&own->process, 0);
    return status;
}

const outside_front outside_program = {.open = open_program, .ask = ask, .close = close_program};
