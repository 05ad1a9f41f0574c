/* test_io_bodies.c - bodies, contacts, joints and rows of constraints in JSON, and what stands
 * beside W: what is wrong is refused at its key, in one line. */
#include "impact.h"
#include "io/json_load.h"
#include "scratch.h"
#include "tap.h"

static const char bodies[] =
    "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1,1,1], \"position\": [0,0,0]}, "
    "{\"name\": \"b\", \"mass\": 2, \"inertia\": [[1,0,0],[0,2,0],[0,0,2]], \"position\": [1,0,0], "
    "\"orientation\": [1,0,0,0], \"velocity\": [0,1,-1], \"spin\": [0,0,1]}], \"contacts\": "
    "[{\"a\": \"ground\", \"b\": 0, \"point\": [0,0,-0.5], \"normal\": [0,0,1], \"tangent\": "
    "[1,0,0], \"mu\": 0.5}, {\"a\": \"ground\", \"b\": \"b\", \"point\": [1,0.25,-0.5], "
    "\"normal\": [0,0,1], \"mu\": 0.25}], \"constraints\": [{\"joint\": \"revolute\", \"a\": "
    "\"a\", "
    "\"b\": \"b\", \"point\": [0.5,0,0], \"axis\": [0,1,0], \"friction\": 0.01}, {\"terms\": "
    "[{\"body\": \"a\", \"velocity\": [0,1,0], \"spin\": [1,0,0]}, {\"body\": 1, \"spin\": "
    "[0,0,0.5]}], \"rate\": 0.125}]}";
static const char dense[] =
    "{\"n\": 1, \"W\": [[2,0,0],[0,2,0],[0,0,2]], \"q\": [1,0,0], \"mu\": [1], \"e\": [0.5], "
    "\"guess\": [1,0,0], \"b\": [1,2,3], \"mu_v\": [0.5], \"gap\": [0.25], \"kappa\": 2}";
static const char answered[] =
    "{\"W\": [[2,0,0],[0,2,0],[0,0,2]], \"q\": [-1,0,0], \"mu\": 1, \"p\": [0.5,0,0]}";
static const char product[] =
    "{\"G\": [[1,0,0],[0,2,0]], \"q\": [-1,0,0], \"mu\": 1, \"id\": \"g\"}";
static const char blocks[] =
    "{\"blocks\": [[0,0,[1,0,0,0,1,0,0,0,1]],[1,1,[1,0,0,0,1,0,0,0,1]],[0,1,[0.5,0,0,0,0,0,0,0,0]],"
    "[1,0,[0.5,0,0,0,0,0,0,0,0]]], \"q\": [-1,0,0.5,-1,0,0], \"mu\": 0.5}";

static imp_status read_one(const char *path, imp_error *error) {
    imp_problem_file *file;
    const imp_case *c;
    imp_settings settings;
    imp_status status = imp_problem_file_open(path, &file, error);
    if (status == IMP_OK) status = imp_problem_file_next(file, &c, error);
    if (status == IMP_OK)
        status = imp_problem_file_settings(file, &imp_model_coulomb, &settings, error);
    imp_problem_file_close(file);
    return status;
}

/* One assignment and what it is refused with, behind the file's name and a colon;
 * "-key" takes a member away. */
typedef struct spoilt {
    const char *assignment, *says;
} spoilt;

static const char *spoil(const char *good, const char *assignment) {
    json_t *root = json_loads(good, 0, NULL);
    imp_error error;
    if (*assignment == '-') {
        if (json_object_del(root, assignment + 1) != 0) abort();
    } else if (imp_json_assign(root, assignment, &error) != IMP_OK) {
        abort();
    }
    char *text = json_dumps(root, 0);
    const char *path = scratch_text("spoilt.json", text);
    json_decref(root);
    free(text);
    return path;
}

static void refuses(const char *good, const spoilt *list, size_t count) {
    imp_error error = {0};
    ok(read_one(scratch_text("good.json", good), &error) == IMP_OK, "what is spoilt below: %s",
       error.text);
    for (size_t k = 0; k < count; k++) {
        const char *path = spoil(good, list[k].assignment);
        const size_t name = strlen(path) + 2;
        error = (imp_error){0};
        const imp_status status = read_one(path, &error);
        ok(status == IMP_BAD_ARGUMENT && error.status == status && strlen(error.text) > name &&
               strncmp(error.text + name, list[k].says, strlen(list[k].says)) == 0,
           "%s: %s", list[k].assignment, error.text + (*error.text ? name : 0));
        ok(read_one(path, NULL) == status, "and without words");
    }
}

#define NAMED "the name or the number of a body, or \"ground\""
static const spoilt of_bodies[] = {
    {"bodies=1", "$.bodies: 1, expected an array"},
    {"contacts=1", "$.contacts: 1, expected an array"},
    {"bodies.0=1", "$.bodies[0]: 1, expected an object"},
    {"bodies.0.colour=1", "$.bodies[0].colour: unknown key, expected name, mass, "},
    {"bodies.0.name=1", "$.bodies[0].name: 1, expected a text"},
    {"bodies.0.name=ground", "$.bodies[0].name: \"ground\", expected a name of its own"},
    {"bodies.0.fixed=1", "$.bodies[0].fixed: 1, expected true or false"},
    {"bodies.0.mass=0", "$.bodies[0].mass: 0, expected a number > 0"},
    {"bodies.0.mass=1e-320",
     "$.bodies[0].mass: 9.9998886718268301e-321, expected a mass whose inv"},
    {"bodies.0.inertia=1", "$.bodies[0].inertia: 1, expected 3 principal moments or a 3 x 3 matri"},
    {"bodies.0.inertia.1=0", "$.bodies[0].inertia[1]: 0, expected a number > 0"},
    {"bodies.0.inertia.1=1e-320", "$.bodies[0].inertia[1]: 9.9998886718268301e-321, expected a mo"},
    {"bodies.1.inertia.1=1", "$.bodies[1].inertia[1]: 1, expected an array of 3 numbers"},
    {"bodies.1.inertia.0=[5, 0, 0]", "$.bodies[1].inertia: a principal moment above the sum of th"},
    {"bodies.1.inertia=[[1e-320,0,0],[0,1e-320,0],[0,0,1e-320]]",
     "$.bodies[1].inertia: its inverse is no number, expected an inertia"},
    {"bodies.0.position=1", "$.bodies[0].position: 1, expected an array of 3 numbers"},
    {"bodies.1.orientation=1",
     "$.bodies[1].orientation: 1, expected a unit quaternion [w, x, y, z]"},
    {"bodies.1.orientation=[1, 0, 0, null]", "$.bodies[1].orientation[3]: null, expected a number"},
    {"bodies.1.velocity=[1]",
     "$.bodies[1].velocity: an array of 1, expected an array of 3 numbers"},
    {"bodies.1.spin=x", "$.bodies[1].spin: \"x\", expected an array of 3 numbers"},
    {"contacts.0=1", "$.contacts[0]: 1, expected an object"},
    {"contacts.0.c=1", "$.contacts[0].c: unknown key, expected a, b, point, "},
    {"contacts.0.a=[]", "$.contacts[0].a: an array of 0, expected " NAMED},
    {"contacts.0.b=2", "$.contacts[0].b: 2, expected a whole number from 0 to 1"},
    {"contacts.0.point=0", "$.contacts[0].point: 0, expected an array of 3 numbers"},
    {"contacts.0.normal=[0, 0]", "$.contacts[0].normal: an array of 2, expected an array of 3"},
    {"contacts.0.normal=[0, 0, 2]",
     "$.contacts[0].normal: [0, 0, 2], of length 2, expected a unit normal"},
    {"contacts.0.tangent=x", "$.contacts[0].tangent: \"x\", expected an array of 3 numbers"},
    {"contacts.0.mu=-1", "$.contacts[0].mu: -1, expected a number >= 0"},
    {"contacts.1.e=2", "$.contacts[1].e: 2, expected a number from 0 to 1"},
    {"contacts.1.e=0.5", "$.constraints: friction of joints beside restitution, expected e = 0"},
    {"mu=x", "$.mu: \"x\", expected one number or an array of 2"},
};

static const spoilt of_joints[] = {
    {"constraints=1", "$.constraints: 1, expected an array"},
    {"constraints.0=1", "$.constraints[0]: 1, expected either \"joint\" or \"terms\" in it"},
    {"constraints.0.terms=1",
     "$.constraints[0]: an object, expected either \"joint\" or \"terms\""},
    {"constraints.0.joint=hinge", "$.constraints[0].joint: \"hinge\", expected ball, revolute, sl"},
    {"constraints.0.play=1", "$.constraints[0].play: unknown key, expected joint, a, b, point, ax"},
    {"constraints.0.a=c", "$.constraints[0].a: \"c\", expected " NAMED},
    {"constraints.0.b=7", "$.constraints[0].b: 7, expected a whole number from 0 to 1"},
    {"constraints.0.b=a", "$.constraints[0].b: \"a\", expected another body than \"a\""},
    {"constraints.0.point=1", "$.constraints[0].point: 1, expected an array of 3 numbers"},
    {"constraints.0.axis=1", "$.constraints[0].axis: 1, expected an array of 3 numbers"},
    {"constraints.0.axis=[0, 0, 0]", "$.constraints[0].axis: [0, 0, 0], expected a direction"},
    {"constraints.0.joint=ball", "$.constraints[0].axis: a ball has none, expected it with"},
    {"constraints.0.friction=-1", "$.constraints[0].friction: -1, expected a number from 0 to 1e+"},
    {"constraints.0={\"joint\": \"weld\", \"a\": \"a\", \"b\": \"b\", \"point\": [0, 0, 0], "
     "\"friction\": 1}",
     "$.constraints[0].friction: beside a joint that has not one way to move, expected it with"},
    {"constraints.1.speed=1", "$.constraints[1].speed: unknown key, expected terms or rate"},
    {"constraints.1.terms=1", "$.constraints[1].terms: 1, expected an array"},
    {"constraints.1.terms=[]", "$.constraints[1].terms: an array of 0, expected at least one term"},
    {"constraints.1.terms.0=1", "$.constraints[1].terms[0]: 1, expected an object"},
    {"constraints.1.terms.0.body=c", "$.constraints[1].terms[0].body: \"c\", expected " NAMED},
    {"constraints.1.terms.0.body=ground",
     "$.constraints[1].terms[0].body: \"ground\", expected a "},
    {"constraints.1.terms.0.velocity=1", "$.constraints[1].terms[0].velocity: 1, expected an arra"},
    {"constraints.1.terms.1.spin=1", "$.constraints[1].terms[1].spin: 1, expected an array of 3 n"},
    {"constraints.1.terms.0={\"body\": \"a\"}",
     "$.constraints[1].terms[0]: an object, expected \"velocity\" or \"spin\" in it"},
    {"constraints.1.rate=x", "$.constraints[1].rate: \"x\", expected a number"},
    {"constraints=[{\"terms\": [{\"body\": 0, \"velocity\": [0, 1, 0]}]}, {\"terms\": [{\"body\": "
     "0, \"velocity\": [0, 2, 0]}], \"rate\": 1}]",
     "$.constraints[1]: contradicts the others, expected velocities that keep all"},
    {"constraints=[{\"terms\": [{\"body\": 0, \"velocity\": [0, 1, 0]}]}, {\"terms\": [{\"body\": "
     "0, \"velocity\": [3e-11, 1, 0]}]}]",
     "$.constraints[1]: almost follows from the others: double does not tell whether"},
};

static const spoilt of_dense[] = {
    {"kind=flow", "$.kind: \"flow\", expected problem"},
    {"n=2", "$.n: 2, expected 1, the number of contacts"},
    {"W=1", "$.W: 1, expected 3 rows of 3 numbers"},
    {"W.1=[1]", "$.W[1]: an array of 1, expected an array of 3"},
    {"W.1.1=x", "$.W[1][1]: \"x\", expected a number"},
    {"W.1.1=-1", "$: W is not positive semidefinite, expected it to be"},
    {"q=[]", "$.q: an array of 0, expected 3 numbers for each contact"},
    {"q.1=x", "$.q[1]: \"x\", expected a number"},
    {"mu.0=-1", "$.mu[0]: -1, expected a number >= 0"},
    {"mu=-1", "$.mu: -1, expected a number >= 0"},
    {"e=[1, 1]", "$.e: an array of 2, expected one number or an array of 1"},
    {"guess=1", "$.guess: 1, expected an array of 3 numbers"},
    {"b=[1, 2]", "$.b: an array of 2, expected an array of 3 numbers"},
    {"mu_v=-1", "$.mu_v: -1, expected a number from 0 to 1e+300"},
    {"gap=x", "$.gap: \"x\", expected one number or an array of 1"},
    {"kappa=-1", "$.kappa: -1, expected a number from 0 to 1e+300"},
    {"settings=1", "$.settings: 1, expected an object"},
    {"settings.choice=worst", "$.settings.choice: \"worst\", expected most-dissipative, "},
    {"settings.rate=1", "$.settings.rate: unknown setting of coulomb, expected choice"},
    {"bodies=[]", "$.bodies: stands beside \"W\", expected one of W, blocks, G and bodies"},
    {"lambda=x", "$.lambda: stands without \"p\", expected both"},
    {"velocities=[]", "$.velocities: stands without \"p\", expected both"},
    {"joint_friction=[]", "$.joint_friction: stands without \"p\", expected both"},
    {"constraints=[]", "$.constraints: stands without \"bodies\", expected both"},
};

static const spoilt of_answered[] = {
    {"p=[1]", "$.p: an array of 1, expected an array of 3"},
    {"lambda=x", "$.lambda: \"x\", expected an array"},
    {"velocities=[1]", "$.velocities[0]: 1, expected an array of 6 numbers"},
    {"joint_friction=[null]", "$.joint_friction[0]: null, expected a number"},
};

static const spoilt of_product[] = {
    {"G=1", "$.G: 1, expected an array"},
    {"G.1=1", "$.G[1]: 1, expected an array of 3"},
    {"G.1.2=x", "$.G[1][2]: \"x\", expected a number"},
    {"G.1.2=1e300", "$: W or q is beyond 1.8e308, expected numbers below"},
    {"id=3", "$.id: 3, expected a text"},
    {"q=1", "$.q: 1, expected an array"},
    {"-mu", "$.mu: missing, expected one number or an array of 1"},
};

static const spoilt of_blocks[] = {
    {"blocks=1", "$.blocks: 1, expected an array"},
    {"blocks.0=1", "$.blocks[0]: 1, expected [i, j, [9 numbers]]"},
    {"blocks.0=[1]", "$.blocks[0]: an array of 1, expected [i, j, [9 numbers]]"},
    {"blocks.2.0=x", "$.blocks[2][0]: \"x\", expected a whole number from 0 to 1"},
    {"blocks.2.1=2", "$.blocks[2][1]: 2, expected a whole number from 0 to 1"},
    {"blocks.2.2=2", "$.blocks[2][2]: 2, expected an array of 9"},
    {"blocks.2.2.3=x", "$.blocks[2][2][3]: \"x\", expected a number"},
    {"blocks.3.2.0=0.25", "$.blocks[3][2][0]: 0.25, expected 0.5 as in block [0, 1]"},
    {"blocks.0.2.1=1", "$: W is not symmetric at contact 0, expected it to be"},
    {"blocks.0.2.0=-1", "$: W is not positive semidefinite at contact 0, expected it to be"},
    {"blocks.0.2=[0.01,0,0,0,1,0,0,0,1]", "$: W is not positive semidefinite, expected it to be"},
    {"q=[1, 0, 0]", "$.blocks[1][0]: 1, expected a whole number from 0 to 0"},
};

#define REFUSES(good, list) refuses(good, list, sizeof(list) / sizeof *(list))

int main(void) {
    REFUSES(bodies, of_bodies);
    REFUSES(bodies, of_joints);
    REFUSES(dense, of_dense);
    REFUSES(answered, of_answered);
    REFUSES(product, of_product);
    REFUSES(blocks, of_blocks);
    return tap_done();
}
