/* gen_stack.c - see gen_stack.h. */
#include "gen_stack.h"

#include "contact/frame.h"

enum { CORNERS = 4 };

/* Corner c of the face that box i stands on. */
static imp_contact corner(int i, int c) {
    const double up[3] = {0, 0, 1}, half = 0.5;
    imp_contact contact = {
        i == 0 ? IMP_GROUND : i - 1, i, {c & 1 ? half : -half, c & 2 ? half : -half, i}, {0}};
    imp_frame_from_normal(up, contact.frame);
    return contact;
}

void gen_stack_of(gen_stream *s, int boxes, const double *mass, double mu, gen_stack *stack) {
    imp_body box[GEN_STACK_BOXES];
    imp_contact contact[GEN_STACK_CONTACTS];
    for (int i = 0; i < boxes; i++) {
        box[i] = (imp_body){.inv_mass = 1 / mass[i],
                            .orientation = {1, 0, 0, 0},
                            .position = {0, 0, i + 0.5},
                            .velocity = {0, 0, -1}};
        for (int r = 0; r < 3; r++) {
            box[i].inv_inertia[4 * r] = 6 / mass[i];
            box[i].velocity[r] += 0.3 * gen_normal(s);
            box[i].spin[r] = 0.2 * gen_normal(s);
        }
        for (int c = 0; c < CORNERS; c++) {
            contact[CORNERS * i + c] = corner(i, c);
            stack->mu[CORNERS * i + c] = mu;
        }
    }
    stack->nc = CORNERS * boxes;
    (void)imp_delassus_dense(boxes, box, stack->nc, contact, stack->W, stack->q);
}
