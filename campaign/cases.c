/* cases.c - the commands that campaigns run, and what they read. */
#include "campaign/commands.h"

#include <stddef.h>

/* Some write over a file that is there, of mode 0640; old.linked has another name. */
const command commands[] = {
    {"solve one", "solve --model $M -o old one.tsv", .models = COMMAND_EVERY},
    {"solve several", "solve --model $M -o old many.json", .models = COMMAND_SEVERAL},
    {"solve joints", "solve --model $M -o old cart.json", .models = COMMAND_SEVERAL},
    {"solve its path", "solve --model plus --path --facts -o old few.json",
     .models = COMMAND_ITS_OWN},
    {"solve its path", "solve --model darboux-stronge --path -o old forces.json",
     .models = COMMAND_ITS_OWN},
    {"solve FCLIB", "solve --model auto -o answer.hdf5 many.hdf5", .models = COMMAND_ITS_OWN},
    {"solve FCLIB", "solve --model drumwright --facts -o old.linked global.hdf5",
     .models = COMMAND_ITS_OWN},
    {"solve to stdout", "solve --model plus --explain many.json", .models = COMMAND_ITS_OWN},
    {"solve outside", "solve --exec /bin/cat --law coulomb -o old one.tsv",
     .models = COMMAND_ITS_OWN},
    {"enumerate", "enumerate -o old several.tsv", .models = COMMAND_ITS_OWN},
    {"enumerate", "enumerate --forces forces.json", .models = COMMAND_ITS_OWN},
    {"check", "check --model auto -o old many.json many.answer", .models = COMMAND_ITS_OWN},
    {"check", "check --model plus few.json few.answer", .models = COMMAND_ITS_OWN},
    {"check", "check --model auto -o old asked answered", .models = COMMAND_ITS_OWN},
    {"check", "check --model auto many.hdf5 many.hdf5.answer", .models = COMMAND_ITS_OWN},
    {"convert", "convert many.json old.hdf5", .models = COMMAND_ITS_OWN},
    {"convert", "convert many.hdf5 old.json", .models = COMMAND_ITS_OWN},
    {"convert", "convert global.hdf5 old.json", .models = COMMAND_ITS_OWN},
    {"convert", "convert one.tsv new.jsonl", .models = COMMAND_ITS_OWN},
    {"convert", "convert --to json cart.json old.linked", .models = COMMAND_ITS_OWN},
    {"compare",
     "compare --set run.until=0.01 --impulses old --problems p.json --history history -o rows "
     "wedge.json",
     .timed = "rows"},
    {"compare", "compare --model auto loop.json", .timed = "out"},
    {"simulate", "simulate --vtk there --keep kept -o old steps.json", .grown = "there kept"},
    {"simulate", "simulate --model newton -o old bounce.json", .models = COMMAND_ITS_OWN},
    {"simulate", "simulate --model newton --bodies bodies --contacts old rub.json",
     .models = COMMAND_ITS_OWN},
    {"simulate", "simulate --bodies bodies --contacts old rub-steps.json",
     .models = COMMAND_ITS_OWN},
    {"simulate", "simulate --model newton slide.json", .models = COMMAND_ITS_OWN},
    {"simulate goes on", "simulate --keep half.kept -o old steps.json", .grown = "half.kept"},
    {"flow", "flow -o old flow.json", .grown = "here"},
    {"flow", "flow --set spheres.offset=0.0001 -o old flow.json", .grown = "here"},
    {"flow", "flow --set single_precision=true -o old flow.json", .grown = "here"},
    {"flow goes on", "flow --resume start.check -o old flow.json", .grown = "here"},
    {"ranks", "ranks --set ranks=[2,1,1] --set bricks=[4,2,2] flow.json",
     .models = COMMAND_ITS_OWN},
    {"sweep",
     "sweep --jobs 1 --model plus,auto --over theta_max=0.1,0.2 --set run.until=0.01 --keep kept "
     "--plot plot -o old wedge.json",
     .grown = "kept"},
    {"audit", "audit --exec /bin/false --law coulomb -n 1 --seed 3 --worst worst -o old.tsv loose",
     .grown = "worst"},
    {"audit", "audit --model moreau -n 1 --seed 3 --to html -o old sphere",
     .models = COMMAND_ITS_OWN},
    {"race", "race -n 1 --seed 3 --rows rows -o old plus auto loose", .timed = "rows old"},
    {"replay", "replay --model newton --each each --pairs pairs -o old ellipse",
     .models = COMMAND_ITS_OWN},
    {"problems", "problems -n 1 --seed 3 -o old bin", .models = COMMAND_ITS_OWN},
    {"models", "models -o old", .models = COMMAND_ITS_OWN},
    {.line = NULL}};

/* The loop: benchmarks/scenes/four-bar.json. */
const char *const command_inputs[] = {
    "set -e\n"
    "impact=$1\n"
    "$impact problems --seed 1 -n 2 -o one.tsv impact-planar\n"
    "$impact problems --seed 1 -n 2 -o several.tsv several\n"
    "$impact problems --seed 2 -n 2 loose > few.json\n"
    "$impact problems --seed 1 -n 1 bodies | sed 's/,\"e\":\\[[^]]*\\]//' > many.json\n"
    "$impact solve --model plus --path -o few.answer few.json\n"
    "$impact solve --model auto -o many.answer many.json\n"
    "$impact convert many.json many.hdf5\n"
    "$impact solve --model auto -o many.hdf5.answer many.hdf5\n"
    "mkdir asked answered worst real\n"
    "cp many.json one.tsv asked\n"
    "cp many.answer answered/many.json\n"
    "$impact solve --model auto -o answered/one.tsv one.tsv\n"
    "cat > forces.json << 'END'\n"
    "{\"W\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"q\": [0, 1, 0], \"mu\": 0.5, \"b\": [-9, 0, 0]}\n"
    "END\n"
    "cat > cart.json << 'END'\n"
    "{\"bodies\": [{\"name\": \"cart\", \"mass\": 2, \"inertia\": [1, 1, 1],\n"
    " \"position\": [0, 0, 0], \"velocity\": [-3, 0, 0]}],\n"
    " \"contacts\": [{\"a\": \"ground\", \"b\": \"cart\", \"point\": [-1, 0, 0],\n"
    " \"normal\": [1, 0, 0], \"mu\": 0}],\n"
    " \"constraints\": [{\"joint\": \"slider\", \"a\": \"ground\", \"b\": \"cart\",\n"
    " \"point\": [0, 0, 0], \"axis\": [1, 0, 0], \"friction\": 1.5},\n"
    " {\"joint\": \"slider\", \"a\": \"ground\", \"b\": \"cart\",\n"
    " \"point\": [0, 0, 0], \"axis\": [1, 0, 0]}]}\n"
    "END\n"
    "cat > bounce.json << 'END'\n"
    "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.3},\n"
    " \"ground\": [{}], \"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 0.1, \"clearance\": 0.1,\n"
    " \"velocity\": [0.5, 0, 0], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}},\n"
    " \"impact\": {\"restitution\": 0.5}, \"run\": {\"until\": 0.5}}\n"
    "END\n"
    "sed 's/\"clearance\": 0.1/\"clearance\": 0/; s/\"restitution\": 0.5/\"restitution\": 0/' \\\n"
    "    bounce.json > slide.json\n"
    "sed 's/\"impact.*/\"step\": {\"h\": 0.05, \"until\": 0.3, \"model\": \"auto\"}}/' \\\n"
    "    bounce.json > steps.json\n"
    "$impact simulate --keep half.kept -o rows steps.json\n"
    "head -n 4 half.kept > rows && mv rows half.kept\n",
    "cat > wedge.json << 'END'\n"
    "{\"kind\": \"scene\", \"material\": {\"stiffness\": 1e8, \"dissipation\": 0.1,\n"
    " \"friction\": 0.3}, \"transition\": 0.001,\n"
    " \"ground\": [{\"point\": [0, 0, 0], \"normal\": [0.6, 0, 0.8]},\n"
    " {\"point\": [0, 0, 0], \"normal\": [-0.6, 0, 0.8]}],\n"
    " \"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0, 0, 0.125], \n"
    " \"velocity\": [0.2, 0.5, -1], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}},\n"
    " \"run\": {\"until\": 0.1, \"apart\": 0.001}, \"impact\": {\"proximity\": 1e-6}}\n"
    "END\n"
    "cat > loop.json << 'END'\n"
    "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81],\n"
    " \"material\": {\"stiffness\": 1e10, \"dissipation\": 0.26, \"friction\": 0.3},\n"
    " \"transition\": 0.01,\n"
    " \"ground\": [{\"point\": [1.0678473835417301, 0, 0], \"normal\": [1, 0, 0]}], \"bodies\": {\n"
    " \"crank\": {\"mass\": 0.7, \"box\": [0.4, 0.03, 0.03], \"com\": [0.2, 0, 0],\n"
    " \"joint\": \"revolute\", \"parent\": \"ground\", \"at\": [0, 0, 0], \"axis\": [0, -1, 0],\n"
    " \"angle\": 60, \"rate\": 6},\n"
    " \"coupler\": {\"mass\": 1.1, \"box\": [1.1, 0.03, 0.03], \"com\": [0.55, 0, 0],\n"
    " \"joint\": \"revolute\", \"parent\": \"crank\", \"at\": [0.4, 0, 0], \"axis\": [0, -1, 0],\n"
    " \"angle\": -30.548282744151376, \"rate\": -7.492453795523353},\n"
    " \"rocker\": {\"mass\": 0.9, \"box\": [0.8, 0.03, 0.03], \"com\": [0.4, 0, 0],\n"
    " \"joint\": \"revolute\", \"parent\": \"ground\", \"at\": [1.3, 0, 0.1], \"axis\": [0, -1, "
    "0],\n"
    " \"angle\": 100.23528252049496, \"rate\": 1.6147642499872845,\n"
    " \"spheres\": [{\"radius\": 0.05, \"at\": [[0.8, 0, 0]]}]}},\n"
    " \"joints\": [{\"joint\": \"revolute\", \"a\": \"coupler\", \"b\": \"rocker\",\n"
    " \"at\": [1.1, 0, 0], \"meets\": [0.8, 0, 0], \"axis\": [0, 1, 0]}], \"run\": {\"until\": "
    "0.1}}\n"
    "END\n"
    "sed '/\"transition\"/d; s/\"stiff.*\"friction\"/\"friction\"/;\n"
    "     s/}\\], \"run\"/, \"friction\": 0.1}], \"impact\": {\"restitution\": 0}, \"run\"/' \\\n"
    "    loop.json > rub.json\n"
    "sed 's/\"impact\".*/\"step\": {\"h\": 0.005, \"until\": 0.02, \"model\": \"auto\"}}/' \\\n"
    "    rub.json > rub-steps.json\n"
    "cat > flow.json << 'END'\n"
    "{\"kind\": \"flow\", \"friction\": 0.4, \"step\": 2e-5, \"until\": 0.0004, \"threads\": 1,\n"
    " \"box\": {\"low\": [0, 0, 0], \"high\": [0.01, 0.004, 0.004]},\n"
    " \"shapes\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [1, 0, 0]}},\n"
    " {\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 1]}}],\n"
    " \"spheres\": {\"radius\": 0.00047, \"density\": 2650, \"spacing\": 0.001, \"speed\": 1,\n"
    " \"disturbance\": 0.5, \"seed\": 1},\n"
    " \"fill\": {\"low\": [0, 0, 0], \"high\": [0.003, 0.004, 0.004]},\n"
    " \"output\": {\"folder\": \"here\", \"rows_every\": 5, \"checkpoint_every\": 5, "
    "\"vtk_every\": 10}}\n"
    "END\n"
    "$impact flow --set until=0.0002 flow.json > rows\n"
    "mv here/flow.check start.check\n"
    "rm -r here rows\n"
    "awk 'BEGIN {\n"
    "    print \"i,x0,y0,th0,vx0,vy0,om0,vx1,vy1,om1,n_x,n_y,n_th,d_x,d_y,d_th\"\n"
    "    for (i = 0; i < 12; i++)\n"
    "        printf \"%d,0,0,0,%.3f,-2,%.3f,%.3f,1,%.3f,0,1,%.3f,-1,0,0.03\\n\", i, sin(i),\n"
    "            5 * cos(3 * i), 0.6 * sin(i), 3 * cos(3 * i), 0.01 * sin(i)\n"
    "}' > real/ellipse_impacts.csv\n"
    "for old in old old.hdf5 old.json old.tsv old.linked; do echo kept > $old; done\n"
    "chmod 640 old old.hdf5 old.json old.tsv\n"
    "ln old.linked other.linked\n",
    NULL};
