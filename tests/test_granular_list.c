/* The neighbour list of granular flow against all pairs. */
#include "granular_box.h"
#include "tap.h"

static bool is_contact(const imp_granular_settings *set, double gap, double un) {
    return gap < set->margin || (set->look_ahead && gap + set->step * un < set->margin);
}

/* Would all pairs, and all spheres with all shapes, give the same contacts? Returns how many
 * differ. */
static int compare_with_all_pairs(imp_granular *g, const imp_granular_settings *set, int shapes,
                                  int *total) {
    enum { MOST = 400 };
    static imp_sphere s[MOST];
    static unsigned char wanted[MOST][MOST + IMP_SHAPES];
    static imp_granular_contact c[20 * MOST];
    const int n = imp_granular_count(g);
    memset(wanted, 0, sizeof wanted);
    for (int i = 0; i < n; i++) {
        const imp_sphere one = imp_granular_sphere(g, i);
        s[one.id] = one;
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            const double d = box_distance(s[i].position, s[j].position),
                         gap = d - s[i].radius - s[j].radius;
            double un = 0;
            for (int x = 0; x < 3; x++)
                un += (s[j].velocity[x] - s[i].velocity[x]) *
                      (s[j].position[x] - s[i].position[x]) / d;
            wanted[i][j] = is_contact(set, gap, un);
        }
        for (int k = 0; k < shapes; k++) {
            const imp_shape shape = imp_granular_shape(g, k);
            double normal[3], un = 0;
            const double gap = imp_shape_gap(&shape, s[i].position, s[i].radius, normal);
            for (int x = 0; x < 3; x++)
                un += (s[i].velocity[x] + set->step * set->gravity[x] - shape.velocity[x]) *
                      normal[x];
            wanted[i][MOST + k] = is_contact(set, gap, un);
        }
    }
    if (imp_granular_step(g, NULL) < 0) return -1;
    const int found = imp_granular_contacts(g, c, 20 * MOST);
    int differ = 0;
    for (int k = 0; k < found; k++) {
        const int64_t b = imp_granular_sphere(g, c[k].b).id;
        const int64_t a = c[k].a < 0 ? MOST - 1 - c[k].a : imp_granular_sphere(g, c[k].a).id;
        unsigned char *at = a >= MOST ? &wanted[b][a] : &wanted[a < b ? a : b][a < b ? b : a];
        if (*at) /* found once, and only once */
            *at = 0;
        else
            differ++;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < MOST + IMP_SHAPES; j++)
            differ += wanted[i][j];
    *total += found;
    return differ;
}

static void test_list(void) {
    /* these are one cell each */
    static const int bricks[][3] = {{0, 0, 0}, {3, 4, 2}, {2, 0, 20}, {20, 20, 20}};
    for (int kind = 0; kind < 4; kind++) {
        imp_granular_settings set = imp_granular_settings_default();
        memcpy(set.bricks, bricks[kind], sizeof set.bricks);
        set.skin = kind == 1 ? 2e-5 : 1e-4; /* one so small that it must grow */
        set.look_ahead = kind != 2;
        imp_granular *g = box_flow(&set, 7, 7, 7, kind == 1 ? 0.8 : 0.2, 811 + (uint64_t)kind);
        int differ = 0, total = 0;
        for (int i = 0; i < 400; i++)
            differ += compare_with_all_pairs(g, &set, 5, &total);
        ok(total > 40000 && differ == 0,
           "the list finds the contacts of all pairs (%d found, %d differ, %lld lists)", total,
           differ, imp_granular_cost(g).rebuilds);
        imp_granular_free(g);
    }
}

/* One sphere ten times as large as the others, added first: the grid is as wide as the widest. */
static void test_widest(void) {
    imp_granular_settings set = imp_granular_settings_default();
    for (int c = 0; c < 3; c++)
        set.high[c] = 0.03;
    imp_shape shape[5];
    imp_sphere s[9];
    imp_status status;
    int total = 0, differ = 0;
    imp_granular *g = imp_granular_new(&set, packing_walls(&set, shape), shape, NULL, &status);
    for (int i = 0; i < 9; i++) {
        const double r = i ? 0.5e-3 : 5e-3, at = 5e-3 + 1e-6 + (i ? 5e-3 + r : 0), angle = 0.2 * i;
        s[i] = (imp_sphere){.radius = r, .density = 2650, .position = {5e-3, 5e-3, 5e-3}};
        if (i)
            s[i].position[0] += (at - 5e-3) * cos(angle),
                s[i].position[1] += (at - 5e-3) * sin(angle);
    }
    if (ok(g && imp_granular_add(g, 9, s) == IMP_OK, "a large sphere among small ones"))
        for (int i = 0; i < 20; i++)
            differ += compare_with_all_pairs(g, &set, 5, &total);
    ok(differ == 0 && total > 100, "its contacts are those of all pairs (%d found)", total);
    imp_granular_free(g);
}

int main(void) {
    test_list();
    test_widest();
    return tap_done();
}
