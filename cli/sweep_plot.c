/* sweep_plot.c - the figure of a sweep: gnuplot chooses the rows of each curve from the table. */
#include "cli/sweep_plot.h"
#include "io/number.h"

#include <stdlib.h>
#include <string.h>

/* The most rows of panels, one for each variant and point of the axes behind the first: with more
 * gnuplot takes minutes, and a picture of dots is higher than browsers show. */
enum { ROWS = 60 };

/* Pixels: of a row of panels at least; above and below the panel in it; left of a panel; its width;
 * between the panels and the key; of the key a line, and a letter. */
enum {
    ROW = 270,
    ABOVE = 34,
    BELOW = 54,
    LEFT = 100,
    WIDTH = 390,
    GAP = 30,
    LINE = 19,
    LETTER = 8
};

/* The two panels of a row. */
enum { ERROR, COST, PANELS };

/* What the curves are of. */
typedef struct figure {
    const scene_sweep *sweep;
    int rows, models;                 /* models: the compliant run is number 0 */
    bool *answered;                   /* (models) somewhere */
    bool *drawn;                      /* (rows models PANELS) is there a number > 0? */
    double low[PANELS], high[PANELS]; /* the least and the greatest of them; 0: there is none */
} figure;

/* What stands between the table and the arrays. The colours are those of plots/style.gp; dashes and
 * points tell apart the models of one colour. */
static const char *const looks =
    "set datafile separator \"\\t\"\n"
    "set datafile columnheaders\n"
    "set datafile missing NaN\n"
    "set border linewidth 1 linecolor rgb \"#6b7681\"\n"
    "set tics nomirror textcolor rgb \"#1b1f24\"\n"
    "set xtics noenhanced\n"
    "set grid linecolor rgb \"#dfe4ea\" linewidth 0.6\n"
    "array colour[7] = [\"#1b1f24\", \"#0072b2\", \"#d1362f\", \"#009e73\", \"#e69f00\", "
    "\"#8e5ea2\", \"#56b4e9\"]\n"
    "array point[4] = [7, 5, 9, 13]\n"
    "do for [m=1:28] {\n"
    "    set linetype m linewidth 1.6 pointsize 0.5 linecolor rgb colour[1+(m-1)%7] \\\n"
    "        dashtype 1+(m-1)/7 pointtype point[1+(m-1)/7]\n"
    "}\n";

/* One row of panels for each label, in pixels from the top, and the key beside them. */
static const char *const panels =
    "of(m, c, x) = column(1) == c && stringcolumn(name) eq model[m] && x > 0 ? x : NaN\n"
    "cost(x) = column(x) + column(x+1) + column(x+2)\n"
    "set multiplot\n"
    "set logscale y\n"
    "set format y \"10^{%L}\"\n"
    "unset key\n"
    "do for [c=1:|label|] {\n"
    "    top = (c-1)*row\n"
    "    set tmargin at screen 1-(top+above)/height\n"
    "    set bmargin at screen 1-(top+row-below)/height\n"
    "    set lmargin at screen left/width\n"
    "    set rmargin at screen (left+panel)/width\n"
    "    set label 1 label[c] at screen left/width, screen 1-(top+above/2)/height noenhanced\n"
    "    set ylabel \"velocity error\\nagainst the limit\" offset -1\n"
    "    set yrange [errors_from:errors_to]\n"
    "    if (words(errors[c]) == 0) {\n"
    "        plot NaN\n"
    "    } else {\n"
    "        plot for [m in errors[c]] $table using 2:(of(m+0, c, column(error))) \\\n"
    "            with linespoints linetype m+0\n"
    "    }\n"
    "    unset label 1\n"
    "    set lmargin at screen (2*left+panel)/width\n"
    "    set rmargin at screen (2*left+2*panel)/width\n"
    "    set ylabel \"force evaluations,\\niterations, intervals\" offset -1\n"
    "    set yrange [costs_from:costs_to]\n"
    "    if (words(costs[c]) == 0) {\n"
    "        plot NaN\n"
    "    } else {\n"
    "        plot for [m in costs[c]] $table using 2:(of(m+0, c, cost(evaluations))) \\\n"
    "            with linespoints linetype m+0\n"
    "    }\n"
    "}\n"
    "set tmargin at screen 1\n"
    "set bmargin at screen 0\n"
    "set key at screen 1-beside/width, screen 1-above/height left top Left reverse noenhanced\n"
    "unset tics\n"
    "unset border\n"
    "unset xlabel\n"
    "unset ylabel\n"
    "plot for [m=1:|model|] NaN with linespoints linetype m title model[m]\n"
    "unset multiplot\n";

/* As gnuplot reads it between double quotes, where a backtick begins a command of the shell. */
static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputs(*text == '`' ? "\\140" : (const char[]){*text, '\0'}, out);
    }
}

static void put_quoted(FILE *out, const char *text) {
    fputc('"', out);
    put_escaped(out, text);
    fputc('"', out);
}

/* Number of the curves that a point is on, from 0: the first axis varies along them. */
static long curve_of(const scene_sweep *sweep, long point) {
    const long variant = sweep->points / (sweep->last - sweep->first + 1),
               block = variant / sweep->axis[0].count;
    return point / variant * block + point % block;
}

/* Number of the column of an answer in the script's table, from 0: behind the curve, the place and
 * the keys. */
static int column_of(const scene_sweep *sweep, const char *name) {
    int i = sweep->axes;
    while (strcmp(sweep->column[i].name, name) != 0)
        i++;
    return i + 2;
}

/* text <- field i of a row, from 0; cut to its room. */
static const char *field(const char *row, int i, char text[80]) {
    for (; i > 0; i--)
        row += strcspn(row, "\t\n") + 1;
    const size_t length = strcspn(row, "\t\n"), most = length < 79 ? length : 79;
    memcpy(text, row, most);
    text[most] = '\0';
    return text;
}

/* What a row says of the figure, in the script's table without the two columns in front. */
static void note_row(figure *f, const char *row, int curve) {
    const scene_sweep *sweep = f->sweep;
    const int first = column_of(sweep, "evaluations") - 2;
    double value[PANELS] = {0, 0}, part;
    char text[80];
    int m = f->models - 1;
    field(row, column_of(sweep, "model") - 2, text);
    while (m > 0 && strncmp(text, sweep->models[m - 1]->name, 79) != 0)
        m--;
    if (m == 0 && strcmp(text, "compliant") != 0) return;
    if (strcmp(field(row, column_of(sweep, "status") - 2, text), "ok") == 0) f->answered[m] = true;
    imp_number_parse(field(row, column_of(sweep, "v_error_limit") - 2, text), &value[ERROR]);
    for (int i = first; i < first + 3; i++) {
        if (imp_number_parse(field(row, i, text), &part)) part = NAN;
        value[COST] += part;
    }
    for (int k = 0; k < PANELS; k++) {
        if (!(value[k] > 0)) continue;
        f->drawn[(curve * f->models + m) * PANELS + k] = true;
        if (f->low[k] == 0 || value[k] < f->low[k]) f->low[k] = value[k];
        if (value[k] > f->high[k]) f->high[k] = value[k];
    }
}

/* The table's rows behind the number of their curve and their place along the first axis, where
 * words stand at 1, 2, ... A quotation mark would join fields. */
static imp_status put_rows(FILE *out, figure *f, kept *rows, imp_error *error) {
    const scene_sweep *sweep = f->sweep;
    fputs("$table << END_OF_TABLE\ncurve\tat\t", out);
    imp_write_header(sweep->column, out);
    for (long point = 0; point < sweep->points; point++) {
        const int value = scene_sweep_value(sweep, point, 0);
        const int curve = (int)curve_of(sweep, point);
        size_t length;
        const char *row = kept_read(rows, point, &length, error);
        if (!row) return error->status;
        for (bool first = true; *row; row++) {
            if (first) note_row(f, row, curve);
            if (first && sweep->axis[0].numbers)
                fprintf(out, "%d\t%s\t", curve + 1, sweep->axis[0].value[value]);
            else if (first)
                fprintf(out, "%d\t%d\t", curve + 1, value + 1);
            fputc(*row == '"' ? '\'' : *row, out);
            first = *row == '\n';
        }
    }
    fputs("END_OF_TABLE\n", out);
    return IMP_OK;
}

/* Those that have an answer; the number of the longest one's letters. */
static size_t put_models(FILE *out, const figure *f) {
    size_t longest = strlen("compliant");
    int count = 1;
    for (int m = 1; m < f->models; m++)
        count += f->answered[m];
    fprintf(out, "array model[%d] = [\"compliant\"", count);
    for (int m = 1; m < f->models; m++) {
        const char *name = f->sweep->models[m - 1]->name;
        if (!f->answered[m]) continue;
        fprintf(out, ", \"%s\"", name);
        if (strlen(name) > longest) longest = strlen(name);
    }
    fputs("]\n", out);
    return longest;
}

/* For each row of panels the numbers of the models that have a curve in one of the two. */
static void put_drawn(FILE *out, const figure *f, const char *name, int panel) {
    fprintf(out, "array %s[%d] = [", name, f->rows);
    for (int c = 0; c < f->rows; c++) {
        fputs(c > 0 ? ", \"" : "\"", out);
        for (int m = 0, number = 0; m < f->models; m++) {
            if (m > 0 && !f->answered[m]) continue;
            number++;
            if (f->drawn[(c * f->models + m) * PANELS + panel]) fprintf(out, "%d ", number);
        }
        fputc('"', out);
    }
    fputs("]\n", out);
    /* whole decades, the same in all rows; what is at most 0 has no place on them */
    const double low = f->low[panel] > 0 ? floor(log10(f->low[panel])) : -1;
    const double high = f->low[panel] > 0 ? ceil(log10(f->high[panel])) : 0;
    fprintf(out, "%s_from = 1e%g\n%s_to = 1e%g\n", name, low, name, fmax(high, low + 1));
}

/* The axis from end to end with a little room, so that one value has a range, too. */
static void put_range(FILE *out, const scene_axis *axis) {
    double low = INFINITY, high = -INFINITY, x = 0;
    for (int i = 0; i < axis->count; i++) {
        imp_number_parse(axis->value[i], &x);
        const double at = axis->logarithmic ? log10(x) : x;
        low = fmin(low, at);
        high = fmax(high, at);
    }
    double room = 0.02 * high - 0.02 * low;
    if (room == 0) room = axis->logarithmic || high == 0 ? 0.5 : 0.1 * fabs(high);
    low -= room;
    high += room;
    fprintf(out,
            axis->logarithmic ? "set xrange [10**%.17g:10**%.17g]\n" : "set xrange [%.17g:%.17g]\n",
            low, high);
}

static void put_axis(FILE *out, const scene_axis *axis) {
    fputs("set xlabel ", out);
    put_quoted(out, axis->key);
    fputs(" noenhanced\n", out);
    if (axis->numbers) {
        if (axis->logarithmic) fputs("set logscale x\n", out);
        put_range(out, axis);
        return;
    }
    fprintf(out, "set xrange [0.5:%d.5]\nset xtics (", axis->count);
    for (int i = 0; i < axis->count; i++) {
        if (i > 0) fputs(", ", out);
        put_quoted(out, axis->value[i]);
        fprintf(out, " %d", i + 1);
    }
    fputs(")\n", out);
}

/* What tells a row of panels apart: the scene, and the values of the other axes. */
static imp_status put_labels(FILE *out, const figure *f, imp_error *error) {
    const scene_sweep *sweep = f->sweep;
    bool any = false;
    fprintf(out, "array label[%d] = [", f->rows);
    for (long point = 0; point < sweep->points; point++) {
        scene s;
        if (scene_sweep_value(sweep, point, 0) != 0) continue;
        const imp_status status = scene_sweep_build(sweep, point, &s, error);
        if (status != IMP_OK) return status;
        fputs(any ? ", \"" : "\"", out);
        any = true;
        put_escaped(out, s.title);
        for (int k = 1; k < sweep->axes; k++) {
            if (k > 1 || *s.title) fputs(", ", out);
            put_escaped(out, sweep->axis[k].key);
            fputc('=', out);
            put_escaped(out, sweep->axis[k].value[scene_sweep_value(sweep, point, k)]);
        }
        fputc('"', out);
        scene_clear(&s);
    }
    fputs("]\n", out);
    return IMP_OK;
}

/* The size, in pixels: rows as high as the key asks for. */
static void put_size(FILE *out, const figure *f, size_t longest) {
    int count = 2; /* lines, with the compliant run and a margin */
    for (int m = 1; m < f->models; m++)
        count += f->answered[m];
    const int key = (ABOVE + count * LINE + f->rows - 1) / f->rows, row = key > ROW ? key : ROW,
              beside = (int)longest * LETTER + 60, width = 2 * LEFT + 2 * WIDTH + GAP + beside;
    fprintf(out,
            "row = %d.\nabove = %d.\nbelow = %d.\nleft = %d.\npanel = %d.\nbeside = %d.\n"
            "width = %d.\nheight = %d.\n"
            "set terminal svg size %d,%d background \"white\" font \"DejaVu Sans,11\"\n"
            "set encoding utf8\n",
            row, ABOVE, BELOW, LEFT, WIDTH, beside, width, f->rows * row, width, f->rows * row);
}

static void put_columns(FILE *out, const scene_sweep *sweep) {
    fprintf(out, "name = %d\nerror = %d\nevaluations = %d\n", column_of(sweep, "model") + 1,
            column_of(sweep, "v_error_limit") + 1, column_of(sweep, "evaluations") + 1);
}

static long rows_of(const scene_sweep *sweep) {
    return sweep->points / sweep->axis[0].count;
}

imp_status sweep_plot_check(const scene_sweep *sweep, imp_error *error) {
    const long rows = rows_of(sweep);
    if (rows <= ROWS) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "--plot: %ld rows of panels, one for each variant and point of all --over "
                         "but the first, expected at most %d",
                         rows, ROWS);
}

static imp_status write_figure(FILE *out, figure *f, kept *rows, imp_error *error) {
    fputs("# A sweep: velocity error and cost of every model.\n", out);
    const imp_status status = put_rows(out, f, rows, error);
    if (status != IMP_OK) return status;
    fputs(looks, out);
    put_size(out, f, put_models(out, f));
    put_axis(out, &f->sweep->axis[0]);
    put_columns(out, f->sweep);
    put_drawn(out, f, "errors", ERROR);
    put_drawn(out, f, "costs", COST);
    if (put_labels(out, f, error) != IMP_OK) return error->status;
    fputs(panels, out);
    return IMP_OK;
}

imp_status sweep_plot_write(FILE *out, const scene_sweep *sweep, kept *rows, imp_error *error) {
    figure f = {.sweep = sweep, .rows = (int)rows_of(sweep), .models = 1};
    while (sweep->models[f.models - 1])
        f.models++;
    f.answered = calloc((size_t)f.models, sizeof *f.answered);
    f.drawn = calloc((size_t)f.rows * (size_t)f.models * PANELS, sizeof *f.drawn);
    const imp_status status = f.answered && f.drawn
                                  ? write_figure(out, &f, rows, error)
                                  : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    free(f.answered);
    free(f.drawn);
    return status;
}
