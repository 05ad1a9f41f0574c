/* joint_friction.h - dry and viscous friction in the joints of a mechanism, on its joint-space
 * inertia. */
#ifndef IMP_JOINT_FRICTION_H
#define IMP_JOINT_FRICTION_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Bytes of workspace for n joints. */
size_t imp_joint_friction_workspace(int n);

/* Friction impulses of n joints over a time step: x minimises 1/2 x'H^-1 x + x'free over |x_i| <=
 * bound_i, and the new velocity is free + H^-1 x (Drumwright, Shell 2010, QP4, in velocity form). H
 * (n x n, row-major, kg m^2 or kg): joint-space inertia, symmetric positive definite; free_velocity
 * (n, rad/s or m/s): new velocity without friction, `free` above; bound (n, N m s or N s, >= 0): h
 * (mu_c + mu_v |velocity|), see imp_joint_friction_bound. x, velocity (n). IMP_OK: the unique
 * answer: a joint either moves with x_i = -bound_i sign(velocity_i), or has velocity exactly 0 and
 * |x_i| <= bound_i, up to rounding of the solve. IMP_NOT_CONVERGED: the cap on exchanges (100 + 10
 * n) was met; the last x within its bounds, and the velocity that it gives. IMP_BAD_ARGUMENT,
 * IMP_NOT_FINITE (H free or the answer, too), IMP_BAD_FRICTION (a bound < 0), IMP_NOT_POSITIVE (H
 * of the joints that were let move; where all are held at once it is not looked at): outputs
 * untouched. info (may be NULL): iterations, sets of moving joints tried, each the factorisation of
 * its part of H. work: imp_joint_friction_workspace bytes. Does not allocate. Thread-safe. */
imp_status imp_joint_friction(int n, const double *H, const double *free_velocity,
                              const double *bound, double *x, double *velocity, void *work,
                              imp_info *info);

/* bound (n) <- h (mu_c + mu_v |velocity|): Coulomb torque mu_c (n, N m), viscous coefficient mu_v
 * (n, N m s) and the velocity (n, rad/s) at the start of the step of length h (s). Thread-safe. */
void imp_joint_friction_bound(int n, double h, const double *mu_c, const double *mu_v,
                              const double *velocity, double *bound);

IMP_PUBLIC_END

#endif
