#!/bin/sh
# `impact simulate` with joints that rub in mechanisms of one degree of freedom, past and from dead centres, where a joint's rate is 0
# however the bodies move: friction takes bound times way of each joint, whatever the motion.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# crank ANGLE RATE GRAVITY UNTIL [CRANK_PIN]: a crank of 1 m, a rod of 3 m, and a piston along x that 5 N rubs; N m of the crank's pin
crank() {
    python3 - "$@" > crank.json << 'END'
import json, math, sys
angle, rate, gravity, until, bound = map(float, (sys.argv[1:] + ['0'])[:5])
s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
lean = math.asin(-s / 3)
turn = -c * rate / (3 * math.cos(lean))
pin = {'joint': 'revolute', 'axis': [0, -1, 0]}
print(json.dumps({'kind': 'scene', 'gravity': [0, 0, gravity], 'bodies': {
    'crank': {'mass': 5, 'box': [1, .1, .1], 'com': [.5, 0, 0], 'parent': 'ground', **pin, 'angle': angle, 'rate': rate,
              'friction': bound},
    'rod': {'mass': 1, 'box': [3, .1, .1], 'com': [1.5, 0, 0], 'parent': 'crank', 'at': [1, 0, 0], **pin,
            'angle': math.degrees(lean) - angle, 'rate': turn - rate},
    'piston': {'mass': 1, 'box': [.4, .4, .4], 'joint': 'slider', 'parent': 'ground', 'axis': [1, 0, 0],
               'displacement': c + 3 * math.cos(lean), 'rate': -s * rate - 3 * math.sin(lean) * turn, 'friction': 5}},
    'joints': [{'joint': 'revolute', 'a': 'rod', 'b': 'piston', 'at': [3, 0, 0], 'meets': [0, 0, 0], 'axis': [0, 1, 0]}],
    'run': {'until': until}}))
END
    impact simulate --model poisson --bodies bodies.tsv crank.json
}
# took FIRST: 5 N took this up to the first dead centre, and 10 J from each to the next; the rest since the last one
took() {
    last=$(awk -F "$tab" '$2 == "piston" { x = $3 } END { print x }' bodies.tsv)
    awk -F "$tab" -v first="$1" -v x="$last" '
        $2 == "start" { start = $10 }
        $2 == "slides" { n++; want = start - first - 10 * (n - 1); worst = $10 - want > worst ? $10 - want : worst
            worst = want - $10 > worst ? want - $10 : worst }
        $2 == "end" { way = (first < 5) == n % 2 ? x - 2 : 4 - x; want = start - first - 10 * (n - 1) - 5 * way
            worst = $10 - want > worst ? $10 - want : worst; worst = want - $10 > worst ? want - $10 : worst }
        END { exit !(n > 1 && $2 == "end" && worst < 1e-8) }' out
}
for turns in 0 300; do # which angles round by
    angle=$(awk -v n=$turns 'BEGIN { print 90 + 360 * n }')
    crank "$angle" 10 0 6
    [ $status = 0 ] && [ "$(events)" = "start$(yes ' slides' | head -15 | tr -d '\n') end" ] && balance &&
        took "$(awk 'BEGIN { printf "%.15g", 5 * (sqrt(8) - 2) }')"
    verdict "a crank goes past dead centres, $turns turns from 0" $?
    crank "$angle" -10 0 6
    [ $status = 0 ] && [ "$(events)" = "start$(yes ' slides' | head -15 | tr -d '\n') end" ] && balance &&
        took "$(awk 'BEGIN { printf "%.15g", 5 * (4 - sqrt(8)) }')"
    verdict "and the other way" $?
done
# Let go there, by weight or moving: the piston goes from 4 m, or from 2 m, wherever the crank goes
for angle in 0 180; do
    for rate in 0 3 -3; do
        for gravity in -10 10 0; do
            crank $angle $rate $gravity 0.2
            [ $status = 0 ] && [ "$(events)" = 'start end' ] && balance &&
                awk -F "$tab" -v x="$(awk -F "$tab" '$2 == "piston" { x = $3 } END { print x }' bodies.tsv)" -v angle=$angle '
                    NR == 2 { start = $10 } END { way = angle == 0 ? 4 - x : x - 2; d = start - 5 * way - $10
                        exit !(d < 1e-8 && -d < 1e-8 && (way > 1e-3 || start == $10)) }' out
            verdict "from a dead centre at $angle degrees, $rate rad/s, $gravity m/s^2" $?
        done
    done
done
crank 0 0 -10 0.3 # J, of the crank's angle by DOP853 in SciPy
within "$(awk -F "$tab" 'END { print $10 }' out)" -1.1310830568 5e-10
verdict 'friction delays it from the beginning' $?
crank 180 0 -10 1 40 # N m at the crank's pin, 30 and more of weight
[ $status = 0 ] && [ "$(events)" = 'start end' ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out
verdict 'a crank that its own pin holds at a dead centre stays' $?
# The same in a frame of any direction, also with all joints as loops, where W and what forces do there have rounding in place of 0.
for turned in 'loops 1 2 3 4' 'loops 2 5 1 3' 'tree 1 2 3 4' 'tree 4 1 3 2' 'tree 1 0 0 1'; do
    python3 - $turned > loops.json << 'END'
import json, math, sys
w, x, y, z = (float(c) / math.hypot(*map(float, sys.argv[2:])) for c in sys.argv[2:])
frame = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
def turned(v): return [sum(row[k] * v[k] for k in range(3)) for row in frame]
def bar(mass, box, at, com=0): return {'mass': mass, 'box': box, 'com': [com, 0, 0], 'position': turned([at, 0, 0]), 'orientation': [w, x, y, z]}
def pin(a, b, at, bound):
    return {'joint': 'revolute', 'a': a, 'b': b, 'at': [at, 0, 0], 'meets': [0, 0, 0], 'friction': bound,
            'axis': turned([0, -1, 0]) if a == 'ground' else [0, -1, 0]}
bodies = {'crank': bar(5, [1, .1, .1], 0, .5), 'rod': bar(1, [3, .1, .1], 1, 1.5), 'piston': bar(1, [.4, .4, .4], 4)}
last = pin('rod', 'piston', 3, 1)
joints = [pin('ground', 'crank', 0, 100), pin('crank', 'rod', 1, 10), last,
          {'joint': 'slider', 'a': 'ground', 'b': 'piston', 'at': [0, 0, 0], 'axis': turned([1, 0, 0]), 'friction': 5}]
if sys.argv[1] == 'tree':
    for joint, axis in (joints[0], [0, -1, 0]), (joints[1], [0, -1, 0]), (joints[3], [1, 0, 0]):
        body = bodies[joint['b']]
        del body['position']
        body.update(joint=joint['joint'], parent=joint['a'], at=joint['at'], axis=axis, friction=joint['friction'])
    del bodies['rod']['orientation']
    bodies['piston']['displacement'] = 4
    joints = [last]
print(json.dumps({'kind': 'scene', 'gravity': turned([0, 0, -10]), 'bodies': bodies, 'joints': joints, 'run': {'until': 0.2}}))
END
    impact simulate --model poisson --set run.max_steps=1000 loops.json
    [ $status = 0 ] && [ "$(events)" = 'start end' ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out
    verdict "so does one turned: $turned" $?
done

# bars RATE UNTIL: a crank, a coupler and a rocker of 0.3 m, 1 m and 0.8 m, from the crank along the base of 1.2 m, where the angle
# between the other two is at its least; pins of 0.1, 1, 0.5 and 0.2 N m
bars() {
    python3 - "$@" > bars.json << 'END'
import json, math, sys
rate, until = map(float, sys.argv[1:])
a, c, b, d = 0.3, 1, 0.8, 1.2
far = d - a
coupler = math.acos((c * c + far * far - b * b) / (2 * c * far))
rocker = math.atan2(c * math.sin(coupler), a + c * math.cos(coupler) - d)
turn = -rate * a / far # of both, about where their bars meet the base
pin = {'joint': 'revolute', 'axis': [0, -1, 0]}
def bar(mass, length): return {'mass': mass, 'box': [length, .04, .04], 'com': [length / 2, 0, 0], **pin}
print(json.dumps({'kind': 'scene', 'gravity': [0, 0, -10], 'bodies': {
    'crank': {**bar(1, a), 'parent': 'ground', 'angle': 0, 'rate': rate, 'friction': 0.1},
    'coupler': {**bar(2, c), 'parent': 'crank', 'at': [a, 0, 0], 'angle': math.degrees(coupler), 'rate': turn - rate, 'friction': 1},
    'rocker': {**bar(1, b), 'parent': 'ground', 'at': [d, 0, 0], 'angle': math.degrees(rocker), 'rate': turn, 'friction': 0.2}},
    'joints': [{'joint': 'revolute', 'a': 'coupler', 'b': 'rocker', 'at': [c, 0, 0], 'meets': [b, 0, 0], 'axis': [0, 1, 0],
                'friction': 0.5}], 'run': {'until': until}}))
END
    impact simulate --model poisson --bodies bodies.tsv bars.json
}
for rate in 0 6 -2; do
    bars $rate 0.1
    [ $status = 0 ] && [ "$(events)" = 'start end' ] && balance && awk -F "$tab" '
        function way(x) { return x < 0 ? -x : x }
        FNR == NR { if (FNR > 1) { now[$2] = -2 * atan2($8, $6); if (!($2 in was)) was[$2] = now[$2] } next }
        FNR == 2 { start = $10 }
        END { for (i in now) turn[i] = now[i] - was[i]
            rubbed = 0.1 * way(turn["crank"]) + way(turn["coupler"] - turn["crank"])
            rubbed += 0.5 * way(turn["rocker"] - turn["coupler"]) + 0.2 * way(turn["rocker"])
            d = start - $10 - rubbed
            exit !(d < 1e-8 && -d < 1e-8 && way(turn["crank"]) > 0.1) }' bodies.tsv out
    verdict "four bars from where the angle of two is at its least, at $rate rad/s" $?
done
# Held, with all joints as loops: pins of 20, 5, 10 and 20 N m
bars 0 0.1
python3 - > loops.json << 'END'
import json, math
scene = json.load(open('bars.json'))
bodies = scene['bodies']
angle = {name: math.radians(body['angle']) for name, body in bodies.items()} # the crank's is 0
for name, at, bound in ('crank', 0, 20), ('coupler', bodies['coupler']['at'][0], 5), ('rocker', bodies['rocker']['at'][0], 20):
    body, half = bodies[name], angle[name] / 2
    scene['joints'].append({'joint': 'revolute', 'a': body['parent'], 'b': name, 'at': body['at'] if at else [0, 0, 0],
                            'meets': [0, 0, 0], 'axis': body['axis'], 'friction': bound})
    bodies[name] = {'mass': body['mass'], 'box': body['box'], 'com': body['com'], 'position': [at, 0, 0],
                    'orientation': [math.cos(half), 0, -math.sin(half), 0]}
scene['joints'][0]['friction'] = 10
print(json.dumps(scene))
END
impact simulate --model poisson --set run.max_steps=1000 loops.json
[ $status = 0 ] && [ "$(events)" = 'start end' ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out
verdict 'and their own pins hold them there' $?
# A crank, a rod and a piston that friction holds, whichever way they stand: what joints that lie in a plane say across it is
# rounding, and at rest the rounding of nothing
held=0
for turn in 1 2 3 4 5 6; do
    python3 - $turn > crank.json << 'END'
import json, math, random, sys
draw = random.Random(int(sys.argv[1]))
w, x, y, z = (draw.gauss(0, 1) for _ in range(4))
size = math.sqrt(w * w + x * x + y * y + z * z)
turn = [k / size for k in (w, x, y, z)]
w, x, y, z = turn
down = [-10 * k for k in (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))]
crank = math.radians(5)
rod = math.asin(-math.sin(crank) / 3)
bar = lambda mass, length: {'mass': mass, 'box': [length, 0.1, 0.1], 'com': [length / 2, 0, 0], 'joint': 'revolute',
                            'axis': [0, -1, 0]}
print(json.dumps({'kind': 'scene', 'gravity': down, 'impact': {'restitution': 0}, 'bodies': {
    'crank': {**bar(5, 1), 'parent': 'ground', 'at': [0, 0, 0], 'angle': 5, 'orientation': turn, 'friction': 40},
    'rod': {**bar(1, 3), 'parent': 'crank', 'at': [1, 0, 0], 'angle': math.degrees(rod) - 5, 'friction': 1},
    'piston': {'mass': 1, 'box': [0.4, 0.4, 0.4], 'joint': 'slider', 'parent': 'ground', 'at': [0, 0, 0], 'axis': [1, 0, 0],
               'orientation': turn, 'displacement': math.cos(crank) + 3 * math.cos(rod), 'friction': 5}},
    'joints': [{'joint': 'revolute', 'a': 'rod', 'b': 'piston', 'at': [3, 0, 0], 'meets': [0, 0, 0], 'axis': [0, 1, 0],
                'friction': 10}], 'run': {'until': 0.2}}))
END
    impact simulate --model poisson --set run.max_steps=1000 crank.json
    [ $status = 0 ] && [ "$(events)" = 'start end' ] && awk -F "$tab" 'END { exit !($9 != "" && $9 < 1e-20) }' out && held=$((held + 1))
done
[ $held = 6 ]
verdict "a slider-crank that friction holds stays, turned anyhow: $held of 6" $?
echo "1..$count"
