#!/bin/sh
# impact_dump.h: in C99 and C++11 without a warning; the steps of a small engine are accepted, those of wrong ones are
# rejected by the residual that names the fault; W and q are the library's; bad input writes nothing.
. "$(dirname "$0")/program.sh"
CC=${CC:-gcc}
case $CC in *clang*) CXX=${CXX:-clang++} ;; *) CXX=${CXX:-g++} ;; esac
strict='-pedantic -Wall -Wextra -Wshadow -Werror'

# builds NAME FLAGS SOURCE: by the C compiler
builds() {
    $CC -std=c99 ${level:--O3} $strict $2 -I"$root/lib" "$3" -o "$1" -lm > out 2> err
}
# audits NAME STATUS: what the program of that name dumped
audits() {
    ./"$1" "$1.jsonl" > out 2> err && [ "$(wc -l < "$1.jsonl")" -ge 100 ]
    verdict "$1: dumps its steps" $?
    judges "$1: exit status $2" "$2" --model moreau --tol 1e-6 "$1.jsonl"
}

builds engine '' "$root/examples/engine.c"
verdict 'compiles as C99' $?
audits engine 0
if command -v "$CXX" > /dev/null; then
    $CXX -xc++ -std=c++11 -O3 $strict -I"$root/lib" "$root/examples/engine.c" -o engine-cpp -lm > out 2> err
    verdict 'compiles as C++11' $?
    audits engine-cpp 0
else
    echo "ok $((count += 1)) - C++ # SKIP no $CXX"
fi
impact solve --model moreau engine.jsonl
[ $status = 0 ] && [ "$(grep -c '"status":"ok"' out)" = "$(wc -l < engine.jsonl)" ] && grep -q '"id":"step 1",' out
verdict 'solve answers a list, by the ids' $?
impact solve --exec "sh -c 'while read -r line; do case \$line in *\\\"p\\\":*) exit 3 ;; esac; echo {\\\"p\\\": null, \\\"status\\\": \\\"not-converged\\\"}; done'" \
    --law moreau engine.jsonl
[ "$(grep -c '"reason":"it says \\"not-converged\\" itself"' out)" = "$(wc -l < engine.jsonl)" ]
verdict 'an outside solver is not shown the answer' $?

level=-O1 # the engine has shown what warnings there are
sed 's/SWEEPS = 20000/SWEEPS = 2000/' "$root/examples/engine.c" > few.c # wrong ones need not end
while IFS='|' read -r name residual edit; do
    sed "$edit" few.c > "$name.c"
    ! cmp -s few.c "$name.c" && builds "$name" '' "$name.c"
    verdict "$name: planted" $?
    audits "$name" 1
    grep '"status":"rejected"' out | grep -o '"worst":"[a-z]*"' | sort | uniq -c | sort -rn | head -1 | grep -q "\"$residual\""
    verdict "$name: rejected by $residual most" $?
done << 'END'
friction-sign|slip|s/next\[k\] -= inverse\[1\]/next[k] += inverse[1]/
wide-cone|cone|s/? c->mu \* pn/? 1.01 * c->mu * pn/
no-restitution|signorini|s/bounce\[i\] = .*/bounce[i] = 0;/
no-torque|slip|s/b->spin\[k\] += .*/(void)torque;/
half-mass|signorini|s/memcpy(before, w->body, sizeof before);/&\n    for (int i = 0; i < BODIES; i++) before[i].inv_mass = 0.5;/
END

# Two bodies, one on the ground, by the header and by the library.
cat > two.json << 'END'
{"id": "two",
 "bodies": [{"name": "low", "mass": 2, "inertia": [[0.3, 0.05, 0], [0.05, 0.25, 0.05], [0, 0.05, 0.2]],
             "position": [0.1, 0.2, 0.5], "velocity": [1, -0.5, -1], "spin": [0.3, 2, -1]},
            {"name": "high", "mass": 0.5, "inertia": [0.02, 0.025, 0.03], "position": [0, 0.3, 1.2],
             "velocity": [-1, 0.25, -2], "spin": [1, 1, 3]}],
 "contacts": [{"a": "ground", "b": "low", "point": [0.3, 0.1, 0], "normal": [0, 0, 1], "tangent": [0.6, 0.8, 0], "mu": 0.3, "e": 0.5},
              {"a": "low", "b": "high", "point": [0.05, 0.2, 0.9], "normal": [-0.48, -0.6, 0.64], "mu": 0.7, "e": 0.25}]}
END
cat > two.c << 'END'
#include "impact_dump.h"
int main(void) { /* the inverse of the low inertia by cofactors */
    const double I[6] = {0.3, 0.05, 0, 0.25, 0.05, 0.2};
    const double C[6] = {I[3] * I[5] - I[4] * I[4], I[2] * I[4] - I[1] * I[5], I[1] * I[4] - I[2] * I[3],
                         I[0] * I[5] - I[2] * I[2], I[1] * I[2] - I[0] * I[4], I[0] * I[3] - I[1] * I[1]};
    const double d = I[0] * C[0] + I[1] * C[1] + I[2] * C[2];
    const imp_dump_body body[2] = {
        {0.5, {C[0] / d, C[1] / d, C[2] / d, C[1] / d, C[3] / d, C[4] / d, C[2] / d, C[4] / d, C[5] / d},
         {0.1, 0.2, 0.5}, {1, -0.5, -1}, {0.3, 2, -1}},
        {2, {50, 0, 0, 0, 40, 0, 0, 0, 1 / 0.03}, {0, 0.3, 1.2}, {-1, 0.25, -2}, {1, 1, 3}}};
    const imp_dump_contact contact[2] = {
        {IMP_DUMP_GROUND, 0, {0.3, 0.1, 0}, {0, 0, 1}, {0.6, 0.8, 0.005}, {0, 0, 0}, 0.3, 0.5},
        {0, 1, {0.05, 0.2, 0.9}, {-0.48, -0.6, 0.64}, {0, 0, 0}, {0, 0, 0}, 0.7, 0.25}};
    const double mu[2] = {0.3, 0.7}, e[2] = {0.5, 0.25};
    double W[36], q[6];
    return imp_dump_step(stdout, "blocks", 2, body, 2, contact, NULL) ||
           imp_dump_assemble(2, body, 2, contact, W, q) || imp_dump_dense(stdout, "dense", 2, W, q, mu, e, NULL);
}
END
builds two '' two.c && ./two > two.jsonl
verdict 'two bodies: built and run' $?
"$program" solve --model moreau two.json > library.json && "$program" solve --model moreau two.jsonl > header.json
verdict 'two bodies: solved in all three forms' $?
# numbers KEY FILE: each in a line
numbers() { sed 's/},$/}/' "$2" | sed -n "s/.*\"$1\":\[\([^]]*\)\].*/\1/p" | tr ',' '\n'; }
for key in p u; do
    { numbers $key library.json; numbers $key library.json; } > twice
    numbers $key header.json | paste twice - | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-12) bad = 1; n++ } END { exit bad || n != 12 }'
    verdict "two bodies: $key as the library has it, from blocks and from dense W" $?
done

# Locked axes: what single precision leaves of an inverse inertia turns against some torques, and is not in W.
cat > locked.c << 'END'
#include "impact_dump.h"
static uint64_t state = 1;
static float uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)(state >> 40) / (float)(1 << 24);
}
/* R (3 x 3): about x by the angle, or by a random quaternion. */
static void turn(float angle, float R[9]) {
    float q[4] = {cosf(angle / 2), sinf(angle / 2), 0, 0}, size = 0;
    for (int k = 0; k < 4; k++) {
        if (angle == 0) q[k] = 2 * uniform() - 1;
        size += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrtf(size);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const float *v = q + 1;
            R[3 * r + c] = 2 * v[r] * v[c] + (r == c ? 2 * q[0] * q[0] - 1 : 0);
            if (r != c) R[3 * r + c] += 2 * q[0] * v[3 - r - c] * ((c - r + 3) % 3 == 1 ? -1 : 1);
        }
}
int main(void) {
    for (int n = 1; n <= 217; n++) {
        const int locked = n > 17 ? 1 + n % 2 : 1;
        const double impulse[12] = {0};
        imp_dump_body b = {1, {0}, {0, 0, 0.5}, {0, 0, -1}, {0, 0, 0}};
        imp_dump_contact contact[4];
        float R[9];
        turn(n > 17 ? 0 : (float)n * 5 * 3.14159265f / 180, R);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                float entry = 0;
                for (int k = 0; k < 3 - locked; k++)
                    entry += R[3 * r + k] * 6 * R[3 * c + k];
                b.inv_inertia[3 * r + c] = entry;
            }
        b.inv_mass = n % 4 < 2; /* 0: none of W is added to what the inertia gives */
        memset(contact, 0, sizeof contact);
        for (int i = 0; i < 4; i++) {
            contact[i].a = IMP_DUMP_GROUND;
            contact[i].point[0] = i & 1 ? 0.5 : -0.5;
            contact[i].point[1] = i & 2 ? 0.5 : -0.5;
            contact[i].normal[2] = 1;
            contact[i].mu = 0.5;
        }
        if (imp_dump_step(stdout, NULL, 1, &b, 4, contact, n > 117 ? impulse : NULL)) return 1;
    }
    return 0;
}
END
builds locked '' locked.c && ./locked > locked.jsonl && head -n 117 locked.jsonl > asked.jsonl && tail -n 100 locked.jsonl > told.jsonl
verdict 'locked axes in single precision: dumped' $?
impact solve --model moreau asked.jsonl
[ $status -lt 2 ] && [ "$(grep -c '"status":' out)" = 117 ]
verdict 'locked axes in single precision: read' $?
impact check --model moreau --tol 1e-4 told.jsonl
[ $status = 1 ] && [ "$(grep -c '"status":"rejected"' out)" = 100 ]
verdict 'locked axes in single precision: judged' $?

# One answer may be missing, none may be of another length.
impact check --model moreau two.jsonl
[ $status = 2 ] && grep -q 'two.jsonl: $\[0\].p: missing' err
verdict 'a dump without answers is refused where it is judged' $?

# Each thing wrong alone: what imp_dump_step and imp_dump_dense say of it, and nothing written.
cat > refuse.c << 'END'
#include "impact_dump.h"
#include <stdlib.h>
static const char *const said[] = {"ok", "argument", "finite", "friction", "restitution",
                                   "normal", "symmetric", "positive", "written"};
static imp_dump_body b = {1, {2, 0, 0, 0, 2, 0, 0, 0, 2}, {0, 0, 2}, {0, 0, -1}, {0, 0, 0}};
static imp_dump_contact c = {IMP_DUMP_GROUND, 0, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}, 0.5, 0};
static double W[9] = {1, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 0, 0}, p[3] = {0, 0, 1};
static const char *id = "x";
static void try_both(const char *what, FILE *f) {
    const long begin = ftell(f);
    const int step = imp_dump_step(f, id, 1, &b, 1, &c, p);
    const long middle = ftell(f);
    const int dense = imp_dump_dense(f, id, 1, W, q, &c.mu, &c.e, p);
    printf("%s: %s %s%s\n", what, said[step], said[dense],
           (step == 0) == (middle > begin) && (dense == 0) == (ftell(f) > middle) ? "" : ", but wrote");
}
#define TRY(number, value)                                                                           \
    do {                                                                                             \
        const double kept = number;                                                                  \
        number = value;                                                                              \
        try_both(#number " = " #value, f);                                                           \
        number = kept;                                                                               \
    } while (0)
int main(int count, char **argument) {
    const double nan = strtod("nan", NULL), inf = strtod("inf", NULL);
    FILE *f = tmpfile(), *read_only = fopen(argument[0], "r");
    if (!f || !read_only || count < 1) return 1;
    TRY(b.inv_mass, nan);
    TRY(b.inv_mass, -1);
    TRY(b.inv_inertia[4], inf);
    TRY(b.inv_inertia[0], -2);
    TRY(b.inv_inertia[1], 0.1);
    TRY(b.inv_inertia[1], 1e-7);
    b.inv_inertia[3] = 3;
    TRY(b.inv_inertia[1], 3);
    b.inv_inertia[3] = b.inv_inertia[5] = b.inv_inertia[7] = b.inv_inertia[6] = b.inv_inertia[2] = -1.5;
    TRY(b.inv_inertia[1], -1.5);
    b.inv_inertia[3] = b.inv_inertia[5] = b.inv_inertia[7] = b.inv_inertia[6] = b.inv_inertia[2] = 0;
    b.inv_inertia[3] = 2.000001;
    TRY(b.inv_inertia[1], 2.000001);
    b.inv_inertia[3] = 2.0001;
    TRY(b.inv_inertia[1], 2.0001);
    b.inv_inertia[3] = 2.000001;
    b.inv_inertia[0] = b.inv_inertia[4] = b.inv_inertia[8] = 0;
    TRY(b.inv_inertia[1], 2.000001);
    b.inv_inertia[0] = b.inv_inertia[4] = b.inv_inertia[8] = 2;
    b.inv_inertia[3] = 0;
    TRY(b.position[1], nan);
    TRY(b.velocity[2], inf);
    TRY(b.velocity[2], 1.7e308);
    TRY(b.spin[0], nan);
    TRY(b.spin[0], 1e308);
    TRY(c.point[0], nan);
    TRY(c.point[0], 1e200);
    TRY(c.normal[2], nan);
    TRY(c.normal[2], 1.2);
    TRY(c.tangent[0], inf);
    TRY(c.tangent[2], 0.1);
    TRY(c.target[0], nan);
    TRY(c.mu, nan);
    TRY(c.mu, -0.1);
    TRY(c.e, nan);
    TRY(c.e, 1.1);
    TRY(c.b, 1);
    TRY(c.b, IMP_DUMP_GROUND);
    TRY(p[1], -inf);
    TRY(W[8], nan);
    TRY(W[1], 0.1);
    TRY(W[0], -1);
    TRY(q[0], inf);
    id = "a\"b";
    try_both("a quote", f);
    id = "\303\274";
    try_both("a letter beyond ASCII", f);
    id = NULL;
    try_both("no id", f);
    const long end = ftell(f);
    printf("no file: %s\n", said[imp_dump_step(NULL, NULL, 1, &b, 1, &c, p)]);
    printf("no W: %s\n", said[imp_dump_dense(f, NULL, 1, NULL, q, &c.mu, &c.e, p)]);
    printf("no contacts: %s\n", said[imp_dump_step(f, NULL, 1, &b, 0, NULL, NULL)]);
    printf("no contacts, no arrays: %s", said[imp_dump_step(f, NULL, 1, NULL, 0, NULL, NULL)]);
    printf(" %s", said[imp_dump_assemble(1, NULL, 0, NULL, NULL, NULL)]);
    printf(" %s\n", said[imp_dump_dense(f, NULL, 0, NULL, NULL, NULL, NULL, NULL)]);
    printf("no contacts, wrote: %d\n", ftell(f) != end);
    printf("fewer than none: %s", said[imp_dump_step(f, NULL, 1, NULL, -1, NULL, NULL)]);
    printf(" %s", said[imp_dump_assemble(1, NULL, -1, NULL, NULL, NULL)]);
    printf(" %s\n", said[imp_dump_dense(f, NULL, -1, NULL, NULL, NULL, NULL, NULL)]);
    printf("a file to read: %s\n", said[imp_dump_step(read_only, NULL, 1, &b, 1, &c, p)]);
    b.inv_mass = 0;
    memset(b.inv_inertia, 0, sizeof b.inv_inertia);
    printf("two that are fixed: %s\n", said[imp_dump_step(f, NULL, 1, &b, 1, &c, p)]);
    return 0;
}
END
cat > wanted << 'END'
b.inv_mass = nan: finite ok
b.inv_mass = -1: positive ok
b.inv_inertia[4] = inf: finite ok
b.inv_inertia[0] = -2: positive ok
b.inv_inertia[1] = 0.1: symmetric ok
b.inv_inertia[1] = 1e-7: ok ok
b.inv_inertia[1] = 3: positive ok
b.inv_inertia[1] = -1.5: positive ok
b.inv_inertia[1] = 2.000001: ok ok
b.inv_inertia[1] = 2.0001: positive ok
b.inv_inertia[1] = 2.000001: positive ok
b.position[1] = nan: finite ok
b.velocity[2] = inf: finite ok
b.velocity[2] = 1.7e308: ok ok
b.spin[0] = nan: finite ok
b.spin[0] = 1e308: finite ok
c.point[0] = nan: finite ok
c.point[0] = 1e200: finite ok
c.normal[2] = nan: finite ok
c.normal[2] = 1.2: normal ok
c.tangent[0] = inf: finite ok
c.tangent[2] = 0.1: normal ok
c.target[0] = nan: finite ok
c.mu = nan: finite finite
c.mu = -0.1: friction friction
c.e = nan: finite finite
c.e = 1.1: restitution restitution
c.b = 1: argument ok
c.b = IMP_DUMP_GROUND: argument ok
p[1] = -inf: finite finite
W[8] = nan: ok finite
W[1] = 0.1: ok symmetric
W[0] = -1: ok positive
q[0] = inf: ok finite
a quote: argument argument
a letter beyond ASCII: argument argument
no id: ok ok
no file: argument
no W: argument
no contacts: ok
no contacts, no arrays: ok ok ok
no contacts, wrote: 0
fewer than none: argument argument argument
a file to read: written
two that are fixed: positive
END
for flags in '' -ffast-math; do
    builds refuse "$flags" refuse.c && ./refuse > out && diff wanted out > err
    verdict "bad input${flags:+, $flags}: its fault, and nothing written" $?
done

# A locale with a comma; made here, since few machines have one.
if command -v localedef > /dev/null && mkdir locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2> /dev/null; then
    sed 's/^int main.*/#include <locale.h>\n&\n    if (!setlocale(LC_ALL, "de_DE.UTF-8") || localeconv()->decimal_point[0] != 0x2c) return 9;/' two.c > comma.c
    builds comma '' comma.c && LOCPATH=$work/locales ./comma > comma.jsonl && cmp comma.jsonl two.jsonl > err
    verdict 'a locale with a comma: the same bytes' $?
else
    echo "ok $((count += 1)) - a locale with a comma # SKIP no de_DE to make"
fi
echo "1..$count"
