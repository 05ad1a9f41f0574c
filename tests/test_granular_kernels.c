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

/* The same contacts and bodies in single precision. */
typedef struct single_colour {
    single_body body[BODIES];
    single_octet octet[OCTETS];
} single_colour;

static single_colour narrowed(const colour *from, int exponent) {
    const double unit = ldexp(1, exponent);
    single_colour to = {0};
    for (int i = 0; i < BODIES; i++) {
        const body *one = &from->body[i];
        for (int x = 0; x < 3; x++) {
            to.body[i].v[x] = (float)one->v[x];
            to.body[i].q[x] = (float)one->q[x];
        }
        to.body[i].inv_mass = (float)(one->inv_mass * unit);
        to.body[i].friction = (float)one->friction;
    }
    for (int i = 0; i < OCTETS; i++) {
        const octet *one = &from->octet[i];
        for (int l = 0; l < WIDTH; l++) {
            for (int x = 0; x < 3; x++) {
                to.octet[i].n[x][l] = (float)one->n[x][l];
                to.octet[i].p[x][l] = (float)(one->p[x][l] / unit);
            }
            to.octet[i].bias[l] = (float)one->bias[l];
        }
        memcpy(to.octet[i].a, one->a, sizeof one->a);
        memcpy(to.octet[i].b, one->b, sizeof one->b);
    }
    return to;
}

static double pass(imp_relax_kernel *kernel, colour *c, single_colour *s, work what, int first,
                   int count) {
    static const imp_granular_settings set = {.law = IMP_GRANULAR_MAXDISS};
    const bodies all = {.count = PARTICLES, .room = BODIES, .body = c->body};
    const relaxation of = {.set = &set, .bodies = &all, .single = s ? s->body : NULL};
    brick_contacts contacts = {.octet = c->octet, .single = s ? s->octet : NULL};
    return kernel(&of, what, &contacts, first, count);
}

static const char *const passes[] = {
    [WARM] = "first guesses", [RELAX] = "sweeps", [LOOK] = "residuals"};

static void test_kernel(const char *name, imp_relax_kernel *kernel) {
    for (int w = WARM; w <= LOOK; w++) {
        int other = 0, moved = 0;
        for (uint64_t k = 0; k < CASES; k++) {
            const colour start = make(k);
            const int count = 1 + (int)(k % OCTETS), first = OCTETS - count;
            colour one = start, many = start;
            const double a = pass(imp_relax_plain, &one, NULL, (work)w, first, count),
                         b = pass(kernel, &many, NULL, (work)w, first, count);
            other += memcmp(&a, &b, sizeof a) != 0 || memcmp(&one, &many, sizeof one) != 0;
            moved += w == LOOK ? a > 0 : memcmp(&one, &start, sizeof one) != 0;
        }
        ok(other == 0 && moved == CASES, "%s: %s have the same bits (%d others)", name, passes[w],
           other);
    }
}

static void test_single_kernel(const char *name, imp_relax_kernel *kernel) {
    for (int w = WARM; w <= LOOK; w++) {
        int other = 0, moved = 0;
        for (uint64_t k = 0; k < CASES; k++) {
            colour whole = make(k);
            const single_colour start = narrowed(&whole, -17);
            const int count = 1 + (int)(k % OCTETS), first = OCTETS - count;
            single_colour one = start, many = start;
            const double a = pass(imp_relax_single_plain, &whole, &one, (work)w, first, count),
                         b = pass(kernel, &whole, &many, (work)w, first, count);
            other += memcmp(&a, &b, sizeof a) != 0 || memcmp(&one, &many, sizeof one) != 0;
            moved += w == LOOK ? a > 0 : memcmp(&one, &start, sizeof one) != 0;
        }
        ok(other == 0 && moved == CASES, "%s, single precision: %s have the same bits (%d others)",
           name, passes[w], other);
    }
}

/* Single precision is the same problem, rounded: velocities after a pass, and the residual.
 * Impulses are of 1e-6 N s, and their unit may be 17 decades off. */
static void test_rounded(int exponent) {
    for (int w = WARM; w <= LOOK; w++) {
        double worst = 0, most = 0;
        for (uint64_t k = 0; k < CASES; k++) {
            colour whole = make(k);
            single_colour one = narrowed(&whole, exponent);
            const double a = pass(imp_relax_plain, &whole, NULL, (work)w, 0, OCTETS),
                         b = pass(imp_relax_single_plain, &whole, &one, (work)w, 0, OCTETS);
            worst = tap_worst(worst, fabs(a - b));
            most = tap_worst(most, a);
            for (int i = 0; i < BODIES; i++)
                for (int x = 0; x < 3; x++) {
                    worst = tap_worst(worst, fabs(whole.body[i].v[x] - one.body[i].v[x]));
                    worst = tap_worst(worst, fabs(whole.body[i].q[x] - one.body[i].q[x]));
                    most = tap_worst(most, fabs(whole.body[i].v[x]) + fabs(whole.body[i].q[x]));
                }
        }
        ok(worst > 0 && worst < 1e-6 * most,
           "in units of %.1g kg single precision rounds %s by %.1g of the largest",
           ldexp(1, exponent), passes[w], worst / most);
    }
}

int main(void) {
    const struct {
        const char *name;
        bool there;
        imp_relax_kernel *kernel, *single;
    } wide[] = {
        {"AVX2", imp_machine_has(4), imp_relax_avx2, imp_relax_single_avx2},
        {"AVX-512", imp_machine_has(8), imp_relax_avx512, NULL},
        {"AVX-512VL", imp_relax_has_avx512vl(), NULL, imp_relax_single_avx512vl},
    };
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
        if (wide[k].there && wide[k].kernel) test_kernel(wide[k].name, wide[k].kernel);
        if (wide[k].there && wide[k].single) test_single_kernel(wide[k].name, wide[k].single);
        if (!wide[k].there || !(wide[k].kernel || wide[k].single)) skip(wide[k].name);
    }
    for (int exponent = -77; exponent <= 37; exponent += 57)
        test_rounded(exponent);
    return tap_done();
}
