# quick_scenes.sh - for tests of the program, which read it after program.sh: scenes of milliseconds, to be run a thousand times.

# above_ground REST: a ball, and what the scene says besides
above_ground() {
    cat << END
{"kind": "scene", "gravity": [0, 0, -9.81], "material": {"friction": 0.3}, "ground": [{}],
 "bodies": {"ball": {"mass": 1, "ball": 0.1, "clearance": 0.1, "velocity": [0.5, 0, 0],
  "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 $1}
END
}
# A ball that meets two planes at once, and what comes of it in milliseconds
between_planes() {
    cat << END
{"kind": "scene", "material": {"stiffness": 1e8, "dissipation": 0.1, "friction": 0.3}, "transition": 0.001,
 "ground": [{"point": [0, 0, 0], "normal": [0.6, 0, 0.8]}, {"point": [0, 0, 0], "normal": [-0.6, 0, 0.8]}],
 "bodies": {"ball": {"mass": 1, "ball": 0.1, "position": [0, 0, 0.125], "velocity": [0.2, 0.5, -1],
  "spheres": [{"radius": 0.1, "at": [[0, 0, 0]]}]}},
 "run": {"until": 0.01, "apart": 0.001}, "impact": {"proximity": 1e-6}}
END
}
# A ball between two planes that both push it out: its steps have no answer
between_walls() {
    cat << END
{"kind": "scene", "bodies": {"ball": {"mass": 1, "ball": 0.1}},
 "contacts": [{"body": "ball", "at": [[0, 0, 0]], "point": [0, 0, 0.1], "normal": [0, 0, 1]},
              {"body": "ball", "at": [[0, 0, 0]], "point": [0, 0, -0.1], "normal": [0, 0, -1]}],
 "step": {"h": 0.01, "until": 0.05, "model": "frictionless", "push_out": 0.01}}
END
}
