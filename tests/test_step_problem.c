/* test_step_problem.c - the contact problems that the time stepper poses: listed, assembled, solved
 * from where the last step ended; a heap of balls keeps their energy and momentum. */
#include "base/vec3.h"
#include "generators/gen_tree.h"
#include "generators/gen_world.h"
#include "impact.h"
#include "step_bodies.h"
#include "tap.h"

/* A list that was cleared is a new one. */
static void test_list(void) {
    imp_nearby_list list = {0};
    const imp_nearby item = {.gap = 1, .pair = 7};
    for (int round = 0; round < 2; round++) {
        bool good = list.count == 0 && list.room == 0 && !list.item;
        for (int k = 0; k < 100; k++)
            good = good && imp_nearby_add(&list, &item);
        ok(good && list.count == 100 && list.item[99].pair == 7, "a hundred contacts, listed %s",
           round ? "again" : "");
        imp_nearby_clear(&list);
    }
    ok(list.count == 0 && !list.item, "and none");
}

/* Jittered balls over a floor, both models: energy falls, momentum is that of the contacts with the
 * ground. */
static void test_heap(const char *name) {
    enum { N = 8 };
    imp_link links[N];
    imp_ball balls[N];
    imp_guard floor[N];
    double position[3 * N];
    gen_stream stream = gen_seed(801, 1);
    for (int i = 0; i < N; i++) {
        links[i] = solid(1, 4e-3, 4e-3, 4e-3);
        balls[i] = (imp_ball){.link = i, .radius = 0.1, .mu = 0.2};
        floor[i] = (imp_guard){
            .link = i, .radius = 0.1, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = 0.2};
        for (int k = 0; k < 3; k++)
            position[3 * i + k] =
                0.21 * (i >> k & 1) + 0.1 * (k == 2) + gen_uniform(&stream, 0, 0.005);
    }
    imp_world *w = imp_world_of_bodies(N, links, position, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_shapes shapes = {
        .guards = N, .guard = floor, .balls = N, .ball = balls, .reach = 0.005, .ahead = 1};
    const imp_step_settings settings = {.h = 0.005,
                                        .gravity = {0, 0, -g},
                                        .model = imp_model_find(name),
                                        .least_gap = -5e-4,
                                        .detect = imp_shapes_nearby,
                                        .late = imp_shapes_late,
                                        .detect_data = &shapes};
    imp_world_place(w);
    double energy = imp_world_kinetic(w) + imp_world_potential(w, settings.gravity), rise = 0,
           sunk = 0, off = 0;
    bool good = true;
    for (int k = 0; k < 120; k++) {
        double before[3] = {0}, push[3] = {0, 0, -g * settings.h * N};
        for (int i = 0; i < N; i++)
            add3(1, imp_world_v(w, i), before);
        good = good && imp_step(s, &settings) == IMP_OK;
        for (int c = 0; c < s->problem.nc; c++) {
            double world[3];
            if (s->near.item[c].contact.a != IMP_GROUND) continue;
            apply3_transposed(s->near.item[c].contact.frame, s->p + 3 * c, world);
            add3(1, world, push);
        }
        for (int i = 0; i < N; i++)
            add3(-1, imp_world_v(w, i), before);
        add3(1, push, before);
        off = tap_worst(off, norm3(before));
        const double now = imp_world_kinetic(w) + imp_world_potential(w, settings.gravity);
        rise = tap_worst(rise, now - energy);
        energy = now;
        sunk = tap_worst(sunk, imp_shapes_overlap(&shapes, w));
    }
    ok(good, "%s: eight balls for 120 steps", name);
    ok(rise <= 1e-9, "%s: energy never rises: %.1e", name, rise);
    ok(off <= 1e-12, "%s: momentum comes from the ground alone: %.1e", name, off);
    ok(sunk <= 1e-6, "%s: no overlap: %.1e", name, sunk);
    imp_shapes_clear(&shapes);
    imp_stepper_free(s);
    imp_world_free(w);
}

static imp_status list_random(void *data, const imp_world *w, double h, imp_nearby_list *list) {
    (void)h;
    (void)w;
    const imp_nearby_list *all = data;
    for (int i = 0; i < all->count; i++)
        if (!imp_nearby_add(list, &all->item[i])) return IMP_NO_MEMORY;
    return IMP_OK;
}

/* W and q of random trees joined by contacts, against the dense ones of one forest that holds all
 * their links. */
static void test_problem(void) {
    double worst = 0, worst_J = 0;
    bool good = true;
    for (uint64_t k = 0; k < 20; k++) {
        gen_stream stream = gen_seed(802, k);
        imp_tree *tree[3];
        imp_link links[192];
        double q[192], v[192];
        int nl = 0, nq = 0, nv = 0;
        for (int t = 0; t < 3; t++) {
            tree[t] = gen_tree(&stream, t % 2 == 0);
            gen_tree_state(&stream, tree[t], q + nq, v + nv);
            for (int i = 0; i < imp_tree_links(tree[t]); i++) {
                links[nl + i] = *imp_tree_link(tree[t], i);
                if (links[nl + i].parent != IMP_GROUND) links[nl + i].parent += nl;
            }
            nl += imp_tree_links(tree[t]), nq += imp_tree_nq(tree[t]), nv += imp_tree_nv(tree[t]);
        }
        imp_tree *forest = imp_tree_new(nl, links, NULL);
        imp_world *w = imp_world_new(3, tree);
        memcpy(w->q, q, (size_t)nq * sizeof *q);
        memcpy(w->v, v, (size_t)nv * sizeof *v);
        imp_nearby_list list = {0};
        imp_contact contact[10];
        for (int i = 0; i < 10; i++) {
            double n[3];
            imp_nearby near = {.mu = 0.5, .gap = 0.01 * i};
            const int half = nl / 2;
            near.contact.a = i < 4 ? IMP_GROUND : (int)gen_uniform(&stream, 0, half);
            near.contact.b = (int)gen_uniform(&stream, half, nl);
            gen_unit(&stream, n, 3);
            imp_frame_from_normal(n, near.contact.frame);
            gen_unit(&stream, near.contact.point, 3);
            imp_nearby_add(&list, &near);
            contact[i] = near.contact;
        }
        imp_stepper *s = imp_stepper_new(w);
        const imp_step_settings settings = {
            .h = 1e-9, .detect = list_random, .detect_data = &list, .model = &imp_model_drumwright};
        const imp_status status = imp_step_prepare(s, &settings);
        double W[900], want[900], free_velocity[30], *work = malloc(30 * (size_t)nv * sizeof *work);
        imp_tree_place(forest, q, w->v); /* the velocity after the free step */
        good = good && status == IMP_OK &&
               imp_tree_delassus(forest, 10, contact, want, free_velocity, work) == IMP_OK;
        if (status == IMP_OK) {
            imp_sparse explicit_W;
            imp_problem_dense(&s->problem, W);
            imp_sparse_delassus(&s->M, &s->J, NULL, NULL, &explicit_W, NULL);
            double size = 0;
            for (int i = 0; i < 900; i++)
                size = fmax(size, fabs(want[i]));
            for (int i = 0; i < 900; i++)
                worst = tap_worst(worst, fabs(W[i] - want[i]) / size);
            for (int j = 0; j < 30; j++)
                for (int e = explicit_W.start[j]; e < explicit_W.start[j + 1]; e++)
                    worst_J = tap_worst(
                        worst_J,
                        fabs(explicit_W.value[e] - want[30 * explicit_W.row[e] + j]) / size);
            for (int i = 0; i < 30; i++)
                worst = tap_worst(worst, fabs(s->problem.q[i] - free_velocity[i]) / 10);
            ok(s->gap[3] == 0.03 / 1e-9, "gaps are distances over the step");
            imp_sparse_clear(&explicit_W);
        }
        free(work);
        imp_nearby_clear(&list);
        imp_stepper_free(s);
        imp_world_free(w);
        imp_tree_free(forest);
    }
    ok(good, "contacts between trees are assembled where the forest's are");
    ok(worst <= 1e-11, "W and q are those of one forest: %.1e", worst);
    ok(worst_J <= 1e-9, "W = J' M^-1 J: %.1e", worst_J);
}

/* Every other step lists the contacts in the reverse order and turns their frames about the
 * normal. */
typedef struct shuffled {
    imp_shapes shapes;
    int steps;
} shuffled;

static imp_status detect_shuffled(void *data, const imp_world *world, double h,
                                  imp_nearby_list *list) {
    shuffled *d = data;
    const imp_status status = imp_shapes_nearby(&d->shapes, world, h, list);
    if (d->steps++ % 2 == 0) return status;
    for (int i = 0; i < list->count / 2; i++) {
        const imp_nearby swap = list->item[i];
        list->item[i] = list->item[list->count - 1 - i];
        list->item[list->count - 1 - i] = swap;
    }
    for (int i = 0; i < list->count; i++) {
        double *t = list->item[i].contact.frame + 3, *o = t + 3;
        for (int k = 0; k < 3; k++) {
            const double turned = 0.6 * t[k] + 0.8 * o[k];
            o[k] = 0.6 * o[k] - 0.8 * t[k];
            t[k] = turned;
        }
    }
    return status;
}

/* Two cubes on each other stick on a slope: told to go on from the last step, the solver has a
 * tenth of the sweeps to do or less. */
static void test_going_on(const char *name) {
    const imp_link body[2] = {solid(1, 1. / 6, 1. / 6, 1. / 6), solid(1, 1. / 6, 1. / 6, 1. / 6)};
    imp_world *w = imp_world_of_bodies(2, body, (const double[6]){0, 0, 0.5, 0, 0, 1.5}, NULL);
    imp_stepper *s = imp_stepper_new(w);
    imp_guard guard[2 * CORNERS];
    corners_of(0, (const double[3]){0.5, 0.5, 0.5}, 0.8, guard);
    corners_of(1, (const double[3]){0.5, 0.5, 0.5}, 0.8, guard + CORNERS);
    for (int i = CORNERS; i < 2 * CORNERS; i++) {
        guard[i].plane = 0;
        guard[i].point[2] = 0.5;
    }
    shuffled list = {.shapes = {.guards = 2 * CORNERS, .guard = guard, .reach = 0.01}};
    imp_settings own;
    imp_blocks_settings blocks = imp_blocks_presets;
    blocks.tolerance = 1e-8;
    blocks.start = 1;
    memcpy(&own, &blocks, sizeof blocks);
    const imp_step_settings settings = {.h = 0.01,
                                        .gravity = {0.3 * g, 0, -g},
                                        .model = imp_model_find(name),
                                        .own = &own,
                                        .detect = detect_shuffled,
                                        .detect_data = &list};
    int first = 0, later = 0;
    bool good = true;
    for (int k = 0; k < 20; k++) {
        good = good && imp_step(s, &settings) == IMP_OK && s->problem.nc == 2 * CORNERS;
        *(k == 0 ? &first : &later) += s->info.iterations;
    }
    ok(good && fabs(w->v[0]) < 1e-6, "%s: two cubes stick on a slope", name);
    ok(first > 5 && later < 19 * first / 10,
       "%s: %d sweeps in the first step, %d in the 19 that go on from the one before", name, first,
       later);
    /* a guess is no more than that: where nothing pushes, nothing answers */
    imp_step_settings weightless = settings;
    memset(weightless.gravity, 0, sizeof weightless.gravity);
    memset(w->v, 0, (size_t)w->nv * sizeof *w->v);
    good = imp_step(s, &weightless) == IMP_OK;
    double most = 0;
    for (int i = 0; i < 3 * s->problem.nc; i++)
        most = tap_worst(most, fabs(s->p[i]));
    ok(good && s->problem.nc == 2 * CORNERS && most < 1e-6,
       "%s: and none without weight, largest impulse %g", name, most);
    imp_shapes_clear(&list.shapes);
    imp_stepper_free(s);
    imp_world_free(w);
}

/* Contacts of other bodies, as many as in the step before: the problem of a stepper that has seen
 * neither, to the bit. */
static void test_other_bodies(void) {
    enum { N = 4, LISTS = 5 };
    static const int pairs[LISTS][2][2] = {{{IMP_GROUND, 0}, {1, 2}},
                                           {{IMP_GROUND, 1}, {0, 2}},
                                           {{0, 3}, {1, 2}},
                                           {{0, 3}, {3, 2}},
                                           {{IMP_GROUND, 3}, {IMP_GROUND, 0}}};
    imp_link links[N];
    double position[3 * N] = {0};
    for (int i = 0; i < N; i++) {
        links[i] = solid(1 + i, 4e-3, 5e-3, 6e-3);
        position[3 * i] = i;
    }
    imp_world *w = imp_world_of_bodies(N, links, position, NULL);
    for (int i = 0; i < 6 * N; i++)
        w->v[i] = i % 6 < 3 ? 0.1 * i : 0;
    imp_stepper *s = imp_stepper_new(w);
    int same = 0;
    for (int l = 0; l < 2 * LISTS; l++) { /* each twice in a row */
        imp_nearby_list list = {0};
        for (int i = 0; i < 2; i++) {
            imp_nearby near = {.mu = 0.5, .pair = i, .gap = 0.1};
            near.contact = (imp_contact){.a = pairs[l / 2][i][0], .b = pairs[l / 2][i][1]};
            near.contact.point[1] = 0.5;
            imp_frame_from_normal((double[]){0.6, 0, 0.8}, near.contact.frame);
            imp_nearby_add(&list, &near);
        }
        const imp_step_settings settings = {.h = 1e-3,
                                            .detect = list_random,
                                            .detect_data = &list,
                                            .model = &imp_model_gauss_seidel_coulomb};
        imp_stepper *fresh = imp_stepper_new(w);
        double W[36], want[36], q[6];
        bool good = imp_step_prepare(fresh, &settings) == IMP_OK;
        imp_problem_dense(&fresh->problem, want);
        memcpy(q, fresh->problem.q, sizeof q);
        good = good && imp_step_prepare(s, &settings) == IMP_OK;
        imp_problem_dense(&s->problem, W);
        const size_t in_J = (size_t)s->J.start[6];
        same += good && memcmp(W, want, sizeof W) == 0 && s->J.start[6] == fresh->J.start[6] &&
                memcmp(q, s->problem.q, sizeof q) == 0 &&
                memcmp(s->J.row, fresh->J.row, in_J * sizeof *s->J.row) == 0 &&
                memcmp(s->J.value, fresh->J.value, in_J * sizeof *s->J.value) == 0;
        imp_stepper_free(fresh);
        imp_nearby_clear(&list);
    }
    ok(same == 2 * LISTS, "contacts of other bodies are posed as for the first time: %d of %d",
       same, 2 * LISTS);
    imp_stepper_free(s);
    imp_world_free(w);
}

enum { PLAINLY, SAVED, REFUSED, WAYS };

/* Heaps whose steps go on from the impulses of the last one do so in the same sweeps, to the same
 * bits, also where these were read and saved once more, or where a step was refused in between. */
static void test_guess_kept(void) {
    const double force[GEN_WORLD_NV] = {NAN};
    int heaps = 0, same[WAYS] = {0};
    for (uint64_t k = 0; k < 30; k++) {
        gen_world worlds[WAYS];
        imp_shapes shapes[WAYS];
        imp_step_settings settings[WAYS];
        imp_stepper *s[WAYS];
        imp_blocks_settings blocks = imp_blocks_presets;
        imp_settings own;
        bool good = true;
        blocks.start = 1;
        memcpy(&own, &blocks, sizeof blocks);
        for (int way = 0; way < WAYS; way++) {
            worlds[way] = gen_world_make(GEN_WORLD_HEAP, k);
            s[way] = gen_world_open(&worlds[way], &shapes[way], &settings[way]);
            settings[way].model = &imp_model_gauss_seidel_coulomb;
            settings[way].own = &own;
        }
        for (int n = 0; n < 40; n++)
            good = good && imp_step(s[PLAINLY], &settings[PLAINLY]) >= 0 &&
                   imp_step(s[REFUSED], &settings[REFUSED]) >= 0;
        FILE *file = tmpfile(), *other = tmpfile();
        imp_step_settings bad = settings[REFUSED];
        bad.force = force;
        good = good && file && other && imp_stepper_save(s[PLAINLY], file) == IMP_OK;
        for (int way = 0; way < WAYS && good; way++) {
            rewind(file);
            if (way == SAVED)
                good = imp_stepper_load(s[way], file) == IMP_OK &&
                       imp_stepper_save(s[way], other) == IMP_OK;
            if (way == REFUSED) good = imp_step(s[way], &bad) == IMP_NOT_FINITE;
            good = good && imp_step(s[way], &settings[way]) >= 0;
        }
        const bool heap = s[PLAINLY]->problem.nc > 0;
        heaps += heap;
        for (int way = SAVED; way < WAYS; way++)
            same[way] += heap && good && s[way]->info.iterations == s[PLAINLY]->info.iterations &&
                         memcmp(s[way]->world->v, s[PLAINLY]->world->v,
                                (size_t)s[way]->world->nv * sizeof *force) == 0;
        for (int way = 0; way < WAYS; way++) {
            imp_world *w = s[way]->world;
            imp_shapes_clear(&shapes[way]);
            imp_stepper_free(s[way]);
            imp_world_free(w);
        }
        if (file) fclose(file);
        if (other) fclose(other);
    }
    ok(heaps > 10 && same[SAVED] == heaps, "saved once more, %d of %d heaps go on with their guess",
       same[SAVED], heaps);
    ok(same[REFUSED] == heaps, "and after a step that was refused: %d", same[REFUSED]);
}

int main(void) {
    test_list();
    test_heap("drumwright");
    test_heap("anitescu");
    test_problem();
    test_other_bodies();
    test_going_on("auto");
    test_going_on("gauss-seidel-coulomb");
    test_guess_kept();
    return tap_done();
}
