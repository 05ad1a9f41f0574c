/* experiments.c - the table of experiments: a new one is one file, NAME.c, and its line here. */
#include "benchmarks/experiments/experiments.h"

#include <stddef.h>

#define EXPERIMENTS(X)                                                                             \
    X(p_tab1)                                                                                      \
    X(p_fig1)                                                                                      \
    X(p_fig2)                                                                                      \
    X(p_search)                                                                                    \
    X(p_fig3)                                                                                      \
    X(p_fig4)                                                                                      \
    X(p_fig5)                                                                                      \
    X(p_rod)                                                                                       \
    X(p_tab2)                                                                                      \
    X(p_fig7)                                                                                      \
    X(p_fig8)                                                                                      \
    X(p_fig9)                                                                                      \
    X(p_fig10)                                                                                     \
    X(p_event)                                                                                     \
    X(p_diff)                                                                                      \
    X(p_order)                                                                                     \
    X(p_select)                                                                                    \
    X(p_limit)                                                                                     \
    X(p_graze)                                                                                     \
    X(p_accel)                                                                                     \
    X(p_open)                                                                                      \
    X(d_fig2)                                                                                      \
    X(d_fig3)                                                                                      \
    X(d_fig4)                                                                                      \
    X(d_fig5)                                                                                      \
    X(d_impulse)                                                                                   \
    X(d_size)                                                                                      \
    X(d_fig8)                                                                                      \
    X(d_fig9)                                                                                      \
    X(d_app)                                                                                       \
    X(d_rest)                                                                                      \
    X(d_rub)                                                                                       \
    X(m_fig2)                                                                                      \
    X(m_thesis)                                                                                    \
    X(m_fig4)                                                                                      \
    X(m_2d)                                                                                        \
    X(m_box)                                                                                       \
    X(u_fig2)                                                                                      \
    X(u_fig6)                                                                                      \
    X(u_fig8)                                                                                      \
    X(u_fig9)                                                                                      \
    X(u_fig10)                                                                                     \
    X(u_fig12)                                                                                     \
    X(u_fig13)                                                                                     \
    X(u_fig14)                                                                                     \
    X(u_fig15)                                                                                     \
    X(u_order)                                                                                     \
    X(u_active)                                                                                    \
    X(u_budget)                                                                                    \
    X(u_load)                                                                                      \
    X(u_static)                                                                                    \
    X(u_joint)                                                                                     \
    X(u_event)                                                                                     \
    X(u_stop)                                                                                      \
    X(u_loop)                                                                                      \
    X(l_rows)                                                                                      \
    X(l_rock)                                                                                      \
    X(u_sweep)                                                                                     \
    X(x_matrix)                                                                                    \
    X(x_drawn)                                                                                     \
    X(x_real)                                                                                      \
    X(x_oblique)                                                                                   \
    X(x_count)                                                                                     \
    X(b_fclib)                                                                                     \
    X(b_converge)                                                                                  \
    X(b_cost)                                                                                      \
    X(b_work)                                                                                      \
    X(b_friction)                                                                                  \
    X(b_scenes)

#define DECLARE(name) extern const experiment experiment_##name;
EXPERIMENTS(DECLARE)

#define ENTRY(name) {&experiment_##name, "benchmarks/experiments/" #name ".c"},
const report_entry experiments[] = {EXPERIMENTS(ENTRY){NULL, NULL}};
