/* Checkpoints: a run that is interrupted goes on bit for bit; what is damaged or foreign is
 * refused. */
#include "granular_box.h"
#include "scratch.h"
#include "tap.h"

#include <sys/resource.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITISED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITISED 1 /* reserves more addresses than any limit leaves */
#endif

/* A channel in miniature. */
static imp_granular *small(const imp_granular_settings *own, double friction) {
    imp_granular_settings set = *own;
    imp_inflow inflow;
    set.high[0] = 0.01, set.high[1] = 0.005, set.high[2] = 0.02;
    return box_channel(&set, friction, 5, 3, &inflow);
}

static const char *save(const imp_granular *g, const char *name) {
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "wb");
    if (!out || imp_granular_save(g, out) != IMP_OK || fclose(out) != 0) abort();
    return path;
}

static void test_resume(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular_settings other = set;
    imp_granular *whole = small(&set, 0.4);
    imp_status status;
    uint64_t wanted[4];
    other.threads = 3;
    other.simd = false;
    for (int part = 0; part < 4; part++) {
        /* the last just before its list is made anew, or not */
        box_run(whole, part == 3 ? 1 : 371, &status);
        wanted[part] = box_bits(whole);
    }
    imp_granular *g = small(&set, 0.4);
    const char *why = "";
    for (int part = 0; part < 4; part++) {
        box_run(g, part == 3 ? 1 : 371, &status);
        ok(status == IMP_OK && imp_granular_count(g) > 20 && box_bits(g) == wanted[part],
           "interrupted %d times, the same bits (%d particles)", part, imp_granular_count(g));
        const char *path = save(g, "flow.check");
        imp_granular_free(g);
        g = small(part % 2 ? &set : &other, 0.4);
        if (part == 1) box_run(g, 200, &status); /* what it did before does not matter */
        const uint64_t before = box_bits(whole);
        ok(box_load(g, path, &why) == IMP_OK && (part < 3 || box_bits(g) == before),
           "  read again");
    }
    ok(imp_granular_time(g) == imp_granular_time(whole), "the time too");
    imp_granular_contact a[2000], b[2000];
    const int n = imp_granular_contacts(whole, a, 2000), m = imp_granular_contacts(g, b, 2000);
    bool same = n == m && n > 20;
    for (int i = 0; i < n && same; i++)
        same = a[i].a == b[i].a && a[i].b == b[i].b &&
               memcmp(a[i].impulse, b[i].impulse, sizeof a[i].impulse) == 0;
    ok(same, "and the contacts with their impulses (%d)", n);
    imp_granular_free(g);
    imp_granular_free(whole);
}

static void refused(const char *what, const char *bytes, size_t n, double friction,
                    const char *words) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, friction);
    const char *why = "nothing";
    imp_status worst;
    const imp_status status = box_load(g, scratch_write("bad.check", bytes, n), &why);
    ok(status == IMP_BAD_ARGUMENT && strstr(why, words) && imp_granular_count(g) == 0,
       "refused: %s (%s)", what, why);
    box_run(g, 100, &worst);
    ok(worst == IMP_OK && imp_granular_count(g) == 15, "  and the flow is one that starts");
    imp_granular_free(g);
}

static void test_refusals(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, 0.4);
    imp_status status;
    box_run(g, 500, &status);
    FILE *in = fopen(save(g, "good.check"), "rb");
    static char bytes[1 << 20], spoilt[1 << 20];
    const size_t n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in) fclose(in);
    const uint64_t sum = imp_granular_sum(g);
    imp_granular_free(g);
    ok(n > 10000 && n < sizeof bytes, "a checkpoint of %zu bytes", n);
    uint64_t end;
    memcpy(&end, bytes + n - sizeof end, sizeof end);
    ok(end == sum, "ends with the sum of the flow");
    refused("an empty file", bytes, 0, 0.4, "no checkpoint");
    refused("another file", "{\"kind\": \"flow\"}", 16, 0.4, "no checkpoint");
    refused("cut off", bytes, n - 1, 0.4, "damaged");
    refused("cut off early", bytes, n / 2, 0.4, "damaged");
    refused("cut off in the head", bytes, 100, 0.4, "no checkpoint");
    refused("another friction", bytes, n, 0.5, "another $.shapes");
    for (int i = 0; i < 12; i++) {
        memcpy(spoilt, bytes, n);
        const size_t at = 16 + (size_t)i * (n - 17) / 11;
        spoilt[at] = (char)(spoilt[at] ^ 1 << i % 8);
        refused("one bit turned", spoilt, n, 0.4, "damaged");
    }
    memcpy(spoilt, bytes, n);
    spoilt[8]++;
    refused("another version", spoilt, n, 0.4, "another version");
}

/* A plane and an obstacle whose zeros are negative, as JSON may have them, stand where those of
 * positive ones do: in the state, and in the set-up. */
static void test_minus_zeros(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    const imp_shape shape[2][2] = {
        {{.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}},
         {.kind = IMP_SHAPE_OBSTACLE, .point = {0, 0.05, 0}, .radius = 0.01}},
        {{.kind = IMP_SHAPE_PLANE,
          .point = {-0.0, -0.0, -0.0},
          .normal = {-0.0, -0.0, 1},
          .velocity = {-0.0, -0.0, -0.0}},
         {.kind = IMP_SHAPE_OBSTACLE,
          .point = {-0.0, 0.05, -0.0},
          .radius = 0.01,
          .velocity = {0, -0.0, 0}}}};
    const imp_sphere sphere = {.position = {0.05, 0.05, 5e-3}, .radius = 5e-3, .density = 2650};
    imp_status status;
    for (int from = 0; from < 2; from++)
        for (int to = 0; to < 2; to++) {
            const char *why = "";
            imp_granular *g = imp_granular_new(&set, 2, shape[from], NULL, &status);
            if (!g || imp_granular_add(g, 1, &sphere) != IMP_OK) abort();
            box_run(g, 3, &status);
            const uint64_t bits = box_bits(g);
            const char *path = save(g, "zeros.check");
            imp_granular_free(g);
            g = imp_granular_new(&set, 2, shape[to], NULL, &status);
            ok(g && box_load(g, path, &why) == IMP_OK && box_bits(g) == bits,
               "from zeros of sign %d, to those of sign %d: goes on (%s)", from, to, why);
            imp_granular_free(g);
        }
}

/* Every number that the results depend on belongs to the set-up; threads and SIMD do not. */
static void test_setup(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_shape shape[2] = {
        {.kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {1, 0, 0}, .friction = 0.3},
        {.kind = IMP_SHAPE_OBSTACLE, .point = {0.05, 0.05, 0}, .radius = 0.01, .length = 0.02}};
    imp_inflow inflow = {.plane = 0,
                         .advance = 1.1e-3,
                         .ny = 2,
                         .nz = 3,
                         .spacing = 2e-3,
                         .radius = 5e-4,
                         .density = 2650,
                         .offset = 1e-4,
                         .speed = 1};
    set.outlet = 0.09;
    set.blend = 0.5;
    double *const numbers[] = {
        &set.step,          &set.gravity[0],       &set.gravity[2],    &set.friction,
        &set.erp,           &set.margin,           &set.warm,          &set.tolerance,
        &set.skin,          &set.low[0],           &set.low[2],        &set.high[0],
        &set.high[2],       &set.outlet,           &set.blend,         &shape[0].friction,
        &shape[0].point[0], &shape[0].velocity[0], &shape[1].point[0], &shape[1].radius,
        &shape[1].length,   &shape[1].friction,    &inflow.advance,    &inflow.first[0],
        &inflow.first[1],   &inflow.spacing,       &inflow.radius,     &inflow.density,
        &inflow.offset,     &inflow.speed,         &inflow.disturbance};
    int *const counts[] = {&set.sweeps,    &set.split,     &set.most_sweeps, &set.bricks[0],
                           &set.bricks[1], &set.bricks[2], &inflow.ny,       &inflow.nz};
    enum {
        NUMBERS = sizeof numbers / sizeof *numbers,
        COUNTS = sizeof counts / sizeof *counts,
        OTHERS = 6
    };
    imp_status status;
    imp_granular *g = imp_granular_new(&set, 2, shape, &inflow, &status);
    const char *path = save(g, "setup.check");
    imp_granular_free(g);
    const imp_granular_settings own = set;
    int taken = 0, tried = 0;
    for (int k = 0; k < NUMBERS + COUNTS + OTHERS; k++) {
        const double number = k < NUMBERS ? *numbers[k] : 0;
        const int at = k - NUMBERS, other = k - NUMBERS - COUNTS,
                  count = at >= 0 && at < COUNTS ? *counts[at] : 0;
        const char *why = "";
        if (k < NUMBERS) *numbers[k] += 1e-6;
        if (at >= 0 && at < COUNTS) ++*counts[at];
        set.look_ahead = own.look_ahead ^ (other == 0);
        set.symmetric = own.symmetric ^ (other == 1);
        set.law = other == 2 ? IMP_GRANULAR_COULOMB : own.law;
        inflow.seed = other == 3;
        set.threads = other == 4 ? 2 : 1;
        set.simd = own.simd ^ (other == 5);
        g = imp_granular_new(&set, 2, shape, &inflow, &status);
        const imp_status loaded = g ? box_load(g, path, &why) : status;
        const bool same = other >= 4,
                   refused = loaded == IMP_BAD_ARGUMENT && strstr(why, "another $.");
        if (same ? loaded != IMP_OK : !refused) {
            taken++;
            diag("change %d: %s, %s", k, imp_status_text(loaded), why);
        }
        tried++;
        if (k < NUMBERS) *numbers[k] = number;
        if (at >= 0 && at < COUNTS) *counts[at] = count;
        imp_granular_free(g);
    }
    ok(taken == 0, "%d changes of a set-up: refused, but of threads and SIMD", tried);
}

enum { SETUP = 22 * 8 }; /* bytes of the sums of the set-up, behind 16 of the head */

/* The checksum of a checkpoint's first n bytes, FNV-1a, behind them. */
static void seal(char *bytes, size_t n) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    memcpy(bytes + n, &hash, sizeof hash);
}

static bool all_numbers(const imp_granular *g) {
    double sum = 0;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        for (int c = 0; c < 3; c++)
            sum += 0 * s.position[c] + 0 * s.velocity[c] + 0 * s.spin[c];
        sum += 0 * s.radius;
    }
    return sum == 0;
}

/* One word of a good checkpoint replaced, and its checksum made right: refused, or a flow that can
 * go on. Returns whether it was refused. */
static bool forged(const char *bytes, size_t n, size_t at, const void *word, size_t size,
                   int *bad) {
    static char spoilt[1 << 20];
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, 0.4);
    const char *why = "";
    memcpy(spoilt, bytes, n);
    memcpy(spoilt + at, word, size);
    seal(spoilt, n - 8);
    const imp_status status = box_load(g, scratch_write("forged.check", spoilt, n), &why);
    if (status == IMP_OK) {
        imp_status step = IMP_OK;
        for (int i = 0; i < 3 && step >= 0; i++)
            step = imp_granular_step(g, NULL);
        if (step < 0 ? step != IMP_NOT_FINITE : !all_numbers(g)) {
            ++*bad;
            diag("byte %zu of %zu: %s after it was taken", at, n, imp_status_text(step));
        }
    } else if (status != IMP_BAD_ARGUMENT || imp_granular_count(g) != 0 ||
               imp_granular_step(g, NULL) != IMP_OK) {
        ++*bad;
        diag("byte %zu of %zu: %s, %s", at, n, imp_status_text(status), why);
    }
    imp_granular_free(g);
    return status != IMP_OK;
}

/* A right checksum does not make right contents: not numbers, not in range, not the flow's own. */
static void test_forged(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, 0.4);
    imp_status status;
    box_run(g, 500, &status);
    FILE *in = fopen(save(g, "good.check"), "rb");
    static char bytes[1 << 20];
    const size_t n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in) fclose(in);
    const int count = imp_granular_count(g);
    imp_granular_free(g);

    /* The numbers of a particle are 8 of its body, twice 4 of its place, and its id. */
    const size_t head = 8 + 8 + SETUP + 3 * 8 + (2 * 3 * IMP_SHAPES + 5 + 2 + 6 + 4 + 1) * 8,
                 body = 64, place = 32;
    const double doubles[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300, 1e-300, -1e300};
    const int64_t integers[] = {-1, INT64_MAX, INT64_MIN, 1LL << 40, 0x7fffffff};
    int bad = 0, refusals = 0, tried = 0, taken = 0;
    for (size_t at = 16; at < head; at += 8) {
        for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++, tried++)
            refusals += forged(bytes, n, at, &doubles[k], 8, &bad);
        for (size_t k = 0; k < sizeof integers / sizeof *integers; k++, tried++)
            refusals += forged(bytes, n, at, &integers[k], 8, &bad);
    }
    ok(bad == 0 && refusals > tried / 3, "%d forged heads, %d refused, the others go on", tried,
       refusals);
    const size_t contacts = head + (size_t)count * (body + 2 * place + 8);
    for (size_t at = head; at < contacts; at += 8 * 3)
        taken += !forged(bytes, n, at, &doubles[0], 8, &bad);
    ok(bad == 0 && taken == 0, "NaN in the place of any number of a particle: refused");
    for (size_t at = contacts; at < n - 16; at += 40)
        refusals += forged(bytes, n, at, &doubles[0], 8, &bad);
    ok(bad == 0, "and anywhere among the contacts no harm");
    const size_t of_first[] = {head + 24, head + (size_t)count * body + 24,
                               head + (size_t)count * (body + place) + 24,
                               head + (size_t)count * (body + 2 * place)};
    for (size_t k = 0; k < 4; k++) /* 1/m, radius, radius when the list was made, id */
        ok(forged(bytes, n, of_first[k], &doubles[3], 8, &bad),
           "a negative mass, radius or id is refused");
    ok(forged(bytes, n, of_first[3], bytes + of_first[3] + 8, 8, &bad), "an id twice is refused");
    const size_t skin = head - (3 * IMP_SHAPES + 1 + 4 + 6 + 1) * 8;
    for (size_t k = 0; k < 5; k++)
        ok(forged(bytes, n, skin, &doubles[k], 8, &bad), "a skin of %g is refused", doubles[k]);
    ok(forged(bytes, n, skin, &doubles[5], 8, &bad), "and one that makes everything a candidate");
    ok(bad == 0, "none of them did harm");
    /* more particles than the file has bytes for and memory has room, with ids for all of them */
    const size_t next_id = 8 + 8 + SETUP + 3 * 8 + 3 * IMP_SHAPES * 8;
    const int64_t many = 100000000;
    memcpy(bytes + next_id, &many, sizeof many);
    ok(forged(bytes, n, 16 + SETUP, &many, 8, &bad) && bad == 0,
       "a count beyond the file takes no memory");
}

/* Orientations in single precision, which has none. */
static void test_forged_single(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const int64_t offcentre = 1;
    static char bytes[1 << 16];
    const char *why = "";
    set.single_precision = true;
    imp_granular *g = small(&set, 0.4);
    FILE *in = fopen(save(g, "single.check"), "rb");
    const size_t n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (!in || n == sizeof bytes || fclose(in) != 0) abort();
    ok(box_load(g, scratch_write("forged.check", bytes, n), &why) == IMP_OK, "no particle: read");
    memcpy(bytes + 16 + SETUP + 2 * 8, &offcentre, 8);
    seal(bytes, n - 8);
    ok(box_load(g, scratch_write("forged.check", bytes, n), &why) == IMP_BAD_ARGUMENT,
       "and not with orientations in single precision (%s)", why);
    imp_granular_free(g);
}

static void test_full_disk(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, 0.4);
    imp_status status;
    FILE *full = fopen("/dev/full", "wb");
    box_run(g, 200, &status);
    if (full) {
        setbuf(full, NULL);
        ok(imp_granular_save(g, full) == IMP_IO, "a full disk is noticed");
        fclose(full);
    } else {
        skip("no /dev/full");
    }
    imp_granular_free(g);
}

int main(void) {
#ifndef SANITISED
    const struct rlimit four_gigabytes = {1LL << 32, 1LL << 32};
    (void)setrlimit(RLIMIT_AS, &four_gigabytes);
#endif
    alarm(120); /* what never ends, ends here */
    test_resume();
    test_refusals();
    test_minus_zeros();
    test_setup();
    test_forged();
    test_forged_single();
    test_full_disk();
    return tap_done();
}
