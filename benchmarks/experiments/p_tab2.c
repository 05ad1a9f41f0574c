/* p_tab2.c - Preclik, Eibl, Ruede (2017), Table 2: the key figures of the channel, and what the printed numbers say
 * about its set-up. */
#include "benchmarks/experiments/channel.h"

#include <math.h>
#include <string.h>

static void set_up_rows(report *r) {
    imp_flow f;
    if (imp_flow_read("benchmarks/flows/channel.json", NULL, &f, NULL) != IMP_OK) return;
    const imp_inflow *in = &f.inflow;
    const double R = in->radius, fraction = 100 * 2.47e5 * channel_sphere_volume(&f) / channel_room(&f);
    report_near(r, "2.47e5 spheres in the room: volume fraction, %", 57.2, fraction, 1e-3,
                "0.47 mm is the radius; as a diameter, which the paper prints, it would be 7.1 %");
    report_near(r, "39.1 μm over the radius, %", 8.31, 100 * 39.1e-6 / R, 2e-3, "of 0.47 mm");
    report_near(r, "46.5 μm over the radius, %", 9.89, 100 * 46.5e-6 / R, 2e-3, NULL);
    report_near(r, "inflow, particles per second", 1.4e6,
                in->ny * in->nz / (in->advance / f.shape[in->plane].velocity[0]), 2e-2,
                "layers of 65 × 20 per two radii of travel");
}

/* Both laws from the same start: the bits of all particles after some steps. */
static uint64_t bits_of(imp_granular_law law, imp_flow f, int steps) {
    imp_status status;
    uint64_t hash = 14695981039346656037u;
    f.settings.law = law;
    imp_granular *g = imp_flow_start(&f, false, &status);
    for (int i = 0; g && i < steps && status == IMP_OK; i++)
        status = imp_granular_step(g, NULL);
    for (int i = 0; g && i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        double x[9];
        unsigned char bytes[sizeof x];
        memcpy(x, s.position, sizeof s.position);
        memcpy(x + 3, s.velocity, sizeof s.velocity);
        memcpy(x + 6, s.spin, sizeof s.spin);
        memcpy(bytes, x, sizeof x);
        for (size_t k = 0; k < sizeof x; k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    imp_granular_free(g);
    return g && status == IMP_OK ? hash : (uint64_t)law;
}

static void run(report *r) {
    const channel_result *c = channel_run(r);
    const char *where = report_full(r) ? "the paper's channel" : "the channel at a fifth of its size";
    set_up_rows(r);
    report_judge(r, "the run comes to its end", "", c->good ? "yes" : "no", "", c->good, where);
    if (!c->good) return;
    const char *window = report_text(r, "%s, mean of %d samples from %g to %g s", where, c->samples, c->from, c->until);
    report_shown(r, "particles", "2.47e5", report_text(r, "%.4g", c->mean.particles), window);
    report_shown(r, "volume fraction, %", "57.2", report_text(r, "%.2f", 100 * c->fraction),
                 report_full(r) ? window : "walls 4 diameters apart order the packing and keep spheres away");
    report_shown(r, "contacts per particle (2 nc / N): solved", "2.59", report_text(r, "%.3f", c->mean.contacts),
                 "with look-ahead: gap less the approach of the step below 5 μm");
    report_shown(r, "the same: gap < 0.5 μm", "2.59", report_text(r, "%.3f", c->mean.close),
                 "the preset threshold of the paper's program, if its unit is the metre; the paper does not say");
    report_shown(r, "the same: gap < 0", "2.59", report_text(r, "%.3f", c->mean.touching), NULL);
    report_shown(r, "the same: with an impulse", "2.59", report_text(r, "%.3f", c->mean.loaded), NULL);
    report_shown(r, "deepest penetration of the run, μm", "39.1 and 46.5", report_text(r, "%.3g", 1e6 * c->mean.penetration),
                 report_text(r,
                             "10 sweeps per step, which leave a mean residual of %.2g |g| dt; the two published "
                             "values are of one problem (next row)",
                             c->mean.residual));
    imp_flow f = c->flow;
    const int steps = report_full(r) ? 100 : 300;
    const bool same = bits_of(IMP_GRANULAR_MAXDISS, f, steps) == bits_of(IMP_GRANULAR_COULOMB, f, steps);
    report_judge(r, report_text(r, "both laws, all bits of all particles after %d steps", steps), "",
                 same ? "equal" : "differ", "equal", same,
                 "on spheres W_nt = W_no = 0: both laws are the same problem and have one solution per contact");
}

const experiment experiment_p_tab2 = {
    "P-Tab2", "Granular channel flow: key figures",
    "Particles, volume fraction, contacts and penetration for both laws in the channel. What is printed as the "
    "diameter of the spheres, 0.47 mm, is their radius.",
    run};
