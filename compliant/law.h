/* law.h - the compliant force law of two surfaces: Hertz or a linear spring, Hunt and Crossley,
 * Stribeck or tangential compliance (grip.h).
 *
 * Source: Uchida, Sherman, Delp (2015), eqs. 4.1-4.2 and the friction curve they take from Sherman,
 * Seth, Delp (2011), fig. 5. Each surface brings its own modulus and coefficients; how two combine
 * follows the latter. Two linear springs act in series, and so do tangential compliances. */
#ifndef COMPLIANT_LAW_H
#define COMPLIANT_LAW_H

/* One surface. */
typedef struct compliant_material {
    double stiffness;   /* Pa, plane strain modulus, > 0 */
    double dissipation; /* s/m, Hunt and Crossley's, >= 0 */
    double mu_static;   /* friction, >= mu_dynamic */
    double mu_dynamic;  /* >= 0 */
    double mu_viscous;  /* s/m, >= 0 */
    double spring;      /* N/m, > 0: linear along the normal; 0: Hertz, by the modulus */
    /* tangential compliance over the normal one, >= 0; 0: none, friction is Stribeck's */
    double give;
} compliant_material;

/* Two surfaces in contact, A and B. */
typedef struct compliant_law {
    double stiffness;   /* N/m^power, the elastic force is stiffness x^power */
    double power;       /* 3/2: Hertz; 1: linear */
    double dissipation; /* s/m */
    double share;       /* how much of the penetration is A's deformation, in (0, 1) */
    double mu_static, mu_dynamic, mu_viscous;
    double transition; /* m/s, slip at which friction reaches mu_static */
    double give;       /* normal over tangential stiffness, 0: Stribeck's friction */
} compliant_law;

/* The law of two surfaces of the relative curvature radius R (m): the sphere's radius on a plane,
 * r1 r2 / (r1 + r2) for two spheres. Linear where both surfaces are. Nothing gives where nothing
 * rubs (mu_dynamic = 0). Thread-safe, as all here. */
compliant_law compliant_law_of(const compliant_material *a, const compliant_material *b,
                               double radius, double transition);

/* N, elastic force at penetration x (m), 0 for x <= 0; and the energy it stores, J. */
double compliant_elastic(const compliant_law *law, double x);
double compliant_stored(const compliant_law *law, double x);

/* N, normal force at penetration x (m) and rate (m/s): elastic (1 + 3/2 c rate), never
 * attractive. */
double compliant_normal(const compliant_law *law, double x, double rate);

/* m, the depth that stores the energy of a mass (kg) at a speed (m/s); the depth at which the
 * elastic force is `force` (N, >= 0). */
double compliant_stopping_depth(const compliant_law *law, double mass, double speed);
double compliant_resting_depth(const compliant_law *law, double force);

/* Friction coefficient at the slip speed (m/s, >= 0): zero at rest, mu_static at the transition,
 * mu_dynamic from three times that on, joined by quintic steps, plus the viscous part. */
double compliant_friction(const compliant_law *law, double speed);

/* The restitution e = -u_n'/u_n of a central impact at the speed v (m/s) with dissipation c (s/m),
 * in the limit of infinite stiffness: the root in (0, 1] of a v (1 + e) = ln((1 + a v) / (1 - a v
 * e)), a = 3/2 c. */
double compliant_restitution(double dissipation, double speed);

#endif
