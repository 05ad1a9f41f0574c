/* test_scene_wrong.c - every key of a scene with what it cannot be: each is refused by its path in
 * one line, of a scene that is whole without it. */
#include "scene/steps.h"
#include "scratch.h"
#include "tap.h"

/* A scene with an impact; what it has of each kind of object is read. */
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

/* One that is stepped. */
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

typedef struct wrong {
    const char *assignment, *complaint; /* NULL: taken */
} wrong;

static const wrong of_impacts[] = {
    {"title=3", "$.title: 3, expected a text"},
    {"source=3", "$.source: 3, expected a text"},
    {"gravity=1", "$.gravity: 1, expected an array of 3 numbers"},
    {"gravity=[0,0]", "$.gravity: an array of 2, expected an array of 3 numbers"},
    {"gravity=[0,0,\"x\"]", "$.gravity[2]: \"x\", expected a number"},
    {"colour=1", "setting: \"colour=1\", expected a setting of a model that is asked or a key of "
                 "the scene, as material.friction=0.3"},
    {"step={}", "$.step: a scene for the time stepper, expected one with an impact to look at"},
    {"material=3", "$.material: 3, expected an object"},
    {"material.stiffness=0", "$.material.stiffness: 0, expected a number > 0"},
    {"material.dissipation=-1", "$.material.dissipation: -1, expected a number >= 0"},
    {"material.friction=-1", "$.material.friction: -1, expected a number >= 0"},
    {"material.static_friction=0.1",
     "$.material.static_friction: 0.10000000000000001, expected a number >= 0.3"},
    {"material.viscous_friction=-1", "$.material.viscous_friction: -1, expected a number >= 0"},
    {"material.linear_stiffness=-1", "$.material.linear_stiffness: -1, expected a number > 0"},
    {"material.tangential_compliance=-1",
     "$.material.tangential_compliance: -1, expected a number >= 0"},
    {"material.tangential_compliance=1",
     "$.material.tangential_compliance: with static_friction or viscous_friction, expected one "
     "coefficient of friction where tangential_compliance is above 0"},
    {"material.colour=1",
     "$.material.colour: unknown key, expected stiffness, dissipation, friction, static_friction, "
     "viscous_friction, linear_stiffness or tangential_compliance"},
    {"transition=0", "$.transition: 0, expected a number > 0"},
    {"ground={}", "$.ground: an object, expected an array"},
    {"ground.0=3", "$.ground[0]: 3, expected an object"},
    {"ground.0.colour=1", "$.ground[0].colour: unknown key, expected point, normal or material"},
    {"ground.0.point=[0,0]", "$.ground[0].point: an array of 2, expected an array of 3 numbers"},
    {"ground.0.normal=3", "$.ground[0].normal: 3, expected an array of 3 numbers"},
    {"ground.0.normal=[0,0,0]", "$.ground[0].normal: an array of 3, expected a direction"},
    {"ground.0.normal=[1e200,0,0]", "$.ground[0].normal: an array of 3, expected a direction"},
    {"ground.0.material=3", "$.ground[0].material: 3, expected an object"},
    {"ground=[]", "$.bodies.ball.clearance: a scene without ground, expected one"},
    {"bodies={}", "$.bodies: an object, expected an object with a body at least"},
    {"bodies=[]", "$.bodies: an array of 0, expected an object with a body at least"},
    {"bodies.ground={}", "$.bodies.ground: a body called ground, expected another name"},
    {"bodies.ball=3", "$.bodies.ball: 3, expected an object"},
    {"bodies.ball.colour=1", "$.bodies.ball.colour: unknown key"},
    {"bodies.ball.joint=3", "$.bodies.ball.joint: 3, expected free, revolute, slider or weld"},
    {"bodies.ball.joint=\"hinge\"",
     "$.bodies.ball.joint: \"hinge\", expected free, revolute, slider or weld"},
    {"bodies.ball.mass=0", "$.bodies.ball.mass: 0, expected a number > 0"},
    {"bodies.ball.mass=\"x\"", "$.bodies.ball.mass: \"x\", expected a number > 0"},
    {"bodies.ball.ball=0", "$.bodies.ball.ball: 0, expected a number > 0"},
    {"bodies.ball.box=[1,1,1]", "$.bodies.ball: expected one of box, ball, cylinder and inertia"},
    {"bodies.ball.clearance=-1", "$.bodies.ball.clearance: -1, expected a number >= 0"},
    {"bodies.ball.spheres=3", "$.bodies.ball.spheres: 3, expected an array"},
    {"bodies.ball.spheres=[3]", "$.bodies.ball.spheres[0]: 3, expected an object"},
    {"bodies.ball.spheres.0.colour=1",
     "$.bodies.ball.spheres[0].colour: unknown key, expected radius, at or material"},
    {"bodies.ball.spheres.0.radius=0", "$.bodies.ball.spheres[0].radius: 0, expected a number > 0"},
    {"bodies.ball.spheres.0.material=3",
     "$.bodies.ball.spheres[0].material: 3, expected an object"},
    {"bodies.ball.spheres.0.at=3", "$.bodies.ball.spheres[0].at: 3, expected an array"},
    {"bodies.ball.spheres.0.at=[3]",
     "$.bodies.ball.spheres[0].at[0]: 3, expected an array of 3 numbers"},
    {"bodies.ball.spheres.0.at=\"middle\"",
     "$.bodies.ball.spheres[0].at: \"middle\", expected corners"},
    {"bodies.ball.spheres.0.at=\"corners\"",
     "$.bodies.ball.spheres[0].at: corners of no box, expected points"},
    {"bodies.ball.position=[0,0]",
     "$.bodies.ball.position: an array of 2, expected an array of 3 numbers"},
    {"bodies.ball.velocity=\"x\"", "$.bodies.ball.velocity: \"x\", expected an array of 3 numbers"},
    {"bodies.ball.spin=[0]", "$.bodies.ball.spin: an array of 1, expected an array of 3 numbers"},
    {"bodies.ball.com=[0]", "$.bodies.ball.com: an array of 1, expected an array of 3 numbers"},
    {"bodies.ball.turns=3", "$.bodies.ball.turns: 3, expected an array"},
    {"bodies.ball.turns=[3]", "$.bodies.ball.turns[0]: 3, expected an array of 2"},
    {"bodies.ball.turns=[[\"x\"]]",
     "$.bodies.ball.turns[0]: an array of 1, expected an array of 2"},
    {"bodies.ball.turns=[[\"w\",1]]", "$.bodies.ball.turns[0][0]: \"w\", expected x, y or z"},
    {"bodies.ball.turns=[[\"x\",\"y\"]]", "$.bodies.ball.turns[0][1]: \"y\", expected a number"},
    {"bodies.ball.orientation=[1,0,0,0]",
     "$.bodies.ball.turns: stands beside orientation, expected one of them"},
    {"bodies.ball.rounding=0.1", "$.bodies.ball.rounding: the body is no box, expected one"},
    {"bodies.brick.orientation=[1,0,0]",
     "$.bodies.brick.orientation: an array of 3, expected an array of 4 numbers"},
    {"bodies.brick.orientation=[1,1,0,0]",
     "$.bodies.brick.orientation: of length 1.41421356, expected a unit quaternion"},
    {"bodies.brick.orientation=[1e200,0,0,0]",
     "$.bodies.brick.orientation: of length inf, expected a unit quaternion"},
    {"bodies.brick.box=3", "$.bodies.brick.box: 3, expected an array of 3"},
    {"bodies.brick.box=[1,1]", "$.bodies.brick.box: an array of 2, expected an array of 3"},
    {"bodies.brick.box=[1,0,1]", "$.bodies.brick.box[1]: 0, expected a number > 0"},
    {"bodies.brick.box=[1e200,1,1]", "$.bodies: no tree of rigid bodies: not-finite"},
    {"bodies.brick.mass=1e308", NULL},
    {"bodies.brick.clearance=0.1", NULL},
    {"bodies.brick.rounding=0.01", "$.bodies.slab.rounding: a second box that touches, expected "
                                   "one: boxes do not meet each other"},
    {"bodies.rod.clearance=0.1", "$.bodies.rod.clearance: the body has no spheres, expected some"},
    {"bodies.slab.rounding=0", "$.bodies.slab.rounding: 0, expected a number > 0"},
    {"bodies.slab.rounding=0.05",
     "$.bodies.slab.rounding: 0.05, expected less than half the shortest side"},
    {"bodies.rod.cylinder=3", "$.bodies.rod.cylinder: 3, expected an array of 2"},
    {"bodies.rod.cylinder=[0.1]", "$.bodies.rod.cylinder: an array of 1, expected an array of 2"},
    {"bodies.rod.cylinder=[0,1]", "$.bodies.rod.cylinder[0]: 0, expected a number > 0"},
    {"bodies.rod.cylinder=[1,0]", "$.bodies.rod.cylinder[1]: 0, expected a number > 0"},
    {"bodies.rod.cylinder=[1e200,1]", "$.bodies: no tree of rigid bodies: not-finite"},
    {"bodies.arm.inertia=3",
     "$.bodies.arm.inertia: 3, expected 3 principal moments or a 3 x 3 matrix"},
    {"bodies.arm.inertia=[1,1]",
     "$.bodies.arm.inertia: an array of 2, expected 3 principal moments or a 3 x 3 matrix"},
    {"bodies.arm.inertia=[1,1,3]",
     "$.bodies.arm.inertia: moments 1, 1, 3, expected none above the sum of the others"},
    {"bodies.arm.inertia=[0,0,0]", "$.bodies.arm.inertia[0]: 0, expected a number > 0"},
    {"bodies.arm.parent=3", "$.bodies.arm.parent: 3, expected a text"},
    {"bodies.arm.parent=\"nail\"",
     "$.bodies.arm.parent: \"nail\", expected \"ground\" or an earlier body"},
    {"bodies.arm.at=[0]", "$.bodies.arm.at: an array of 1, expected an array of 3 numbers"},
    {"bodies.arm.turns=[3]", "$.bodies.arm.turns[0]: 3, expected an array of 2"},
    {"bodies.arm.axis=[0,0]", "$.bodies.arm.axis: an array of 2, expected an array of 3 numbers"},
    {"bodies.arm.axis=[0,0,0]", "$.bodies.arm.axis: an array of 3, expected a direction"},
    {"bodies.arm.axis=[1e200,0,0]", "$.bodies.arm.axis: an array of 3, expected a direction"},
    {"bodies.arm.angle=\"x\"", "$.bodies.arm.angle: \"x\", expected a number"},
    {"bodies.arm.displacement=1", "$.bodies.arm.displacement: unknown key"},
    {"bodies.arm.rate=\"x\"", "$.bodies.arm.rate: \"x\", expected a number"},
    {"bodies.hand.inertia=[[1,0,0],[0,1,0],[0,0,3]]",
     "$.bodies.hand.inertia: a principal moment above the sum of the others, expected none"},
    {"bodies.hand.inertia=[[1,0,0],[0,1,0]]",
     "$.bodies.hand.inertia: an array of 2, expected 3 principal moments or a 3 x 3 matrix"},
    {"bodies.hand.inertia=[[1,0,0],[0,1,0],[0,0,\"x\"]]",
     "$.bodies.hand.inertia[2][2]: \"x\", expected a number"},
    {"bodies.hand.displacement=\"x\"", "$.bodies.hand.displacement: \"x\", expected a number"},
    {"bodies.hand.friction=-1", "$.bodies.hand.friction: -1, expected a number >= 0"},
    {"bodies.hand.friction=1",
     "$.bodies.hand: a joint with friction, which only simulate takes, expected none"},
    {"bodies.hand.viscous_friction=-1",
     "$.bodies.hand.viscous_friction: -1, expected a number >= 0"},
    {"bodies.hand.viscous_friction=1",
     "$.bodies.hand: a joint with friction, which only simulate takes, expected none"},
    {"bodies.nail.axis=[1,0,0]", "$.bodies.nail.axis: unknown key"},
    {"bodies.nail.parent=\"roof\"",
     "$.bodies.nail.parent: \"roof\", expected \"ground\" or an earlier body"},
    {"joints=3", "$.joints: 3, expected an array"},
    {"joints.0=3", "$.joints[0].joint: missing, expected ball, revolute, slider, weld or rolling"},
    {"joints.0.joint=3", "$.joints[0].joint: 3, expected ball, revolute, slider, weld or rolling"},
    {"joints.0.joint=\"glue\"",
     "$.joints[0].joint: \"glue\", expected ball, revolute, slider, weld or rolling"},
    {"joints.0.colour=1", "$.joints[0].colour: unknown key, expected joint, a, b, at or meets"},
    {"joints.0.a=3", "$.joints[0].a: 3, expected a text"},
    {"joints.0.a=\"roof\"", "$.joints[0].a: \"roof\", expected \"ground\" or the name of a body"},
    {"joints.0.b=\"rod\"", "$.joints[0].b: the same as a, expected another"},
    {"joints.0.at=3", "$.joints[0].at: 3, expected an array of 3 numbers"},
    {"joints.0.meets=3", "$.joints[0].meets: 3, expected an array of 3 numbers"},
    {"joints.1.axis=[0,0,0]", "$.joints[1].axis: an array of 3, expected a direction"},
    {"joints.1.axis=[0,0]", "$.joints[1].axis: an array of 2, expected an array of 3 numbers"},
    {"joints.1.axis=[1e200,0,0]", NULL},
    {"joints.1.friction=-1", "$.joints[1].friction: -1, expected a number >= 0"},
    {"joints.1.friction=1",
     "$.joints[1]: a joint with friction, which only simulate takes, expected none"},
    {"joints.1.viscous_friction=1",
     "$.joints[1]: a joint with friction, which only simulate takes, expected none"},
    {"joints.1.viscous_friction=-1", "$.joints[1].viscous_friction: -1, expected a number >= 0"},
    {"joints=[]", NULL},
    {"joints.1={\"joint\":\"rolling\",\"a\":\"ground\",\"b\":\"ball\"}",
     "$.joints[1].radius: missing, expected a number > 0"},
    {"joints.1={\"joint\":\"rolling\",\"a\":\"ground\",\"b\":\"ball\",\"radius\":0.1,\"centre\":3}",
     "$.joints[1].centre: 3, expected an array of 3 numbers"},
    {"joints.1={\"joint\":\"rolling\",\"a\":\"ground\",\"b\":\"ball\",\"radius\":0.1,\"normal\":3}",
     "$.joints[1].normal: 3, expected an array of 3 numbers"},
    {"joints.1={\"joint\":\"rolling\",\"a\":\"ground\",\"b\":\"ball\",\"radius\":0.1,\"normal\":[0,"
     "0,0]}",
     "$.joints[1].normal: an array of 3, expected a direction"},
    {"joints.0.meets=[11,5,0]",
     "$.joints: joints that no near pose closes, expected bodies that reach them"},
    {"run=3", "$.run: 3, expected an object"},
    {"run.colour=1",
     "$.run.colour: unknown key, expected until, apart, accuracy, stepper, max_step or max_steps"},
    {"run.until=0", "$.run.until: 0, expected a number > 0"},
    {"run.apart=-1", "$.run.apart: -1, expected a number >= 0"},
    {"run.accuracy=1", "$.run.accuracy: 1, expected a number from 1e-13 to 0.1"},
    {"run.stepper=3",
     "$.run.stepper: 3, expected rk8pd, rkf45, merson, semi-explicit-euler or implicit-euler"},
    {"run.stepper=\"euler\"", "$.run.stepper: \"euler\", expected rk8pd, rkf45, merson, "
                              "semi-explicit-euler or implicit-euler"},
    {"run.max_step=0", "$.run.max_step: 0, expected a number > 0"},
    {"run.max_steps=0", "$.run.max_steps: 0, expected a whole number from 1 to 1000000000"},
    {"run.max_steps=1.5", "$.run.max_steps: 1.5, expected a whole number from 1 to 1000000000"},
    {"impact=3", "$.impact: 3, expected an object"},
    {"impact.colour=1",
     "$.impact.colour: unknown key, expected proximity, restitution or settings"},
    {"impact.proximity=-1", "$.impact.proximity: -1, expected a number >= 0"},
    {"impact.restitution=2", "$.impact.restitution: 2, expected a number from 0 to 1"},
    {"impact.settings=3", "$.impact.settings: 3, expected an object of model names"},
    {"impact.settings.magic={}",
     "$.impact.settings.magic: unknown model, expected one of impact models"},
    {"impact.settings.plus=3", "$.impact.settings.plus: 3, expected an object"},
    {"impact.settings.plus.theta_max=\"x\"",
     "$.impact.settings.plus.theta_max: \"x\", expected a number from 1e-05 to 1.5"},
    {"joints.1.b=3", "$.joints[1].b: 3, expected a text"},
    {"joints.0.meets=[0,0]", "$.joints[0].meets: an array of 2, expected an array of 3 numbers"},
    {"bodies.ball.clearance=\"x\"", "$.bodies.ball.clearance: \"x\", expected a number >= 0"},
    {"run.apart=\"x\"", "$.run.apart: \"x\", expected a number >= 0"},
    {"bodies.brick.orientation=\"x\"",
     "$.bodies.brick.orientation: \"x\", expected an array of 4 numbers"},
    {"transition=\"x\"", "$.transition: \"x\", expected a number > 0"},
};

static const wrong of_steps[] = {
    {"title=3", "$.title: 3, expected a text"},
    {"source=3", "$.source: 3, expected a text"},
    {"gravity=1", "$.gravity: 1, expected an array of 3 numbers"},
    {"colour=1", "setting: \"colour=1\", expected a setting of a model that is asked or a key of "
                 "the scene, as material.friction=0.3"},
    {"run={}", "$.run: unknown key, expected kind, title, source, gravity, material, ground, "
               "bodies, joints, lattice, contacts, bores, step or variants"},
    {"material=3", "$.material: 3, expected an object"},
    {"ground=3", "$.ground: 3, expected an array"},
    {"bodies=3", "$.bodies: 3, expected an object with a body at least"},
    {"bodies=null", "$.bodies: null, expected an object with a body at least"},
    {"lattice=3", "$.lattice: 3, expected an object"},
    {"lattice.radius=0", "$.lattice.radius: 0, expected a number > 0"},
    {"lattice.density=0", "$.lattice.density: 0, expected a number > 0"},
    {"lattice.across=3", "$.lattice.across: 3, expected an array of 2"},
    {"lattice.across=[1]", "$.lattice.across: an array of 1, expected an array of 2"},
    {"lattice.across=[0,1]", "$.lattice.across[0]: 0, expected a whole number from 1 to 1000"},
    {"lattice.across=[1,1001]",
     "$.lattice.across[1]: 1001, expected a whole number from 1 to 1000"},
    {"lattice.count=0", "$.lattice.count: 0, expected a whole number from 1 to 100000"},
    {"lattice.spacing=0", "$.lattice.spacing: 0, expected a number > 0"},
    {"lattice.bottom=\"x\"", "$.lattice.bottom: \"x\", expected a number"},
    {"lattice.jitter=-1", "$.lattice.jitter: -1, expected a number >= 0"},
    {"lattice.seed=-1", "$.lattice.seed: -1, expected a whole number from 0 to 1000000000"},
    {"lattice.seed=1.5", "$.lattice.seed: 1.5, expected a whole number from 0 to 1000000000"},
    {"lattice.colour=1", "$.lattice.colour: unknown key, expected radius, density, across, count, "
                         "spacing, bottom, jitter or seed"},
    {"lattice.radius=1e200", "$: no rigid bodies: not-finite"},
    {"contacts=3", "$.contacts: 3, expected an array"},
    {"contacts.0=3", "$.contacts[0]: 3, expected an object"},
    {"contacts.0.colour=1", "$.contacts[0].colour: unknown key, expected body, at, radius, "
                            "against, point, normal, friction, viscous_friction or restitution"},
    {"contacts.0.body=3", "$.contacts[0].body: 3, expected a text"},
    {"contacts.0.body=\"ground\"", "$.contacts[0].body: \"ground\", expected the name of a body"},
    {"contacts.0.body=\"roof\"",
     "$.contacts[0].body: \"roof\", expected \"ground\" or the name of a body"},
    {"contacts.0.at=3", "$.contacts[0].at: 3, expected an array"},
    {"contacts.0.at=[3]", "$.contacts[0].at[0]: 3, expected an array of 3 numbers"},
    {"contacts.0.against=3", "$.contacts[0].against: 3, expected a text"},
    {"contacts.0.against=\"pin\"", "$.contacts[0]: a body against itself, expected two"},
    {"contacts.0.against=\"holder\"", NULL},
    {"contacts.0.point=3", "$.contacts[0].point: 3, expected an array of 3 numbers"},
    {"contacts.0.normal=3", "$.contacts[0].normal: 3, expected an array of 3 numbers"},
    {"contacts.0.normal=[0,0,0]", "$.contacts[0].normal: an array of 3, expected a direction"},
    {"contacts.0.normal=[1e200,0,0]", "$.contacts[0].normal: an array of 3, expected a direction"},
    {"contacts.0.radius=-1", "$.contacts[0].radius: -1, expected a number >= 0"},
    {"contacts.0.friction=-1", "$.contacts[0].friction: -1, expected a number >= 0"},
    {"contacts.0.viscous_friction=-1",
     "$.contacts[0].viscous_friction: -1, expected a number >= 0"},
    {"contacts.0.restitution=2", "$.contacts[0].restitution: 2, expected a number from 0 to 1"},
    {"bores=3", "$.bores: 3, expected an object"},
    {"bores.colour=1", "$.bores.colour: unknown key, expected facets, clearance or list"},
    {"bores.facets=2", "$.bores.facets: 2, expected a whole number from 3 to 1000"},
    {"bores.facets=1001", "$.bores.facets: 1001, expected a whole number from 3 to 1000"},
    {"bores.clearance=-1", "$.bores.clearance: -1, expected a number >= 0"},
    {"bores.list=3", "$.bores.list: 3, expected an array"},
    {"bores.list=[3]", "$.bores.list[0]: 3, expected an object"},
    {"bores.list.0.colour=1",
     "$.bores.list[0].colour: unknown key, expected pin, at, holder, centre, plane or thrust"},
    {"bores.list.0.pin=3", "$.bores.list[0].pin: 3, expected a text"},
    {"bores.list.0.pin=\"ground\"", "$.bores.list[0].pin: \"ground\", expected the name of a body"},
    {"bores.list.0.at=3", "$.bores.list[0].at: 3, expected an array of 3 numbers"},
    {"bores.list.0.holder=3", "$.bores.list[0].holder: 3, expected a text"},
    {"bores.list.0.holder=\"pin\"", "$.bores.list[0]: a body against itself, expected two"},
    {"bores.list.0.holder=\"ground\"", NULL},
    {"bores.list.0.centre=3", "$.bores.list[0].centre: 3, expected an array of 3 numbers"},
    {"bores.list.0.plane=3", "$.bores.list[0].plane: 3, expected xy, yz or xz"},
    {"bores.list.0.plane=\"xx\"", "$.bores.list[0].plane: \"xx\", expected xy, yz or xz"},
    {"bores.list.0.thrust=1", "$.bores.list[0].thrust: 1, expected true or false"},
    {"step=3", "$.step: 3, expected an object"},
    {"step.colour=1", "$.step.colour: unknown key, expected h, until, model, settings, reach, "
                      "ahead, push_out, late, load or joint_friction"},
    {"step.h=0", "$.step.h: 0, expected a number > 0"},
    {"step.until=0", "$.step.until: 0, expected a number > 0"},
    {"step.model=3", "$.step.model: 3, expected a text"},
    {"step.model=\"magic\"", "$.step.model: \"magic\", expected one of impact models"},
    {"step.settings=3", "$.step.settings: 3, expected an object"},
    {"step.settings.magic=3",
     "$.step.settings.magic: unknown setting of plus, expected theta_max, v_transition, v_capture, "
     "v_plastic, alpha_min, active_set, static_ratio"},
    {"step.reach=-1", "$.step.reach: -1, expected a number >= 0"},
    {"step.ahead=-1", "$.step.ahead: -1, expected a number >= 0"},
    {"step.push_out=-1", "$.step.push_out: -1, expected a number >= 0"},
    {"step.late=1", "$.step.late: 1, expected true or false"},
    {"step.load=3", "$.step.load: 3, expected an object of names of bodies"},
    {"step.load.roof=3", "$.step.load.roof: no such body, expected the name of one"},
    {"step.load.pin=3", "$.step.load.pin: 3, expected an array of 6 numbers"},
    {"step.load.pin=[0]", "$.step.load.pin: an array of 1, expected an array of 6 numbers"},
    {"step.joint_friction=3", "$.step.joint_friction: 3, expected qp4 or explicit"},
    {"step.joint_friction=\"qp5\"", "$.step.joint_friction: \"qp5\", expected qp4 or explicit"},
    {"joints=3", "$.joints: 3, expected an array"},
    {"joints=[{\"joint\":\"ball\",\"a\":\"pin\",\"b\":\"holder\",\"at\":[0,0,1]}]", NULL},
    {"joints=[{\"joint\":\"ball\",\"a\":\"pin\",\"b\":\"pin\",\"at\":[0,0,1]}]",
     "$.joints[0].b: the same as a, expected another"},
    {"bodies.pin.mass=1e308", NULL},
    {"transition=1", "$.transition: unknown key, expected kind, title, source, gravity, material, "
                     "ground, bodies, joints, lattice, contacts, bores, step or variants"},
    {"bores.list.0.holder=\"roof\"",
     "$.bores.list[0].holder: \"roof\", expected \"ground\" or the name of a body"},
    {"lattice.count=1.5", "$.lattice.count: 1.5, expected a whole number from 1 to 100000"},
    {"contacts.0.body=null", "$.contacts[0].body: null, expected a text"},
    {"step.h=\"x\"", "$.step.h: \"x\", expected a number > 0"},
    {"bodies.pin.mass=1e308", NULL},
    {"bodies.pin.ball=1e200", "$: no rigid bodies: not-finite"},
};

/* The scene, with something assigned to it. */
static imp_status read_one(const char *text, const char *assignment, bool steps, imp_error *error) {
    static const imp_model *const none[] = {NULL};
    scene_file file;
    scene s;
    scene_steps t;
    imp_status status = scene_open(scratch_text("scene.json", text), &file, error);
    if (status != IMP_OK) return status;
    if (*assignment) status = scene_assign(&file, none, assignment, error);
    if (status == IMP_OK && steps) {
        status = scene_steps_build(&file, 0, &t, error);
        if (status == IMP_OK) scene_steps_clear(&t);
    } else if (status == IMP_OK) {
        status = scene_build(&file, 0, &s, error);
        if (status == IMP_OK) scene_clear(&s);
    }
    scene_close(&file);
    return status;
}

static void try_all(const char *text, const wrong *row, size_t rows, bool steps) {
    imp_error error = {0};
    ok(read_one(text, "", steps, &error) == IMP_OK, "whole: taken %s", error.text);
    for (size_t i = 0; i < rows; i++) {
        const char *want = row[i].complaint;
        error = (imp_error){0};
        const imp_status status = read_one(text, row[i].assignment, steps, &error);
        const char *said = strstr(error.text, "$") ? strstr(error.text, "$") : error.text;
        ok(want ? status == IMP_BAD_ARGUMENT && strncmp(said, want, strlen(want)) == 0 &&
                      !strchr(error.text, '\n')
                : status == IMP_OK,
           "%s: %s", row[i].assignment, want ? error.text : "taken");
    }
}

int main(void) {
    try_all(impact_scene, of_impacts, sizeof of_impacts / sizeof *of_impacts, false);
    try_all(steps_scene, of_steps, sizeof of_steps / sizeof *of_steps, true);
    return tap_done();
}
