/* whole_scenes.h - two scenes that have of each kind of object, and of its keys, one. */
#ifndef WHOLE_SCENES_H
#define WHOLE_SCENES_H

/* With an impact. */
static const char impact_scene[] =
    "{\"kind\": \"scene\", \"title\": \"t\", \"source\": \"s\", \"gravity\": [0, 0, -9.81],\n"
    " \"material\": {\"stiffness\": 1e9, \"dissipation\": 0.1, \"friction\": 0.3,\n"
    "  \"static_friction\": 0.4, \"viscous_friction\": 0.1, \"tangential_compliance\": 0},\n"
    " \"transition\": 0.01,\n"
    " \"ground\": [{\"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"material\": {}}],\n"
    " \"bodies\": {\n"
    "  \"ball\": {\"mass\": 1, \"ball\": 0.1, \"clearance\": 0.1, \"position\": [0, 0, 0],\n"
    "   \"velocity\": [0, 0, -1], \"spin\": [0, 0, 0], \"turns\": [[\"x\", 10]],\n"
    "   \"com\": [0, 0, 0], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]],\n"
    "   \"material\": {}}]},\n"
    "  \"brick\": {\"mass\": 1, \"box\": [0.1, 0.2, 0.3], \"position\": [9, 0, 9],\n"
    "   \"orientation\": [1, 0, 0, 0], \"spheres\": [{\"radius\": 0.01, \"at\": \"corners\"}]},\n"
    "  \"slab\": {\"mass\": 1, \"box\": [0.1, 0.2, 0.3], \"rounding\": 0.01,\n"
    "   \"position\": [20, 0, 9]},\n"
    "  \"rod\": {\"mass\": 1, \"cylinder\": [0.1, 0.5], \"position\": [30, 0, 9]},\n"
    "  \"arm\": {\"mass\": 1, \"inertia\": [1, 1, 1], \"joint\": \"revolute\",\n"
    "   \"parent\": \"ground\", \"at\": [40, 0, 9], \"axis\": [0, 0, 2], \"angle\": 10,\n"
    "   \"rate\": 1},\n"
    "  \"hand\": {\"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
    "   \"joint\": \"slider\", \"parent\": \"arm\", \"at\": [1, 0, 0], \"axis\": [1, 0, 0],\n"
    "   \"displacement\": 0.1, \"rate\": 0, \"friction\": 0, \"viscous_friction\": 0},\n"
    "  \"nail\": {\"mass\": 1, \"ball\": 0.1, \"joint\": \"weld\", \"parent\": \"hand\",\n"
    "   \"at\": [1, 0, 0]}},\n"
    " \"joints\": [{\"joint\": \"ball\", \"a\": \"rod\", \"b\": \"slab\", \"at\": [0, 0, 0],\n"
    "   \"meets\": [10, 0, 0]},\n"
    "  {\"joint\": \"revolute\", \"a\": \"ground\", \"b\": \"rod\", \"at\": [30, 0, 9],\n"
    "   \"axis\": [0, 0, 1], \"friction\": 0, \"viscous_friction\": 0}],\n"
    " \"run\": {\"until\": 1, \"apart\": 0.1, \"accuracy\": 1e-9, \"stepper\": \"rkf45\",\n"
    "  \"max_step\": 1, \"max_steps\": 1000},\n"
    " \"impact\": {\"proximity\": 1e-6, \"restitution\": 0.5, \"settings\": {\"plus\": {}}}}\n";

/* By steps. */
static const char steps_scene[] =
    "{\"kind\": \"scene\", \"title\": \"t\", \"source\": \"s\", \"gravity\": [0, 0, -9.81],\n"
    " \"material\": {\"friction\": 0.3}, \"ground\": [{}],\n"
    " \"bodies\": {\"pin\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0, 0, 1]},\n"
    "  \"holder\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0, 0, 1]}},\n"
    " \"lattice\": {\"radius\": 0.1, \"density\": 1000, \"across\": [2, 2], \"count\": 5,\n"
    "  \"spacing\": 1, \"bottom\": 5, \"jitter\": 0.1, \"seed\": 1},\n"
    " \"contacts\": [{\"body\": \"pin\", \"at\": [[0, 0, -0.1]], \"radius\": 0.01,\n"
    "  \"against\": \"ground\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"friction\": 0.1,\n"
    "  \"viscous_friction\": 0, \"restitution\": 0}],\n"
    " \"bores\": {\"facets\": 6, \"clearance\": 0.01, \"list\": [{\"pin\": \"pin\",\n"
    "  \"at\": [0, 0, 0], \"holder\": \"holder\", \"centre\": [0, 0, 0], \"plane\": \"xy\",\n"
    "  \"thrust\": true}]},\n"
    " \"step\": {\"h\": 0.01, \"until\": 1, \"model\": \"plus\", \"settings\": {}, \"reach\": 1,\n"
    "  \"ahead\": 0, \"push_out\": 0, \"late\": false, \"load\": {\"pin\": [0, 0, 0, 0, 0, 0]},\n"
    "  \"joint_friction\": \"qp4\"}}\n";

#endif
