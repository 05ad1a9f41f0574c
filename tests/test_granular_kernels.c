/* test_granular_kernels.c - sweeps by the kernels for several contacts at once: the bits of the one
 * for any CPU, whatever an octet holds. */
#include "base/machine.h"
#include "generators/gen.h"
#include "granular/relax.h"
#include "tap.h"

#include <string.h>

enum { OCTETS = 7, PARTICLES = 2 * WIDTH * OCTETS, REST = PARTICLES, BODIES, CASES = 300 };

/* Contacts of one colour: none shares a body, but those of idle lanes, at the end. */
typedef struct colour {
    body body[BODIES];
    octet octet[OCTETS];
} colour;

static void fill_lane(gen_stream *s, octet *k, int l, int number) {
    double n[3], size = 0;
    for (int x = 0; x < 3; x++) {
        n[x] = gen_normal(s);
        size += n[x] * n[x];
        k->p[x][l] = 1e-6 * gen_normal(s);
    }
    for (int x = 0; x < 3; x++)
        k->n[x][l] = n[x] / sqrt(size);
    k->bias[l] = 0.01 * gen_normal(s);
    k->a[l] = 2 * number;
    k->b[l] = 2 * number + 1;
}

static colour make(uint64_t index) {
    gen_stream s = gen_seed(53, index);
    colour c = {0};
    const int last = 1 + (int)gen_uniform(&s, 0, WIDTH); /* contacts of the last octet */
    c.body[REST].inv_mass = 1;
    for (int i = 0; i < PARTICLES; i++) {
        body *b = &c.body[i];
        for (int x = 0; x < 3; x++) {
            b->v[x] = 0.1 * gen_normal(&s);
            b->q[x] = 0.1 * gen_normal(&s);
        }
        b->inv_mass = i % 16 == 0 ? 0 : exp(gen_uniform(&s, 10, 14)); /* shapes, too */
        b->friction = index % 3 ? 0.3 : 0;
    }
    for (int i = 0; i < OCTETS; i++)
        for (int l = 0; l < WIDTH; l++) {
            octet *k = &c.octet[i];
            if (i == OCTETS - 1 && l >= last)
                k->a[l] = k->b[l] = REST;
            else
                fill_lane(&s, k, l, WIDTH * i + l);
        }
    return c;
}

static void test_kernel(const char *name, imp_relax_kernel *kernel) {
    static const char *const what[] = {
        [WARM] = "first guesses", [RELAX] = "sweeps", [LOOK] = "residuals"};
    for (int w = WARM; w <= LOOK; w++) {
        int other = 0, moved = 0;
        for (uint64_t k = 0; k < CASES; k++) {
            const colour start = make(k);
            const int count = 1 + (int)(k % OCTETS);
            colour one = start, many = start;
            const bodies by_one = {.count = PARTICLES, .room = BODIES, .body = one.body},
                         by_many = {.count = PARTICLES, .room = BODIES, .body = many.body};
            octet *const last = &one.octet[OCTETS - count], *const wide =
                                                                &many.octet[OCTETS - count];
            const double a = imp_relax_plain(&by_one, IMP_GRANULAR_MAXDISS, (work)w, last, count),
                         b = kernel(&by_many, IMP_GRANULAR_MAXDISS, (work)w, wide, count);
            other += memcmp(&a, &b, sizeof a) != 0 || memcmp(&one, &many, sizeof one) != 0;
            moved += w == LOOK ? a > 0 : memcmp(&one, &start, sizeof one) != 0;
        }
        ok(other == 0 && moved == CASES, "%s: %s have the same bits (%d others)", name, what[w],
           other);
    }
}

int main(void) {
    const struct {
        const char *name;
        int lanes;
        imp_relax_kernel *kernel;
    } wide[] = {{"AVX2", 4, imp_relax_avx2}, {"AVX-512", 8, imp_relax_avx512}};
    for (int k = 0; k < 2; k++) {
        if (wide[k].kernel && imp_machine_has(wide[k].lanes))
            test_kernel(wide[k].name, wide[k].kernel);
        else
            skip(wide[k].name);
    }
    return tap_done();
}
