/* step_guess.c - the impulses of the last step as a first guess of the next, contact by contact.
 *
 * A contact is known again by its pair of shapes; its impulse is kept in the world's axes, since
 * the contact frame turns with the bodies. */
#include "multibody/step_internal.h"

#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

static int by_pair(const void *a, const void *b) {
    const long long x = ((const imp_step_push *)a)->pair, y = ((const imp_step_push *)b)->pair;
    return (x > y) - (x < y);
}

bool imp_step_remember(imp_stepper *s) {
    imp_step_store *store = s->store;
    const int count = s->problem.nc;
    if (store->kept) return true;
    store->pushes = 0;
    if (count > 0 && !imp_step_grow(&store->pushed, (size_t)count * sizeof(imp_step_push)))
        return false;
    imp_step_push *push = store->pushed.at;
    store->pushes = count;
    store->kept = true;
    for (int i = 0; i < count; i++) {
        const double *frame = s->near.item[i].contact.frame, *p = s->p + 3 * (size_t)i;
        push[i].pair = s->near.item[i].pair;
        apply3_transposed(frame, p, push[i].impulse);
    }
    bool ascend = true; /* as they do but for those that came late */
    for (int i = 1; i < count; i++)
        ascend = ascend && push[i - 1].pair < push[i].pair;
    if (!ascend) qsort(push, (size_t)count, sizeof *push, by_pair);
    return true;
}

void imp_step_recall(imp_stepper *s) {
    const imp_step_store *store = s->store;
    memset(s->p, 0, 3 * (size_t)s->near.count * sizeof *s->p);
    if (store->pushes == 0) return;
    /* most often a contact stands behind the one it stood behind */
    const imp_step_push *all = store->pushed.at, *end = all + store->pushes, *next = all;
    for (int i = 0; i < s->near.count; i++) {
        const imp_step_push wanted = {.pair = s->near.item[i].pair};
        const imp_step_push *push =
            next < end && next->pair == wanted.pair
                ? next
                : bsearch(&wanted, all, (size_t)store->pushes, sizeof *all, by_pair);
        if (!push) continue;
        apply3(s->near.item[i].contact.frame, push->impulse, s->p + 3 * (size_t)i);
        next = push + 1;
    }
}

imp_status imp_stepper_save(imp_stepper *s, FILE *file) {
    const imp_world *w = s->world;
    imp_step_store *store = s->store;
    if (!imp_step_remember(s)) return IMP_NO_MEMORY;
    const int head[3] = {w->nq, w->nv, store->pushes};
    fwrite(head, sizeof head, 1, file);
    fwrite(w->q, sizeof *w->q, (size_t)w->nq, file);
    fwrite(w->v, sizeof *w->v, (size_t)w->nv, file);
    if (store->pushes > 0)
        fwrite(store->pushed.at, sizeof(imp_step_push), (size_t)store->pushes, file);
    return ferror(file) ? IMP_IO : IMP_OK;
}

/* By and by: the count of a damaged file may be beyond all memory. */
static imp_status read_pushes(imp_step_memory *to, size_t count, FILE *file) {
    enum { FIRST = 1024 };
    for (size_t have = 0, next; have < count; have = next) {
        next = count - have < FIRST + have ? count : FIRST + 2 * have;
        if (next * sizeof(imp_step_push) > to->bytes) {
            void *more = realloc(to->at, next * sizeof(imp_step_push));
            if (!more) return IMP_NO_MEMORY;
            to->at = more;
            to->bytes = next * sizeof(imp_step_push);
        }
        imp_step_push *at = (imp_step_push *)to->at + have;
        if (fread(at, sizeof *at, next - have, file) != next - have) return IMP_IO;
    }
    return IMP_OK;
}

imp_status imp_stepper_load(imp_stepper *s, FILE *file) {
    const imp_world *w = s->world;
    imp_step_store *store = s->store;
    int head[3];
    if (fread(head, sizeof head, 1, file) != 1 || head[0] != w->nq || head[1] != w->nv ||
        head[2] < 0 || fread(w->q, sizeof *w->q, (size_t)w->nq, file) != (size_t)w->nq ||
        fread(w->v, sizeof *w->v, (size_t)w->nv, file) != (size_t)w->nv)
        return IMP_IO;
    const imp_status status = read_pushes(&store->pushed, (size_t)head[2], file);
    if (status != IMP_OK) return status;
    store->pushes = head[2];
    store->kept = true;
    imp_world_place(s->world);
    return IMP_OK;
}
