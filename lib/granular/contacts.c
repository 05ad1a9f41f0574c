/* contacts.c - from candidates to the contacts of a step.
 *
 * The candidates of a colour go through in runs; what touches is collected in rows as long as a run
 * and moved from there into octets, WIDTH at a time. */
#define IMP_ONE_LANE
#include "granular/touching_lanes.h"

#include "base/machine.h"
#include "granular/work.h"

#include <math.h>

/* Counts in step with each other, so that the compiler can take several gaps at once. */
static void count(imp_granular_report *r, const double *gap, int n) {
    double deepest = r->penetration;
    int overlap = 0, close = 0;
    for (int l = 0; l < n; l++) {
        overlap += gap[l] < 0;
        close += gap[l] < 0.5e-6;
        deepest = -gap[l] > deepest ? -gap[l] : deepest;
    }
    r->contacts += n;
    r->touching += overlap;
    r->close += close;
    r->penetration = deepest;
}

/* An octet of the first n <= WIDTH of those that touch from `from` on, the other lanes idle. */
static void fill_octet(const imp_granular_settings *set, const touching *t, int from, int n,
                       int idle, octet *to) {
    const double per_step = 1 / set->step, erp = set->erp;
    for (int x = 0; x < 3; x++) {
        memcpy(to->n[x], t->n[x] + from, sizeof to->n[x]);
        memcpy(to->p[x], t->p[x] + from, sizeof to->p[x]);
    }
    for (int l = 0; l < WIDTH; l++) {
        const double gap = t->gap[from + l];
        to->bias[l] = gap * per_step * (gap < 0 ? erp : 1);
    }
    memcpy(to->a, t->a + from, sizeof to->a);
    memcpy(to->b, t->b + from, sizeof to->b);
    for (int l = n; l < WIDTH; l++) {
        for (int x = 0; x < 3; x++)
            to->n[x][l] = to->p[x][l] = 0;
        to->bias[l] = 0;
        to->a[l] = to->b[l] = idle;
    }
}

static void narrow(const octet *from, double mass_unit, single_octet *to) {
    const double per_unit = 1 / mass_unit;
    for (int x = 0; x < 3; x++)
        for (int l = 0; l < WIDTH; l++) {
            to->n[x][l] = (float)from->n[x][l];
            to->p[x][l] = (float)(from->p[x][l] * per_unit);
        }
    for (int l = 0; l < WIDTH; l++)
        to->bias[l] = (float)from->bias[l];
    memcpy(to->a, from->a, sizeof to->a);
    memcpy(to->b, from->b, sizeof to->b);
}

static void add_octet(touching *t, int from, int n) {
    const int idle = t->first_static + t->of->walls->n, at = t->octets++;
    if (t->of->mass_unit > 0) {
        octet wide;
        fill_octet(t->of->set, t, from, n, idle, &wide);
        narrow(&wide, t->of->mass_unit, &t->to->single[at]);
    } else {
        fill_octet(t->of->set, t, from, n, idle, &t->to->octet[at]);
    }
    count(&t->to->found, t->gap + from, n);
}

static bool reserve(const touch_search *of, brick_contacts *c, int octets) {
    return of->mass_unit > 0 ? imp_grow(&c->single, &c->room, octets, sizeof *c->single)
                             : imp_grow(&c->octet, &c->room, octets, sizeof *c->octet);
}

/* Moves what has come together into octets of `width`; a last one that is not full only at the end
 * of a colour. */
static void pack(touching *t, int width, bool last) {
    int from = 0;
    for (; t->count - from >= width; from += width)
        add_octet(t, from, width);
    if (last && t->count > from) add_octet(t, from, t->count - from);
    t->count = last ? 0 : t->count - from;
    for (int l = 0; l < t->count; l++) {
        for (int x = 0; x < 3; x++) {
            t->n[x][l] = t->n[x][from + l];
            t->p[x][l] = t->p[x][from + l];
        }
        t->gap[l] = t->gap[from + l];
        t->a[l] = t->a[from + l];
        t->b[l] = t->b[from + l];
    }
}

/* The contacts among the candidates of one colour. false: no memory. */
static bool find_colour(touching *t, imp_find *search, int colour) {
    const int begin = t->from->start[colour], end = t->from->start[colour + 1],
              before = t->to->found.contacts;
    t->to->octet_start[colour] = t->octets;
    if (!reserve(t->of, t->to, t->octets + end - begin)) return false;
    for (int i = begin; i < end; i += RUN) {
        const int next = end - i < RUN ? end : i + RUN;
        search(t, i, next);
        pack(t, width_of(colour), next == end);
    }
    t->to->count[colour] = t->to->found.contacts - before;
    return true;
}

static void find_in_brick(void *context, int k) {
    const touch_search *of = context;
    const imp_granular_settings *set = of->set;
    imp_find *pairs = set->simd && imp_find_avx512 && imp_machine_has(8) ? imp_find_avx512 : find;
    brick_contacts *to = &of->contacts[k];
    touching t;
    t.of = of;
    t.from = &of->list->brick[k];
    t.to = to;
    t.first_static = static_body(of->bodies, of->walls, k, 0);
    t.warm = set->warm / handed_out(set->blend);
    t.octets = t.count = t.old = 0;
    /* octets are made from whole vectors of it, also behind the last contact */
    memset(t.gap, 0, sizeof t.gap);
    to->found = (imp_granular_report){0};
    to->failed = false;
    for (int c = 0; c < COLOURS && !to->failed; c++)
        to->failed = !find_colour(&t, c < PAIR_COLOURS ? pairs : find, c);
    /* Their impulses replace the old ones at the end of the step. */
    to->failed = to->failed || !imp_candidates_reserve(t.from, to->found.contacts);
}

bool imp_contacts_find(touch_search *of) {
    bool good = true;
    imp_list_each(of->list, of->set->threads, find_in_brick, of);
    for (int k = 0; k < of->list->bricks; k++)
        good = good && !of->contacts[k].failed;
    return good;
}

/* The impulses of an octet are kept for the next step, those of a shape also in its account; idle
 * lanes have none. Where sweeps are damped, the bodies have got the share `blend` of what the octet
 * holds. */
static void keep(candidates *c, const octet *k, int at, double share, double *account) {
    for (int x = 0; x < 3; x++) {
        double *kept = c->impulse + (size_t)x * c->impulse_room + at;
        for (int l = 0; l < WIDTH; l++)
            kept[l] = share * k->p[x][l];
        for (int l = 0; account && l < WIDTH; l++)
            account[x] += kept[l];
    }
}

static int loaded(const octet *k) {
    int n = 0;
    for (int l = 0; l < WIDTH; l++)
        n += k->p[0][l] * k->n[0][l] + k->p[1][l] * k->n[1][l] + k->p[2][l] * k->n[2][l] > 0;
    return n;
}

/* The normals and impulses of an octet, which single precision puts into `wide`. */
static const octet *octet_at(const touch_search *of, const brick_contacts *c, int at, octet *wide) {
    if (!(of->mass_unit > 0)) return &c->octet[at];
    const single_octet *k = &c->single[at];
    for (int x = 0; x < 3; x++)
        for (int l = 0; l < WIDTH; l++) {
            wide->n[x][l] = k->n[x][l];
            wide->p[x][l] = k->p[x][l] * of->mass_unit;
        }
    return wide;
}

static void keep_brick(void *context, int brick) {
    const touch_search *of = context;
    brick_contacts *from = &of->contacts[brick];
    const double share = handed_out(of->set->blend);
    int kept = 0;
    octet wide;
    for (int c = 0; c < COLOURS; c++) {
        double *account = c < PAIR_COLOURS ? NULL : from->found.shape_impulse[c - PAIR_COLOURS];
        for (int i = 0; i < octets_of(from, c); i++) {
            const octet *k = octet_at(of, from, from->octet_start[c] + i, &wide);
            from->found.loaded += loaded(k);
            keep(&of->list->brick[brick], k, kept + i * width_of(c), share, account);
        }
        kept += from->count[c];
    }
}

void imp_contacts_keep(touch_search *of) {
    imp_list_each(of->list, of->set->threads, keep_brick, of);
}

void imp_contacts_report(const brick_contacts *c, const list *l, imp_granular_report *r) {
    for (int k = 0; k < l->bricks; k++) {
        const imp_granular_report *one = &c[k].found;
        r->contacts += one->contacts;
        r->touching += one->touching;
        r->close += one->close;
        r->loaded += one->loaded;
        r->penetration = fmax(r->penetration, one->penetration);
        for (int i = 0; i < IMP_SHAPES; i++)
            for (int x = 0; x < 3; x++)
                r->shape_impulse[i][x] += one->shape_impulse[i][x];
    }
}

int imp_contacts_tell(const list *l, const bodies *b, const surfaces *walls,
                      imp_granular_contact *to, int room) {
    const touch_search everywhere = {.bodies = b, .walls = walls, .reach = {INFINITY, INFINITY}};
    int found = 0;
    for (int k = 0; k < l->bricks; k++) {
        const candidates *c = &l->brick[k];
        for (int i = 0, at = 0; i < c->pairs; i++) {
            if (!c->live[i]) continue;
            if (found < room) {
                imp_granular_contact *one = &to[found];
                one->a = c->pair[i].a;
                one->b = c->pair[i].b;
                within(&everywhere, &c->pair[i], 1, one->normal, &one->gap);
                impulse_get(c, at, one->impulse);
            }
            found++;
            at++;
        }
    }
    return found;
}
