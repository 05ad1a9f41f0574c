/* suggest.c - by how many letters two words differ. */
#include "io/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 31 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* How many letters to insert, drop, change or swap with their neighbour turn one word into the
 * other (Damerau 1964, no letter edited twice). */
static int distance(const char *a, const char *b) {
    const size_t m = strlen(a), n = strlen(b);
    int d[LONGEST + 1][LONGEST + 1];
    if (m > LONGEST || n > LONGEST) return LONGEST;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                            1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

const char *imp_suggest(const char *word, const char *const *names, char text[80]) {
    const char *nearest = NULL;
    const size_t length = strlen(word);
    /* a third of the letters may be wrong, not all; of two as near the one as long is nearer */
    int best = 2 * ((least((int)length, LONGEST) + 2) / 3 + 1);
    for (; *names; names++) {
        const size_t own = strlen(*names);
        const bool same = strcasecmp(word, *names) == 0;
        const int wrong = same ? 0 : distance(word, *names), apart = 2 * wrong + (own != length);
        if (apart >= best || (wrong > 0 && (size_t)wrong >= (own > length ? own : length)))
            continue;
        best = apart;
        nearest = *names;
    }
    text[0] = '\0';
    if (nearest) snprintf(text, 80, " (did you mean \"%.40s\"?)", nearest);
    return text;
}
