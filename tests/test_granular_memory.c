/* What a granular flow says of its memory, beside what the allocator has given. */
#include "failing.h"
#include "granular_box.h"
#include "tap.h"

#if FAILING_HERE && defined(__GLIBC_PREREQ)
#define TELLS __GLIBC_PREREQ(2, 33) /* mallinfo2 */
#else
#define TELLS 0
#endif

#if TELLS
#include <malloc.h>

/* Bytes that the program has of the allocator. */
static size_t given(void) {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static void test_bytes(const char *what, int threads, bool single, double offset) {
    imp_granular_settings set = imp_granular_settings_default();
    set.step = 1e-5;
    set.threads = threads;
    set.single_precision = single;
    imp_status status = IMP_OK;
    size_t told = 0, own = 0;
    for (int k = 0; k < 2; k++) { /* the first sets up what threads keep for ever */
        const size_t before = given();
        imp_granular *g = box_flow(&set, 16, 16, 16, 0.1, 3);
        const imp_sphere one = {.position = {8e-3, 8e-3, 20e-3},
                                .radius = 0.47e-3,
                                .density = 2650,
                                .offset = offset,
                                .orientation = {1}};
        if (g && offset > 0 && imp_granular_add(g, 1, &one) != IMP_OK) status = IMP_BAD_ARGUMENT;
        if (g && status == IMP_OK) box_run(g, 20, &status);
        told = g ? imp_granular_bytes(g) : 0;
        own = given() - before;
        imp_granular_free(g);
    }
    /* 3 %: what malloc adds to each array, and one that is longer than the room of the bodies */
    ok(status == IMP_OK && told > 1000000 && told <= own && (double)told > 0.97 * (double)own,
       "%s: %zu of %zu bytes (%s)", what, told, own, imp_status_text(status));
}
#endif

int main(void) {
#if TELLS
    test_bytes("spheres", 1, false, 0);
    test_bytes("on two threads", 2, false, 0);
    test_bytes("in single precision", 1, true, 0);
    test_bytes("with an off-centre mass", 1, false, 0.1e-3);
    return tap_done();
#else
    return skip_all("an allocator that does not tell what it gave");
#endif
}
