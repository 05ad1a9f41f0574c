/* oblique.h - the oblique impact of a contact that gives along its surface, by the incremental rule
 * in very many small steps. */
#ifndef REFERENCE_OBLIQUE_H
#define REFERENCE_OBLIQUE_H

typedef struct oblique_impact {
    double stiffness;   /* N/m^1.5, Hertz: the elastic force is stiffness x^1.5 */
    double dissipation; /* s/m, Hunt and Crossley's */
    double mu, give;    /* friction; normal over tangential stiffness */
    double tangential;  /* 1/kg, inverse mass along the surface; 1 kg along the normal */
    double slip;        /* m/s; the approach is 1 m/s */
} oblique_impact;

/* m/s, the slip after the impact: the force grows by k_t times the slip's way, shrinks with k_t
 * while the contact eases, and is cut at Coulomb's bound (Mindlin, Deresiewicz 1953, without
 * micro-slip; Thornton, Cummins, Cleary 2011). The normal and tangential motions are not coupled.
 * Its error is first order in 1 / steps. */
double oblique_increments(const oblique_impact *impact, long steps);

#endif
