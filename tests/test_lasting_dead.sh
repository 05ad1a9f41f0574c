#!/bin/sh
# `impact simulate` of a leg whose foot slides on the ground, past and from dead centres: places where its slip turns about while the
# bodies go on, as the ball at the foot rolls back faster than the leg takes it on. Friction cannot hold them there.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"

# leg ANGLE RATE MU UNTIL [LEAN [FRICTION [FORM [W X Y Z]]]]: degrees from below, or `dead` there; the post's guide leans by LEAN; N of
# the guide, 0.1 m of that at the hinge; a tree, joints as `loops`, or a guide that may go `aside`; all turned by a quaternion. $side:
# m/s^2 of gravity along the ground
leg() {
    python3 - "$@" > leg.json << 'END_OF_LEG'
import json, math, os, sys
angle, rate, mu, until, lean, friction, form = (sys.argv[1:] + ['0', '0', 'tree'][max(0, len(sys.argv) - 5):])[:7]
rate, mu, until, lean, friction = map(float, (rate, mu, until, lean, friction))
w, x, y, z = turn = [float(c) / math.hypot(*map(float, sys.argv[8:])) for c in sys.argv[8:]] or [1, 0, 0, 0]
frame = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
def turned(v): return [sum(row[k] * v[k] for k in range(3)) for row in frame]
lean = math.radians(lean)
along = [math.sin(lean), 0, math.cos(lean)] # of the guide
# The height of the foot stays: s' cos(lean) + sin(a) a' = 0. Its slip is s' sin(lean) - (cos(a) + 0.1) a'.
turns = lambda a: math.tan(lean) * math.sin(a) + math.cos(a) + 0.1
if angle == 'dead':
    low, high = 0, math.pi
    for k in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if turns(middle) > 0 else (low, middle)
    angle = low
else:
    angle = math.radians(float(angle))
s = (0.1 + math.cos(angle)) / along[2]
post = {'mass': 5, 'box': [.1, .1, .1]}
foot = {'mass': 2, 'box': [.1, .1, 1], 'com': [0, 0, -.5], 'spheres': [{'radius': .1, 'at': [[0, 0, -1]]}]}
guide = {'joint': 'slider', 'axis': along, 'friction': friction}
hinge = {'joint': 'revolute', 'axis': [0, 1, 0], 'friction': friction / 10}
if form == 'loops':
    where = turned([s * c for c in along])
    half = [math.cos(angle / 2), 0, math.sin(angle / 2), 0]
    scene = {'bodies': {'post': {**post, 'position': where, 'orientation': turn},
                        'leg': {**foot, 'position': where,
                                'orientation': [w * half[0] - y * half[2], x * half[0] - z * half[2],
                                                w * half[2] + y * half[0], x * half[2] + z * half[0]]}},
             'joints': [{**guide, 'a': 'ground', 'b': 'post', 'at': [0, 0, 0], 'axis': turned(along)},
                        {**hinge, 'a': 'post', 'b': 'leg', 'at': [0, 0, 0], 'meets': [0, 0, 0]}]}
else:
    aside = {'cart': {'mass': 1, 'box': [.1, .1, .1], 'joint': 'slider', 'parent': 'ground', 'axis': [0, 1, 0]}}
    scene = {'bodies': {**(aside if form == 'aside' else {}),
                        'post': {**post, **guide, 'parent': 'cart' if form == 'aside' else 'ground', 'displacement': s,
                                 'rate': -math.sin(angle) * rate / along[2]},
                        'leg': {**foot, **hinge, 'parent': 'post', 'angle': math.degrees(angle), 'rate': rate}}}
    next(iter(scene['bodies'].values()))['orientation'] = turn
print(json.dumps({'kind': 'scene', 'gravity': turned([float(os.environ.get('side', 0)), 0, -10]), 'material': {'friction': mu},
                  'ground': [{'normal': turned([0, 0, 1])}], **scene, 'run': {'until': until}, 'impact': {'restitution': 0}}))
END_OF_LEG
    impact simulate --model poisson leg.json
}
# ended EVENTS ENERGY: J, of the leg's angle alone by DOP853 in SciPy, its friction's side frozen from one turn to the next
ended() {
    [ $status = 0 ] && [ "$(events)" = "$1" ] && balance &&
        within "$(awk -F "$tab" 'END { print $10 }' out)" "$2" 5e-9
}
for at in '0.1 36.8357374695' '0.5 36.0382192308' '1 34.2179183507'; do
    leg -60 0 ${at% *} 0.4
    ended 'start rests slides end' ${at#* }
    verdict "a foot slides past its dead centre at friction ${at% *}" $?
    leg 60 0 ${at% *} 0.4
    ended 'start rests slides end' ${at#* }
    verdict 'and the other way' $?
    leg -60 0 ${at% *} 0.4 0 0 aside
    ended 'start rests sticks slides end' ${at#* }
    verdict 'and where it may go aside, for the instant in which it has no slip at all' $?
done
# In a frame of any direction
for turned in 'tree 1 2 3 4' 'tree 4 1 3 2' 'tree 1 0 0 1' 'tree 2 1 0 0' 'loops 1 0 0 0' 'loops 1 2 3 4' 'loops 2 5 1 3'; do
    leg -60 0 0.5 0.4 0 0 $turned
    ended 'start rests slides end' 36.0382192308
    verdict "a foot past its dead centre, $turned" $?
    leg -60 0 0.5 0.4 0 3 $turned
    ended 'start rests slides end' 33.5667467684
    verdict 'and with joints that rub' $?
done
# Where the ground and the guide together leave it no slip, each alone does
leg -60 0 0.5 0.36 20
ended 'start rests slides end' 36.6224519802
verdict 'a foot slides past a dead centre that the ground makes' $?
# Let go there, the whole leg is free to go
for turned in 'tree' 'tree 1 2 3 4' 'tree 1 0 0 1' 'loops 1 0 0 0' 'loops 2 5 1 3'; do
    leg dead 0 0.5 0.2 0 0 $turned
    ended 'start rests end' 0.905925358498
    verdict "from a dead centre at rest, $turned" $?
    [ "${turned#loops}" = "$turned" ] || continue # they are let go from rest
    leg dead 1 0.5 0.2 0 0 $turned
    ended 'start rests end' 3.24325778508
    verdict 'and moving' $?
done
leg dead 0 0.5 0.2 0 3
ended 'start rests end' 0.255280421691
verdict 'with joints that rub' $?
for turned in '' 'tree 1 2 3 4' 'tree 3 0 1 0' 'loops 2 5 1 3'; do
    leg dead 0 0.5 0.2 20 0 $turned
    ended 'start rests slides end' -18.896526474
    verdict "from one that the ground makes, ${turned:-tree}" $?
done
# Weight that almost balances there lets it go slowly
for side in -26.2433844496 -26.2323844496; do
    export side
    leg dead 0 0.5 1 -20
    [ $status = 0 ] && [ "$(events)" = 'start rests slides end' ] && balance
    verdict "slowly from one that the ground makes, $side m/s^2 along it" $?
done
echo "1..$count"
