/* rubbing_scene.h - a scene of 50 steps in which a ball slides and rolls while a joint rubs. */
#ifndef RUBBING_SCENE_H
#define RUBBING_SCENE_H

static const char rubbing_scene[] =
    "{\"kind\": \"scene\", \"title\": \"\", \"gravity\": [0, 0, -10], \"material\":"
    "{\"stiffness\": 1e6, \"friction\": 0.3}, \"ground\": [{\"point\": [0, 0, 0], \"normal\":"
    "[0, 0, 1]}], \"bodies\": {\"rod\": {\"mass\": 2, \"inertia\": [0.01, 0.06, 0.06], \"joint\":"
    "\"revolute\", \"parent\": \"ground\", \"at\": [0, 0, 5], \"axis\": [0, 1, 0], \"com\":"
    "[0.3, 0, 0], \"angle\": 90, \"rate\": 3, \"friction\": 0.75}, \"ball\": {\"mass\": 1,"
    "\"inertia\": [1, 1, 1], \"position\": [0, 0, 0.1], \"velocity\": [1, 0, 0],"
    "\"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}}, \"run\": {\"until\": 0.01, "
    "\"max_steps\": 50}}";

#endif
