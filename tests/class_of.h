/* class_of.h - a class of drawn problems by its name. */
#ifndef CLASS_OF_H
#define CLASS_OF_H

#include "generators/fresh.h"

#include <string.h>

/* The name is one of fresh_classes. */
static const fresh_class *class_of(const char *name) {
    const fresh_class *c = fresh_classes;
    while (strcmp(c->name, name) != 0)
        c++;
    return c;
}

#endif
