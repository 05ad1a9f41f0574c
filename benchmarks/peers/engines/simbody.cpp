/* simbody.cpp - PLUS by its authors' own program (Simbody 3.7, PLUSImpulseSolver; Debian:
 * libsimbody-dev) and by ours, on the paper's brick: the same W, q, mu and restitution, the same 30
 * degrees, the solver calls alone.
 *
 * Simbody's call takes W, and is made once for compression and once for expansion, as its time
 * stepper does. Debian's library is built without NDEBUG: its assertions and debug output cost most
 * of its time; and a driver built with NDEBUG against it corrupts memory. Its words on standard
 * output are thrown away while it runs. */
#include <Simbody.h>

extern "C" {
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "generators/gen_uchida.h"
}

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

using SimTK::Array_;
using SimTK::ImpulseSolver;
using SimTK::MultiplierIndex;

namespace {

enum { REPEATS = 200 };

double now_ns() {
    return double(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

/* Standard output goes nowhere while one of these lives. */
struct Quiet {
    int kept;
    Quiet() {
        std::fflush(stdout);
        kept = dup(1);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        close(nowhere);
    }
    ~Quiet() {
        std::fflush(stdout);
        std::cout.flush();
        dup2(kept, 1);
        close(kept);
    }
};

/* What Simbody's solver is called with, for the contacts of a scene. */
struct Call {
    SimTK::Matrix A;
    SimTK::Vector D, start, applied, expand, pi;
    Array_<MultiplierIndex> participating, expanding;
    Array_<ImpulseSolver::UncondRT> unconditional;
    Array_<ImpulseSolver::UniContactRT> contacts;
    Array_<ImpulseSolver::UniSpeedRT> speeds;
    Array_<ImpulseSolver::BoundedRT> bounded;
    Array_<ImpulseSolver::ConstraintLtdFrictionRT> constraint;
    Array_<ImpulseSolver::StateLtdFrictionRT> limited;

    explicit Call(const uchida_scene &s)
        : A(3 * s.nc, 3 * s.nc), D(3 * s.nc, 0.0), start(3 * s.nc) {
        for (int i = 0; i < 3 * s.nc; i++) {
            start[i] = s.q[i];
            for (int j = 0; j < 3 * s.nc; j++)
                A(i, j) = s.W[3 * s.nc * i + j];
        }
        applied.resize(3 * s.nc);
        expand.resize(3 * s.nc);
        applied = 0;
        expand = 0;
        for (int i = 0; i < s.nc; i++) {
            ImpulseSolver::UniContactRT c;
            c.m_slipMag = 0;
            c.m_Nk = MultiplierIndex(3 * i);
            c.m_Fk.push_back(MultiplierIndex(3 * i + 1));
            c.m_Fk.push_back(MultiplierIndex(3 * i + 2));
            c.m_effMu = s.mu[i];
            contacts.push_back(c);
        }
    }

    /* Compression; or expansion with the impulses in `expand`. What it returns is false however
     * well it went; the velocities it leaves in `start` are what is judged. */
    void solve(const SimTK::PLUSImpulseSolver &solver, bool expansion) {
        participating.clear();
        expanding.clear();
        for (auto &c : contacts) {
            c.m_type = expansion ? ImpulseSolver::Known : ImpulseSolver::Participating;
            (expansion ? expanding : participating).push_back(c.m_Nk);
            participating.push_back(c.m_Fk[0]);
            participating.push_back(c.m_Fk[1]);
        }
        (void)solver.solve(expansion, participating, A, D, expanding, expand, start, applied, pi,
                           unconditional, contacts, speeds, bounded, constraint, limited);
    }
};

/* u <- the velocities after; returns ns. */
double by_simbody(const uchida_scene &s, double e, double transition, double *u) {
    const Quiet quiet;
    const SimTK::PLUSImpulseSolver solver(transition);
    double least = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        Call call(s);
        const double from = now_ns();
        call.solve(solver, false);
        const double compression = now_ns() - from;
        for (const auto &c : call.contacts)
            call.expand[c.m_Nk] = e * call.pi[c.m_Nk];
        const double again = now_ns();
        call.solve(solver, true);
        least = std::fmin(least, compression + now_ns() - again);
        for (int i = 0; i < 3 * s.nc; i++)
            u[i] = call.start[i];
    }
    return least;
}

double by_impact(const uchida_scene &s, const imp_plus_settings &settings, double *u,
                 int *intervals) {
    const double *W = s.W, packed[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
    double p[3] = {0, 0, 0}, least = INFINITY;
    imp_info info = {};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int calls = 20;
        const double from = now_ns();
        for (int k = 0; k < calls; k++)
            (void)imp_plus_single(packed, s.q, s.mu[0], s.e[0], &settings, p, nullptr, &info);
        least = std::fmin(least, (now_ns() - from) / calls);
    }
    for (int i = 0; i < 3; i++)
        u[i] = s.q[i] + W[3 * i] * p[0] + W[3 * i + 1] * p[1] + W[3 * i + 2] * p[2];
    *intervals = info.intervals;
    return least;
}

double distance(const double *a, const double *b, const double *scale) {
    const double size = std::hypot(std::hypot(scale[0], scale[1]), scale[2]);
    return std::hypot(std::hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / size;
}

} // namespace

const usage about = {
    "simbody",
    "",
    0,
    "PLUS by its authors' own program (Simbody) and by ours, on the paper's brick: the same W, q, "
    "mu "
    "and restitution, the\n"
    "same 30 degrees, the solver calls alone. Rows: question, case, solver, ns, error, percent "
    "failed, and a remark.\n"
    "Exit 2: bad use.\n",
    NULL,
    NULL,
    NULL,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const double cases[3][2] = {{0.125, 0.392}, {0.225, 0.387}, {0.325, 0.373}}, /* mu, e */
        v[3] = {-5, 0, -5.74};
    for (const auto &c : cases) {
        const uchida_scene s = uchida_vertex(c[0], c[1], v);
        imp_plus_settings settings = imp_plus_settings_default();
        double ours[3], theirs[3] = {NAN, NAN, NAN};
        int intervals = 0;
        settings.theta_max = std::acos(-1) / 6;
        const double ns = by_impact(s, settings, ours, &intervals),
                     peer = by_simbody(s, c[1], settings.v_transition, theirs),
                     apart = distance(ours, theirs, s.q);
        const int failed = apart <= 1e-9 ? 0 : 100; /* percent */
        std::printf("PLUS on the brick\tmu = %.3f, %d intervals\timpact, plus\t%.4g\t%.2g\t%d\t\n",
                    c[0], intervals, ns, apart, failed);
        std::printf("PLUS on the brick\tmu = %.3f, %d intervals\tSimbody 3.7, Debian's build with "
                    "assertions\t%.4g\t%.2g\t%d\t\n",
                    c[0], intervals, peer, apart, failed);
    }
    return 0;
}
