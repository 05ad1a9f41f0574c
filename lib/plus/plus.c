/* plus.c - PLUS: an impact as rounds of compression and expansion, these as intervals of sliding
 * and rolling.
 *
 * Uchida, Sherman, Delp (2015), sections 2 and 3, Algorithm 2. What the paper leaves open or prints
 * wrongly:
 * - compressing are the contacts that approach and do not expand (Algorithm 1 omits that others
 *   observe);
 * - pi_exp <- (1 - alpha) pi_exp and pi_acc <- pi_acc + e alpha pi_comp (Algorithm 2 omits alpha in
 *   the second);
 * - the impact ends when no contact approaches beyond rounding ("v_z > 0" never holds for e = 0);
 * - e_k is evaluated at the start of each round;
 * - interval lengths: plus_step.h; impending slip: plus_impending.c; ties and the active set:
 *   plus_active.c;
 * - a contact without friction, or without a push, has no slip direction to follow and limits no
 *   interval;
 * - impacts without restitution between contacts that exchange rounds die out like a geometric
 *   series: after many rounds, approaches that have no restitution are stopped together, with all
 *   contacts compressing.
 *
 * The relatives of PLUS that the paper compares with share all this:
 * - single-phase (Fig. 14, row C): all contacts, whatever their velocities, take part in one
 *   compression, which goes on until none approaches; then those that were pushed expand, once.
 *   Intervals and e_k as in PLUS;
 * - poisson: the same with each phase a single interval (the "single-interval strategy" of section
 *   4a) and the problem's e at every speed. Friction opposes the slip at the end of the interval,
 *   eq. (2.9), second line, at every contact;
 * - newton: one such interval that takes contacts to u_n = -e q_n, 0 where they did not approach,
 *   if they push, and to that or more if they do not (the "kinematic hypothesis" of section 2c). It
 *   can create energy. */
#include "base/finite.h"
#include "linear/factored.h"
#include "plus/plus_step.h"

#include <stddef.h>
#include <string.h>

/* intervals: no answer any more, and each takes all searches there are */
enum { MOST_UNSOLVED = 50 };

/* Do only approaches without restitution remain, of a wave that has had its rounds? */
static bool fades(const plus *s, int round) {
    bool fading = s->variant == PLUS && round > PLUS_WAVE_ROUNDS * (s->nc + 1);
    for (int i = 0; i < s->nc && fading; i++)
        fading = s->phase[i] == 'O' || (s->phase[i] == 'C' && s->restitution[i] == 0);
    return fading;
}

/* Phases of a round; true when some contact takes part. */
static bool start_round(plus *s, int round) {
    bool any = false;
    const bool pushed = !imp_all_zero(s->p, (size_t)s->n);
    for (int i = 0; i < s->nc; i++) {
        const bool expands = s->pushing[i] > 0;
        const bool compresses =
            !expands && (s->variant == PLUS ? imp_plus_approaches(s, i, pushed) : round == 1);
        const double approach = -s->v[3 * i] * s->velocity_unit;
        s->phase[i] = expands ? 'X' : compresses ? 'C' : 'O';
        s->restitution[i] = imp_plus_restitution(s->settings, s->e ? s->e[i] : 0,
                                                 s->variant == PLUS ? approach : fmax(0, approach));
        s->pushed[i] = s->pushing[i];
        s->pushing[i] = 0;
        if (s->variant == NEWTON) s->aim[3 * i] = s->restitution[i] * fmax(0, -s->v[3 * i]);
        any = any || s->phase[i] != 'O';
    }
    if (any && fades(s, round)) { /* the round stops all approaches at once */
        memset(s->phase, 'C', (size_t)s->nc);
        memset(s->restitution, 0, (size_t)s->nc * sizeof *s->restitution);
    }
    return any;
}

/* Does contact i slide, by an impulse? One that is active may still push nothing. */
static bool slides(const plus *s, int i) {
    return s->motion[i] == 's' && s->pi[3 * i] != 0;
}

/* Share of the impulse that every sliding contact allows. */
static imp_plus_interval measure(const plus *s, int round) {
    imp_plus_interval result = {round, 1, IMP_END_PHASE, -1};
    for (int i = 0; i < s->nc; i++) {
        if (!slides(s, i)) continue;
        imp_interval_end end;
        const double alpha =
            imp_plus_step(&s->limits, s->v + 3 * i + 1, s->Wpi + 3 * i + 1, 1, &end);
        if (alpha < result.alpha) result = (imp_plus_interval){round, alpha, end, i};
    }
    return result;
}

/* sum += 0 x over n entries: NaN where one of x is not finite. */
static inline __attribute__((always_inline)) double vanish(int n, const double *x) {
    double sum[4] = {0};
    int k = 0;
    for (; k + 3 < n; k += 4)
        for (int j = 0; j < 4; j++)
            sum[j] += 0 * x[k + j];
    for (; k < n; k++)
        sum[0] += 0 * x[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* p and v (n each) after a share alpha of the interval's impulse; false where that leaves the range
 * of double. */
static inline __attribute__((always_inline)) bool step(plus *s, int n, double alpha) {
    const double *restrict Wpi = s->Wpi, *p = s->p, *v = s->v;
    double *restrict pi = s->pi, *restrict next = s->next;
    for (int k = 0; k < n; k++) {
        next[k] = p[k] + alpha * pi[k];
        next[n + k] = v[k] + alpha * Wpi[k];
    }
    if (vanish(2 * n, next) != 0) return false;
    for (int k = 0; k < n; k++)
        pi[k] *= alpha;
    s->next = s->p;
    s->p = next;
    s->v = next + n;
    s->fastest = plus_largest(s->v, n);
    return true;
}

/* False, with p and v as they were, where the interval's impulse leaves the range of double. */
static bool advance(plus *s, double alpha) {
    if (!(s->n == PLUS_FACE ? step(s, PLUS_FACE, alpha) : step(s, s->n, alpha))) return false;
    for (int i = 0; i < s->nc; i++) {
        if (s->phase[i] == 'X') s->pushed[i] *= 1 - alpha;
        if (s->phase[i] == 'C' && s->variant != NEWTON)
            s->pushing[i] += s->restitution[i] * s->pi[3 * i];
    }
    return true;
}

/* Appends the interval to a path: its impulse in N s. A compressing contact that does not push has
 * no motion. */
static imp_status extend(imp_path *path, plus *s, imp_plus_interval interval) {
    double *pi = s->settled;
    memcpy(pi, s->pi, (size_t)s->n * sizeof *pi);
    const imp_status scaled = imp_plus_unscale(pi, s->n, s->impulse_exponent);
    if (scaled != IMP_OK) return scaled;
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'C' && !s->active[i]) s->motion[i] = '-';
    return imp_path_add(path, s->nc, interval.round, interval.alpha, pi, s->phase, s->motion);
}

static void keep(imp_plus_history *history, const plus *s, imp_plus_interval interval) {
    const size_t at = (size_t)history->count++, nc = (size_t)s->nc, n = (size_t)s->n;
    if (history->count > history->capacity) return;
    if (history->interval) history->interval[at] = interval;
    if (history->phase) memcpy(history->phase + at * nc, s->phase, nc);
    for (size_t i = 0; history->motion && i < nc; i++)
        history->motion[at * nc + i] = s->phase[i] == 'C' && !s->active[i] ? '-' : s->motion[i];
    if (history->e) memcpy(history->e + at * nc, s->restitution, nc * sizeof *history->e);
    for (size_t k = 0; k < n; k++) {
        if (history->pi) history->pi[at * n + k] = s->pi[k] * s->impulse_unit;
        if (history->v) history->v[at * n + k] = s->v[k] * s->velocity_unit;
    }
}

/* The static coefficient, where there is one, is that of contacts which have not slipped yet. */
static void let_go(plus *s, bool begins) {
    if (s->settings->static_ratio == 1) return;
    for (int i = 0; i < s->nc; i++) {
        const double t = s->v[3 * i + 1], o = s->v[3 * i + 2];
        const bool slips = begins
                               ? t * t + o * o >= s->limits.v_transition2
                               : s->motion[i] == 'i' && (s->pi[3 * i] != 0 || s->phase[i] == 'X');
        if (slips) s->hold[i] = s->mu[i];
    }
}

static bool pushes(const plus *s) {
    for (int k = 0; k < s->n; k++)
        if (fabs(s->pi[k]) > 0) return true;
    return false;
}

/* One interval: is the phase complete with it? *pushed: did anything push? */
static imp_status go_on(plus *s, int round, plus_record record, imp_info *info, bool *complete,
                        bool *pushed) {
    let_go(s, true);
    imp_plus_choose(s);
    let_go(s, false);
    const bool jams = !pushes(s) && imp_plus_jam(s);
    const imp_plus_interval interval = measure(s, round);
    if (!advance(s, interval.alpha)) return IMP_OVERFLOW;
    info->intervals++;
    if (record.history) keep(record.history, s, interval);
    *pushed = pushes(s);
    *complete =
        interval.alpha == 1 && !jams && !(s->variant == SINGLE_PHASE && imp_plus_approaching(s));
    return record.path ? extend(record.path, s, interval) : IMP_OK;
}

/* The rounds, Algorithm 2. */
static imp_status impact(plus *s, plus_record record, imp_info *info) {
    const int last = s->variant == PLUS ? INT_MAX : s->variant == NEWTON ? 1 : 2;
    int unsolved = 0;
    for (int round = 1; round <= last && start_round(s, round); round++) {
        if (round > s->limits.rounds) return IMP_NOT_CONVERGED;
        info->rounds = round;
        bool any = false;
        for (bool complete = false, pushed; !complete;) {
            if (info->intervals >= s->limits.intervals || s->effort > s->limits.effort ||
                plus_cancelled(s))
                return IMP_NOT_CONVERGED;
            const imp_status status = go_on(s, round, record, info, &complete, &pushed);
            if (status != IMP_OK) return status;
            any = any || pushed;
            unsolved += s->unsolved;
            /* the next one would be the same */
            if (!pushed && (s->unsolved || !complete)) return IMP_NO_SOLUTION;
            if (unsolved > MOST_UNSOLVED) return IMP_NO_SOLUTION;
        }
        if (s->variant == POISSON && imp_plus_approaching(s)) return IMP_NO_SOLUTION;
        if (!any) break; /* the next round would be the same */
    }
    const bool pushed = !imp_all_zero(s->p, (size_t)s->n);
    for (int i = 0; (s->variant == PLUS || s->variant == NEWTON) && i < s->nc; i++)
        if (imp_plus_approaches(s, i, pushed)) return IMP_NO_SOLUTION;
    return unsolved > 0 ? IMP_NO_SOLUTION : IMP_OK;
}

imp_status imp_plus_run(plus_variant variant, const imp_problem *problem,
                        const imp_plus_settings *settings, double *p, void *work,
                        plus_record record, imp_info *info) {
    imp_info ignored;
    plus s; /* as a whole it would be cleared as slowly as four contacts are looked at */
    if (!info) info = &ignored;
    if (record.history) record.history->count = 0;
    *info = (imp_info){0};
    if (!imp_plus_settings_good(settings)) return IMP_BAD_ARGUMENT;
    if (problem->nc > PLUS_MOST_CONTACTS) return IMP_UNSUPPORTED;
    if (settings->active_set == IMP_EXHAUSTIVE && problem->nc > PLUS_EXHAUSTIVE_CONTACTS)
        return IMP_UNSUPPORTED;
    s.settings = settings;
    s.variant = variant;
    s.cancel = record.cancel;
    if (!imp_plus_take(&s, problem, work)) return IMP_NO_MEMORY;
    s.limits = imp_plus_limits_of(settings, s.nc, s.velocity_unit);
    /* no slip is followed */
    if (variant == POISSON || variant == NEWTON) s.limits.v_transition2 = INFINITY;
    imp_status status = impact(&s, record, info);
    if (status < 0) return status;
    /* searches that were ended have found none, and say nothing of those that there are */
    if (status == IMP_NO_SOLUTION && plus_cancelled(&s)) status = IMP_NOT_CONVERGED;
    const imp_status scaled = imp_plus_unscale(s.p, s.n, s.impulse_exponent);
    memcpy(p, s.p, (size_t)s.n * sizeof *p);
    return scaled == IMP_OK ? status : scaled;
}

imp_status imp_plus_run_any(const imp_problem *problem, const imp_plus_settings *settings,
                            double *p, void *work, plus_record record, imp_info *info) {
    const bool leans = imp_plus_settings_good(settings) && settings->static_ratio > 1;
    if (problem->nc > 1 || leans || imp_operator_singular(problem->W, 3))
        return imp_plus_run(PLUS, problem, settings, p, work, record, info);
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    return imp_plus_run_single(W, problem->q, problem->mu[0], problem->e ? problem->e[0] : 0,
                               settings, p, record, info);
}

imp_status imp_plus(const imp_problem *problem, const imp_plus_settings *settings, double *p,
                    void *work, imp_plus_history *history, imp_info *info) {
    return imp_plus_run_any(problem, settings, p, work, (plus_record){.history = history}, info);
}
