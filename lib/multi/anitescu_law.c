/* anitescu_law.c - the certificate of the friction pyramid.
 *
 * Anitescu, Potra (1997). With D the directions of the edges, friction lies in the polygon with corners mu p_n d_k,
 * whose sides have the normals half way between; the LCP's conditions on beta and lambda are equivalent to friction
 * giving the most power against the velocity after the impact, p_to . u_to = -mu p_n max_k (-d_k . u_to). */
#include "multi/anitescu.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

/* The largest of v . direction over `count` directions at angles 2 pi (k + shift) / count. */
static double support(const double v[2], int count, double shift) {
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        const double angle = 2 * pi * (k + shift) / count;
        most = fmax(most, v[0] * cos(angle) + v[1] * sin(angle));
    }
    return most;
}

static void certify_contact(const imp_local *c, int edges, bool inelastic, int i, imp_certificate *result) {
    double u[3];
    for (int r = 0; r < 3; r++)
        u[r] = c->A[3 * r] * c->p[0] + c->A[3 * r + 1] * c->p[1] + c->A[3 * r + 2] * c->p[2] + c->v[r];
    const double slip_size = hypot(c->size[1], c->size[2]), limit = c->mu * c->p[0];
    const double push = fmax(c->push, fmax(fabs(c->p[0]), hypot(c->p[1], c->p[2])));
    const double approach = c->size[0] > 0 ? fmax(0, -u[0]) / c->size[0] : 0;
    const double pull = push > 0 ? fmax(0, -c->p[0]) / push : 0;
    const double used = support(c->p + 1, edges, 0.5) / cos(pi / edges); /* the pyramid this friction fills */
    const double lean = fmax(c->push, fmax(used, fabs(limit)));          /* what friction is compared with */
    imp_certificate_note(result, "signorini", fmax(approach, pull), i);
    imp_certificate_note(result, "cone", lean > 0 ? fmax(0, used - limit) / lean : 0, i);
    if (!inelastic) return;
    const double both = c->size[0] > 0 ? fmin(fabs(u[0]), c->A[0] * fabs(c->p[0])) / c->size[0] : 0;
    double idle = 0; /* power friction leaves unused, over the most it could have */
    if (limit > 0 && slip_size > 0) {
        const double back[2] = {-u[1], -u[2]};
        const double power = (c->p[1] / lean) * u[1] + (c->p[2] / lean) * u[2];
        idle = fabs(power + limit / lean * fmax(0, support(back, edges, 0))) / slip_size;
    }
    imp_certificate_note(result, "restitution", both, i);
    imp_certificate_note(result, "slip", idle, i);
}

static imp_status certify(const imp_problem *problem, const void *settings, const double *p, const imp_path *path,
                          imp_certificate *result) {
    (void)path;
    const int edges = settings ? (int)((const imp_anitescu_settings *)settings)->edges : 4;
    bool inelastic = true;
    for (int i = 0; i < problem->nc; i++)
        inelastic = inelastic && (!problem->e || problem->e[i] == 0);
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        certify_contact(&local, edges, inelastic, i, result);
    }
    return IMP_OK;
}

const imp_law imp_law_pyramid = {
    .name = "pyramid",
    .statement =
        "no penetration, no adhesion, complementary; friction in the pyramid, of the most power against the slip",
    .certify = certify,
    .may_gain = 1};
