# channel.sh - for the shell tests of granular flows: a channel of 20 x 6 x 4 mm that fills and empties.

# channel KEYS OUTPUT: its parameters, with what stands before "box" and in "output"
channel() {
    cat << END
{"kind": "flow", "friction": 0.4, $1,
 "box": {"low": [0, 0, 0], "high": [0.02, 0.006, 0.004]}, "outlet": 0.02,
 "shapes": [{"plane": {"point": [0, 0, 0], "normal": [1, 0, 0], "velocity": [1, 0, 0]}},
            {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}},
            {"plane": {"point": [0, 0.006, 0], "normal": [0, -2, 0]}, "friction": 0.1},
            {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
            {"plane": {"point": [0, 0, 0.004], "normal": [0, 0, -1]}},
            {"obstacle": {"centre": [0.012, 0.003], "radius": 0.001, "length": 0.001}}],
 "spheres": {"radius": 0.00047, "density": 2650, "spacing": 0.001, "speed": 1, "disturbance": 0.5, "seed": 1},
 "fill": {"low": [0, 0, 0], "high": [0.02, 0.006, 0.004]},
 "inflow": {"plane": 0, "advance": 0.00094, "low": [0, 0], "high": [0.006, 0.004]},
 "output": {$2}}
END
}
