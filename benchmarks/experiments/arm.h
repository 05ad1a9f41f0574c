/* arm.h - the eight-joint arm with friction in its joints, and two ways to step it. */
#ifndef ARM_H
#define ARM_H

#include "benchmarks/harness/report.h"
#include "impact.h"

enum { ARM_JOINTS = 8, ARM_BICEP = 2 };

extern const double arm_start[ARM_JOINTS]; /* rad */
extern const double arm_gravity[3];        /* m/s^2 */

/* The arm of benchmarks/scenes/arm.json at its start, at rest; NULL where that cannot be read, or
 * without memory. */
imp_world *arm_new(void);

typedef enum arm_method {
    /* friction impulses of least kinetic energy, Drumwright and Shell's QP4, by the library's
     * stepper */
    ARM_QP4,
    ARM_EQ6 /* explicit torques -(mu_c sgn qd + mu_v qd), their Eq. 6 */
} arm_method;

/* What is seen of the arm every `every` seconds, the start included. */
typedef struct arm_sample {
    double t, q[ARM_JOINTS], qd[ARM_JOINTS], energy;
} arm_sample;

/* Steps the arm to t = 2 s with steps of h; sample (room for 2 / every + 1) is filled until
 * velocities are no longer finite; returns how many. most (may be NULL): the largest |qd| seen,
 * rad/s; still (may be NULL): the largest |q - start|, rad; gain (may be NULL): the largest rise of
 * energy in a step, J. */
int arm_run(arm_method method, double h, double mu_c, double mu_v, double every, arm_sample *sample,
            double *most, double *still, double *gain);

/* max over the reference's samples (every 0.05 s) of |q - reference| of joint j, rad; j < 0: of all
 * joints. NaN where the run ended before t = 2, or without a reference. Samples are 0.01 s
 * apart. */
double arm_error(const arm_sample *sample, int count, const arm_sample *reference, int references,
                 int j);

/* reference (room for 41) <- the rows of reference/data/NAME.tsv; how many, 0 where it cannot be
 * read. */
int arm_reference(const char *name, arm_sample *reference);

#define ARM_COLUMNS "series\tt_s:10\tq_rad:10\tqd_rad_per_s:10"

/* The rows `t, bicep angle, bicep rate` of a run under a series name, up to where the rate exceeds
 * 1e3 rad/s. */
void arm_write(report_rows *table, const char *series, const arm_sample *sample, int count);

enum { ARM_SAMPLES = 201 };

/* Every fourth sample as a block of a table x, y, z (m) of its own (motion.h): the joints from the
 * shoulder to the hand, and an empty line before each claw. */
void arm_write_poses(report_rows *table, const arm_sample *sample, int count);

#endif
