/* sweep_plot.c - the figure of a sweep: gnuplot chooses the rows of each curve from the table. */
#include "cli/sweep_plot.h"

#include <stdlib.h>
#include <string.h>

/* What stands before the table, and between it and the curves; the colours are those of
 * plots/style.gp. */
static const char *const looks =
    "set datafile separator \"\\t\"\n"
    "set datafile columnheaders\n"
    "set datafile missing NaN\n"
    "set border linewidth 1 linecolor rgb \"#6b7681\"\n"
    "set tics nomirror textcolor rgb \"#1b1f24\"\n"
    "set grid linecolor rgb \"#dfe4ea\" linewidth 0.6\n"
    "set key outside right Left reverse samplen 2.2\n"
    "array colour[7] = [\"#1b1f24\", \"#0072b2\", \"#d1362f\", \"#009e73\", \"#e69f00\", "
    "\"#8e5ea2\", \"#56b4e9\"]\n";

static const char *const curves =
    "of(m, c, name) = column(\"curve\") == c && stringcolumn(\"model\") eq model[m] ? column(name) "
    ": NaN\n"
    "positive(x) = x > 0 ? x : NaN\n"
    "work(m, c) = of(m, c, \"evaluations\") + of(m, c, \"iterations\") + of(m, c, \"intervals\")\n"
    "name(m, c) = model[m].(|label| > 1 ? \", \".label[c] : \"\")\n"
    "set multiplot layout 2,1\n"
    "set logscale y\n"
    "set format y \"10^%L\"\n"
    "set ylabel \"velocity error against the limit\"\n"
    "plot for [c=1:|label|] for [m=1:|model|] $table using (column(\"at\")):(positive(of(m, c, "
    "\"v_error_limit\"))) \\\n"
    "    with linespoints pt 7 ps 0.5 lw 1.6 dt c lc rgb colour[(m-1)%7+1] title name(m, c)\n"
    "set ylabel \"force evaluations, iterations, intervals\"\n"
    "plot for [c=1:|label|] for [m=1:|model|] $table using (column(\"at\")):(positive(work(m, c))) "
    "\\\n"
    "    with linespoints pt 7 ps 0.5 lw 1.6 dt c lc rgb colour[(m-1)%7+1] title name(m, c)\n"
    "unset multiplot\n";

/* As gnuplot reads it between double quotes. */
static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
}

static void put_quoted(FILE *out, const char *text) {
    fputc('"', out);
    put_escaped(out, text);
    fputc('"', out);
}

/* Number of the curve that a point is on, from 0: the first axis varies along it. */
static long curve_of(const scene_sweep *sweep, long point) {
    const long variant = sweep->points / (sweep->last - sweep->first + 1),
               block = variant / sweep->axis[0].count;
    return point / variant * block + point % block;
}

/* The table's rows behind the number of their curve and their place along the first axis, where
 * words stand at 1, 2, ...; answered[m] <- has that model an answer somewhere? A quotation mark
 * would join fields. */
static imp_status put_rows(FILE *out, const scene_sweep *sweep, kept *rows, bool *answered,
                           imp_error *error) {
    fputs("$table << END_OF_TABLE\ncurve\tat\t", out);
    imp_write_header(sweep->column, out);
    for (long point = 0; point < sweep->points; point++) {
        const int value = scene_sweep_value(sweep, point, 0);
        size_t length;
        const char *row = kept_read(rows, point, &length, error);
        if (!row) return error->status;
        for (int m = 0; sweep->models[m]; m++) {
            char text[80];
            snprintf(text, sizeof text, "\t%.60s\tok\t", sweep->models[m]->name);
            answered[m] = answered[m] || strstr(row, text);
        }
        for (bool first = true; *row; row++) {
            if (first && sweep->axis[0].numbers)
                fprintf(out, "%ld\t%s\t", curve_of(sweep, point) + 1, sweep->axis[0].value[value]);
            else if (first)
                fprintf(out, "%ld\t%d\t", curve_of(sweep, point) + 1, value + 1);
            fputc(*row == '"' ? '\'' : *row, out);
            first = *row == '\n';
        }
    }
    fputs("END_OF_TABLE\n", out);
    return IMP_OK;
}

static void put_models(FILE *out, const scene_sweep *sweep, const bool *answered) {
    int count = 1;
    for (int m = 0; sweep->models[m]; m++)
        count += answered[m];
    fprintf(out, "array model[%d] = [\"compliant\"", count);
    for (int m = 0; sweep->models[m]; m++)
        if (answered[m]) fprintf(out, ", \"%s\"", sweep->models[m]->name);
    fputs("]\n", out);
}

static void put_axis(FILE *out, const scene_axis *axis) {
    fputs("set xlabel ", out);
    put_quoted(out, axis->key);
    fputc('\n', out);
    if (axis->numbers) {
        if (axis->logarithmic) fputs("set logscale x\n", out);
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

/* What tells a curve apart: the values of the other axes, and the scene where there are several.
 * The key says what the values are of. */
static imp_status put_labels(FILE *out, const scene_sweep *sweep, imp_error *error) {
    long count = 0;
    fputs("set key title \"model", out);
    for (int k = 1; k < sweep->axes; k++) {
        fputs(", ", out);
        put_escaped(out, sweep->axis[k].key);
    }
    fprintf(out, "\"\narray label[%ld] = [", sweep->points / sweep->axis[0].count);
    for (long point = 0; point < sweep->points; point++) {
        scene s;
        if (scene_sweep_value(sweep, point, 0) != 0) continue;
        const imp_status status = scene_sweep_build(sweep, point, &s, error);
        if (status != IMP_OK) return status;
        fputs(count++ ? ", \"" : "\"", out);
        for (int k = 1; k < sweep->axes; k++) {
            if (k > 1) fputs(", ", out);
            put_escaped(out, sweep->axis[k].value[scene_sweep_value(sweep, point, k)]);
        }
        if (sweep->last > sweep->first) {
            fputs(sweep->axes > 1 ? ", " : "", out);
            put_escaped(out, s.title);
        }
        fputc('"', out);
        scene_clear(&s);
    }
    fputs("]\n", out);
    return IMP_OK;
}

imp_status sweep_plot_write(FILE *out, const scene_sweep *sweep, kept *rows, imp_error *error) {
    size_t models = 0;
    while (sweep->models[models])
        models++;
    bool *answered = calloc(models + 1, sizeof *answered);
    if (!answered) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    fputs("# A sweep: velocity error and cost of every model.\n"
          "set terminal svg size 1000,760 noenhanced background \"white\" font \"DejaVu Sans,11\"\n"
          "set encoding utf8\n",
          out);
    imp_status status = put_rows(out, sweep, rows, answered, error);
    if (status == IMP_OK) {
        fputs(looks, out);
        put_axis(out, &sweep->axis[0]);
        put_models(out, sweep, answered);
        status = put_labels(out, sweep, error);
        fputs(curves, out);
    }
    free(answered);
    return status;
}
