/* order_events.h - event-driven integration beside a pendulum that bounces, in closed form. */
#ifndef ORDER_EVENTS_H
#define ORDER_EVENTS_H

#include "benchmarks/experiments/hops.h"
#include "benchmarks/harness/report.h"
#include "scene/scene.h"

/* benchmarks/scenes/swing.json, the caller's to clear. On false a failing row says why. */
bool order_open(report *r, scene *s);

/* Its motion with this restitution in closed form. */
hops order_pendulum(const scene *s, double e);

/* Rows and the table "p_order_events": errors and orders of its phases. */
void order_events(report *r, scene *s, const hops *exact);

#endif
