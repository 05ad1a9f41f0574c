/* Many spheres with an off-centre mass under either law: no gain of energy, certificates of the
 * assembled problem, the same bits whatever the threads, checkpoints. */
#include "granular_offcentre.h"
#include "scratch.h"
#include "tap.h"

/* Without push-out, started cold and solved to 1e-8: no step gains energy, under either law. */
static void test_energy(int coulomb) {
    imp_granular_settings set = law_settings(coulomb);
    set.erp = 0;
    set.warm = 0;
    set.tolerance = 1e-8;
    set.most_sweeps = 100000;
    set.step = 1e-4;
    imp_granular *g = offcentre_flow(&set, 3, 3, 4, 911);
    double worst = -INFINITY;
    imp_status end = IMP_OK;
    long loaded = 0;
    for (int i = 0; i < 120 && end == IMP_OK; i++) {
        imp_granular_report r;
        double free_energy = 0;
        for (int k = 0; k < imp_granular_count(g); k++) {
            imp_sphere s = imp_granular_sphere(g, k);
            s.velocity[2] -= 9.81 * set.step;
            free_energy += motion_of(&s).energy;
        }
        end = imp_granular_step(g, &r);
        worst = tap_worst(worst, (energy_of(g) - free_energy) / free_energy);
        loaded += r.loaded;
    }
    ok(end == IMP_OK && loaded > 1000 && worst <= 1e-12,
       "%s: no step of 120 gains energy (largest change %.2g, %ld contacts)", law_name(coulomb),
       worst, loaded);
    imp_granular_free(g);
}

enum { MOST = 64, MOST_CONTACTS = 160, HALVES = 2 * MOST_CONTACTS };

/* A contact as two of each body with the ground, at the points of their surfaces that the scheme
 * lets touch. */
static imp_contact half_contact(const imp_sphere *s, const double frame[9], double side) {
    imp_contact half = {.a = IMP_GROUND, .b = (int)s->id};
    memcpy(half.frame, frame, sizeof half.frame);
    for (int x = 0; x < 3; x++)
        half.point[x] = s->position[x] + side * s->radius * frame[x];
    return half;
}

/* W and q of nc contacts from those of their halves: u = u_b - u_a. owner[h] = +-(contact + 1). */
static void put_together(int halves, const int *owner, const double *W2, const double *q2, int nc,
                         double *W, double *q) {
    for (int i = 0; i < 3 * nc; i++) {
        q[i] = 0;
        for (int j = 0; j < 3 * nc; j++)
            W[i * 3 * nc + j] = 0;
    }
    for (int i = 0; i < 3 * halves; i++) {
        const int k = abs(owner[i / 3]) - 1, sign = owner[i / 3] < 0 ? -1 : 1;
        q[3 * k + i % 3] += sign * q2[i];
        for (int j = 0; j < 3 * halves; j++) {
            const int l = abs(owner[j / 3]) - 1, other = owner[j / 3] < 0 ? -1 : 1;
            W[(3 * k + i % 3) * 3 * nc + 3 * l + j % 3] += sign * other * W2[i * 3 * halves + j];
        }
    }
}

/* A step held against both laws, on the problem assembled by the library from the bodies before it,
 * gap/dt in q: the worst residuals under its own law and under the other one. */
static bool certify_step(imp_granular *g, const imp_granular_settings *set, int coulomb,
                         double *own, double *other) {
    static imp_granular_contact c[MOST_CONTACTS];
    static imp_contact half[HALVES];
    static double W2[9 * HALVES * HALVES], q2[3 * HALVES], W[9 * MOST_CONTACTS * MOST_CONTACTS],
        q[3 * MOST_CONTACTS];
    static double p[3 * MOST_CONTACTS], mu[MOST_CONTACTS], bias[MOST_CONTACTS];
    imp_body body[MOST];
    imp_sphere before[MOST];
    int owner[HALVES], halves = 0;
    const int n = imp_granular_count(g);
    for (int i = 0; i < n; i++) {
        imp_sphere s = imp_granular_sphere(g, i);
        for (int x = 0; x < 3; x++)
            s.velocity[x] += set->step * set->gravity[x];
        before[s.id] = s;
        body[s.id] = imp_sphere_body(&s);
    }
    if (imp_granular_step(g, NULL) != IMP_OK) return false;
    const int nc = imp_granular_contacts(g, c, MOST_CONTACTS);
    if (nc == 0 || nc > MOST_CONTACTS) return false;
    for (int k = 0; k < nc; k++) {
        const imp_sphere *b = &before[imp_granular_sphere(g, c[k].b).id], *a = NULL;
        double normal[3], frame[9], gap;
        if (c[k].a < 0) {
            const imp_shape shape = imp_granular_shape(g, -1 - c[k].a);
            gap = imp_shape_gap(&shape, b->position, b->radius, normal);
        } else {
            a = &before[imp_granular_sphere(g, c[k].a).id];
            sub3(b->position, a->position, normal);
            gap = norm3(normal) - a->radius - b->radius;
        }
        imp_frame_from_normal(normal, frame);
        owner[halves] = k + 1;
        half[halves++] = half_contact(b, frame, -1);
        if (a) {
            owner[halves] = -1 - k;
            half[halves++] = half_contact(a, frame, 1);
        }
        bias[k] = gap / set->step * (gap < 0 ? set->erp : 1);
        mu[k] = set->friction;
        apply3(frame, c[k].impulse, p + 3 * k);
    }
    if (imp_delassus_dense(n, body, halves, half, W2, q2) != IMP_OK) return false;
    put_together(halves, owner, W2, q2, nc, W, q);
    for (int k = 0; k < nc; k++)
        q[3 * k] += bias[k];
    const imp_operator op = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
    imp_certificate by[2];
    if (imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &by[0]) != IMP_OK ||
        imp_certify(&problem, &imp_law_coulomb, NULL, p, NULL, &by[1]) != IMP_OK)
        return false;
    *own = tap_worst(*own, by[coulomb].worst);
    *other = tap_worst(*other, by[!coulomb].worst);
    return true;
}

/* Sweeps do not converge in every step of a tumbling packing; where they say so, the step is what
 * they say. */
static void test_certificates(int coulomb) {
    imp_granular_settings set = law_settings(coulomb);
    imp_status status = IMP_OK;
    set.tolerance = 1e-9;
    set.most_sweeps = 3000;
    set.step = 1e-4;
    imp_granular *g = offcentre_flow(&set, 3, 3, 4, 921);
    double own = 0, other = 0;
    int certified = 0;
    enum { LOOKS = 12 };
    for (int i = 0; i < LOOKS; i++) { /* tumbling still: at rest every scale is rounding */
        box_run(g, 9, &status);
        certified += certify_step(g, &set, coulomb, &own, &other);
    }
    ok(certified >= LOOKS - 2 && own < 1e-7,
       "%s: %d converged steps pass its certificate in every contact (%.2g)", law_name(coulomb),
       certified, own);
    ok(other > 1e-3, "  and not that of the other law (%.2g): here they differ", other);
    imp_granular_free(g);
}

static uint64_t bits_after(imp_granular_settings set, int steps) {
    imp_status status;
    imp_granular *g = offcentre_flow(&set, 9, 5, 4, 931);
    box_run(g, steps, &status);
    uint64_t bits = box_bits(g);
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        unsigned char bytes[sizeof s.orientation];
        memcpy(bytes, s.orientation, sizeof bytes);
        for (size_t k = 0; k < sizeof bytes; k++)
            bits = (bits ^ bytes[k]) * 1099511628211u;
    }
    imp_granular_free(g);
    return status == IMP_OK ? bits : 0;
}

static void test_same_bits(void) {
    uint64_t of_law[2];
    for (int coulomb = 0; coulomb < 2; coulomb++) {
        imp_granular_settings set = law_settings(coulomb);
        const uint64_t one = of_law[coulomb] = bits_after(set, 80);
        set.threads = 2;
        ok(one != 0 && bits_after(set, 80) == one, "%s: two threads, the same bits",
           law_name(coulomb));
        set.threads = 4;
        set.simd = false;
        ok(bits_after(set, 80) == one, "  four threads without SIMD: the same bits");
    }
    ok(of_law[0] != of_law[1], "the two laws: other bits");
}

static void test_checkpoint(void) {
    imp_granular_settings set = law_settings(1);
    imp_status status;
    const char *why = "nothing";
    imp_granular *whole = offcentre_flow(&set, 4, 4, 4, 951),
                 *again = offcentre_flow(&set, 2, 2, 2, 952);
    imp_granular_free(again);
    set.high[0] = set.high[1] = 4e-3, set.high[2] = 19e-3;
    again = box_flow(&set, 4, 4, 4, 0, 953); /* plain ones, which the checkpoint replaces */
    box_run(whole, 200, &status);
    FILE *file = fopen(scratch_path("top.check"), "w+b");
    if (!file || imp_granular_save(whole, file) != IMP_OK || fseek(file, 0, SEEK_SET) != 0)
        status = IMP_IO;
    ok(status == IMP_OK && imp_granular_load(again, file, &why) == IMP_OK,
       "a checkpoint is read again (%s)", why);
    if (file) fclose(file);
    imp_status ends[2];
    box_run(whole, 200, &ends[0]);
    box_run(again, 200, &ends[1]);
    bool same = ends[0] == IMP_OK && ends[1] == IMP_OK && box_bits(whole) == box_bits(again);
    for (int i = 0; same && i < imp_granular_count(whole); i++) {
        const imp_sphere a = imp_granular_sphere(whole, i), b = imp_granular_sphere(again, i);
        same =
            memcmp(a.orientation, b.orientation, sizeof a.orientation) == 0 && a.offset == b.offset;
    }
    ok(same, "and the run goes on bit for bit, orientations too");
    imp_granular_free(whole);
    imp_granular_free(again);
}

int main(void) {
    for (int coulomb = 0; coulomb < 2; coulomb++) {
        test_energy(coulomb);
        test_certificates(coulomb);
    }
    test_same_bits();
    test_checkpoint();
    return tap_done();
}
