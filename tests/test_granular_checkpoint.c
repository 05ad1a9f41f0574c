/* Checkpoints: a run that is interrupted goes on bit for bit; what is damaged or foreign is refused. */
#include "granular_box.h"
#include "scratch.h"
#include "tap.h"

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

static imp_status load(imp_granular *g, const char *path, const char **why) {
    FILE *in = fopen(path, "rb");
    if (!in) abort();
    const imp_status status = imp_granular_load(g, in, why);
    fclose(in);
    return status;
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
        box_run(whole, part == 3 ? 1 : 371, &status); /* the last just before its list is made anew, or not */
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
        ok(load(g, path, &why) == IMP_OK && (part < 3 || box_bits(g) == before), "  read again");
    }
    ok(imp_granular_time(g) == imp_granular_time(whole), "the time too");
    imp_granular_contact a[2000], b[2000];
    const int n = imp_granular_contacts(whole, a, 2000), m = imp_granular_contacts(g, b, 2000);
    bool same = n == m && n > 20;
    for (int i = 0; i < n && same; i++)
        same = a[i].a == b[i].a && a[i].b == b[i].b && memcmp(a[i].impulse, b[i].impulse, sizeof a[i].impulse) == 0;
    ok(same, "and the contacts with their impulses (%d)", n);
    imp_granular_free(g);
    imp_granular_free(whole);
}

static void refused(const char *what, const char *bytes, size_t n, double friction, const char *words) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, friction);
    const char *why = "nothing";
    imp_status worst;
    const imp_status status = load(g, scratch_write("bad.check", bytes, n), &why);
    ok(status == IMP_BAD_ARGUMENT && strstr(why, words) && imp_granular_count(g) == 0, "refused: %s (%s)", what, why);
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
    imp_granular_free(g);
    ok(n > 10000 && n < sizeof bytes, "a checkpoint of %zu bytes", n);
    refused("an empty file", bytes, 0, 0.4, "no checkpoint");
    refused("another file", "{\"kind\": \"flow\"}", 16, 0.4, "no checkpoint");
    refused("cut off", bytes, n - 1, 0.4, "damaged");
    refused("cut off early", bytes, n / 2, 0.4, "damaged");
    refused("cut off in the head", bytes, 100, 0.4, "no checkpoint");
    refused("another friction", bytes, n, 0.5, "another set-up");
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

static void test_full_disk(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = small(&set, 0.4);
    imp_status status;
    FILE *full = fopen("/dev/full", "wb");
    box_run(g, 200, &status);
    if (full)
        ok(imp_granular_save(g, full) == IMP_IO || fclose(full) != 0, "a full disk is noticed");
    else
        skip("no /dev/full");
    imp_granular_free(g);
}

int main(void) {
    test_resume();
    test_refusals();
    test_full_disk();
    return tap_done();
}
