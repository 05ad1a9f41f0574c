#!/bin/sh
# `impact simulate` whatever the accuracy of its run, the stiffness of its material and the place of its origin: what
# stops, slips and piles up does so there too.
. "$(dirname "$0")/program.sh"
. "$root/tests/course.sh"
scenes=$root/benchmarks/scenes

# v0 / a on a ramp: test_lasting.sh
for accuracy in 1e-13 1e-8 1e-7 1e-5 1e-3 0.1; do
    impact simulate --model poisson --variant block --set run.accuracy=$accuracy "$scenes/lasting.json"
    [ $status = 0 ] && [ "$(events)" = 'start rests sticks end' ] && within "$(when sticks 1)" 1.594928511481503 1e-8
    verdict "a block slides to rest at an accuracy of $accuracy" $?
done
impact simulate --model poisson --variant rod --set run.accuracy=1e-13 "$scenes/lasting.json"
slides=$(when slides 1)
impact simulate --model poisson --variant rod --set run.accuracy=1e-5 "$scenes/lasting.json"
within "$(when slides 1)" "$slides" 1e-10
verdict 'a thin rod turns as accurately as its ends move' $?

# A pendulum, a linkage and a brick that comes to rest corner by corner: rows, and the first pile-up
for scene in pendulum four-bar brick-face brick-point; do
    for accuracy in 1e-10 1e-5 1e-3; do
        impact simulate --model gauss-seidel-coulomb --set impact.restitution=0.5 --set run.until=2.1 \
            --set run.accuracy=$accuracy "$scenes/$scene.json"
        [ $accuracy = 1e-10 ] && piled=$(when zeno 1)
        [ $status = 0 ] && within "$(when zeno 1)" "$piled" 1e-8 && [ "$(wc -l < out)" -lt 350 ]
        verdict "$scene: impacts pile up at an accuracy of $accuracy" $?
    done
done
# where a gap is known to 1e-9 m
impact simulate --model newton --set run.accuracy=1e-5 --set 'ground=[{"point": [0, 0, 1e6]}]' \
    --set 'bodies.ball.position=[0, 0, 1000001.1]' "$scenes/bounce.json"
[ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-6 && [ "$(wc -l < out)" -lt 25 ]
verdict 'far from the origin a ball comes to rest as well' $?

for stiffness in 1e28 1e50 1e300; do
    impact simulate --model newton --set material.stiffness=$stiffness "$scenes/bounce.json"
    [ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-11
    verdict "a material of $stiffness Pa: the same bounces" $?
    impact simulate --model newton --set material.stiffness=$stiffness --set run.accuracy=0.01 "$scenes/bounce.json"
    [ $status = 0 ] && within "$(when zeno 1)" 1.35457092295719275 1e-11
    verdict 'and at a low accuracy' $?
done
impact simulate --model gauss-seidel-coulomb --set impact.restitution=0.5 --set material.stiffness=1e60 \
    --set run.until=1 --set run.max_steps=1000 "$scenes/four-bar.json"
[ $status = 0 ] && within "$(when zeno 1)" 0.6932850214 1e-9
verdict 'and those of a linkage, in steps as long' $?
for stiffness in 1e30 1e50 1e300; do
    impact compare --model newton --set material.stiffness=$stiffness "$scenes/bounce.json"
    [ $status = 1 ] && [ "$(grep -c 'too stiff: it yields by less than rounding' err)" = 3 ] && [ "$(wc -l < err)" = 3 ]
    verdict "$stiffness Pa: compare says that no compliant impact can be followed" $?
done
echo "1..$count"
