/* contacts.h - the contacts of a step (Preclik 2017, eq. 5: u_n + xi/dt >= 0), in octets by
 * colour. */
#ifndef IMP_GRANULAR_CONTACTS_H
#define IMP_GRANULAR_CONTACTS_H

#include "granular/list.h"

/* WIDTH contacts of one colour, by rows. Lanes behind the last contact are idle: both their bodies
 * are one that rests, with the impulse 0. */
typedef struct octet {
    _Alignas(64) double n[3][WIDTH]; /* from a to b */
    double bias[WIDTH];              /* m/s: u_n + bias >= 0 */
    double p[3][WIDTH];              /* N s on b */
    int a[WIDTH], b[WIDTH];          /* bodies */
} octet;

/* The same in single precision, impulses over the unit of mass, m/s. */
typedef struct single_octet {
    _Alignas(32) float n[3][WIDTH];
    float bias[WIDTH];
    float p[3][WIDTH];
    int a[WIDTH], b[WIDTH];
} single_octet;

/* The contacts of a brick. */
typedef struct brick_contacts {
    int count[COLOURS];       /* of each colour */
    int octet_start[COLOURS]; /* first octet of each colour */
    octet *octet;
    single_octet *single;      /* instead, in single precision */
    int room;                  /* of the one that is there */
    imp_granular_report found; /* their numbers, penetration and shape_impulse */
    bool failed;               /* no memory */
} brick_contacts;

/* Contacts in an octet of that colour, and octets of it. */
static inline int width_of(int colour) {
    return colour == PAIR_COLOURS - 1 ? 1 : WIDTH;
}
static inline int octets_of(const brick_contacts *c, int colour) {
    return width_of(colour) == 1 ? c->count[colour] : (c->count[colour] + WIDTH - 1) / WIDTH;
}

/* How far contacts are looked for. */
typedef struct reach {
    double pair, shape; /* m: the largest gap at which a candidate can be a contact of this step */
} reach;

/* Where contacts are looked for. */
typedef struct touch_search {
    const imp_granular_settings *set;
    const bodies *bodies;
    const surfaces *walls;
    list *list;
    brick_contacts *contacts; /* of each brick */
    reach reach;
    /* kg, next to the mass of the lightest particle, so that squares of impulses over it neither
     * over- nor underflow in single precision; a power of two, by which they lose no digits, and
     * the same on all ranks, as what is below the least float is lost; 0: double precision */
    double mass_unit;
} touch_search;

/* Which candidates are contacts in this step, with their bodies' velocities as they are; the
 * impulses of the last step, warmed, are the first guess. false: no memory. */
bool imp_contacts_find(touch_search *of);
/* Keeps the impulses of the octets for the next step, and counts those that are loaded. */
void imp_contacts_keep(touch_search *of);
/* Adds what the contacts of all bricks count. */
void imp_contacts_report(const brick_contacts *c, const list *l, imp_granular_report *r);
/* imp_granular_contacts. */
int imp_contacts_tell(const list *l, const bodies *b, const surfaces *walls,
                      imp_granular_contact *to, int room);

#endif
