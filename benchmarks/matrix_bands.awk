# matrix_bands.awk - the bands of the matrix (benchmarks/matrix_bands.tsv) from its errors:
#
#     build/benchmarks/report build/mine X-matrix
#     awk -f benchmarks/matrix_bands.awk build/mine/data/x_matrix_cells.tsv > benchmarks/matrix_bands.tsv
#
# Where physics or the law itself says beforehand what the error is, the band says that and nothing measured enters it.
# Elsewhere a band holds the measured error and on both sides 0.1 % of it (the digits that are shown), twice the doubt of
# what it is measured against, and 1e-5: what the loosest stopping tolerance, 1e-7 of drumwright, leaves open in a velocity.
# It says that an answer has changed, for better or worse; the difference of this file is then part of the review.
BEGIN {
    FS = OFS = "\t"
    print "# Bands of every error of the matrix of models and scenes; made by benchmarks/matrix_bands.awk, which says how."
    print "# low, high: of the velocity error, in the mass norm, relative to the speed before the impact."
    print "# quantity: common (the scene's restitution), own (the law's, from the normal impact without friction), best"
    print "#   (fitted to the scene), plastic (e = 0, against the end of the compression), rigid (e = 0, one step); energy: its"
    print "#   change with the scene's restitution, relative to that before, which tells apart answers that err by as much."
    print "scene", "model", "quantity", "low", "high", "reason"
}

function known(high, why) {
    if (done) return
    print $1, $2, $3, 0, high, "known: " why
    done = 1
}

/^#/ || $1 == "scene" || $4 == "" { next }

{
    done = 0
    if ($3 == "energy") {
        margin = 1e-5 + 1e-3 * size($4) + 2 * $5
        printf "%s\t%s\t%s\t%.6g\t%.6g\t%s\n", $1, $2, $3, $4 - margin, $4 + margin, "kept: change of energy"
        next
    }
    process = $2 ~ /^(darboux|planar)-/
    e_matters = !($2 == "coulomb" && $3 == "common")    # e = 0 among others
    back = $2 == "moreau tangential=1"                   # slips back, which Coulomb's law does not
    coulomb = $2 !~ /^(compliant|frictionless|anitescu|drumwright)$/ && e_matters && !back

    # 1e-9: the solvers' own accuracy is 1e-13 times the condition
    if ($3 == "plastic" && process) known(1e-9, "the reference is this process, up to its first u_n = 0")
    # 1e-6: the fit is made to 1e-8 of e
    if ($3 == "best" && $2 ~ /-stronge$/ && $1 != "note")
        known(1e-6, "its path is that of the limit, and some e <= 1 stops it there, since dissipation takes energy")
    # 1e-8: ten times the least that is told from sticking; twice what the limit is uncertain by
    if ($2 == "springs" && $3 == "plastic") known(1e-8, "the reference is this process, up to its first u_n = 0")
    if ($2 == "springs" && $3 ~ /^(own|best)$/ && $1 !~ /^(stack|cradle, gap)/)
        known(1e-8 + 2 * $5, "with the e of the compliant law springs are its limit")
    # 1e-8: the experiment is run to 1e-9, the fit made to 1e-8
    if ($1 ~ /^ball, / && coulomb) known(1e-8, "a ball: normal and tangential motion are not coupled, one answer for all of Coulomb's laws")
    if ($1 == "ball, no friction" && e_matters && $2 != "compliant") known(1e-8, "a ball without friction has one answer")
    if ($1 ~ /^rod, (0.5 rad, mu 2|0.9 rad, mu 1.2)$/ && coulomb)
        known(1e-8, "slides one way throughout: u_n is linear in p_n and all hypotheses of restitution are one")
    if ($1 == "rod, on its end" && coulomb && $2 !~ /maxdiss/) known(1e-8, "W is diagonal in the plane of motion: one answer")
    if ($1 == "pendulum, relative angles" && coulomb && $2 !~ /maxdiss/) known(1e-8, "slides one way throughout: all hypotheses of restitution are one")
    # 1e-7: residuals of 1e-9 on a velocity of a thirtieth of what makes it up
    if ($1 ~ /^ramp, [ABC]$/ && $2 ~ /^(drumwright|anitescu|gauss-seidel-coulomb|auto|moreau)$/)
        known(1e-7, "a box that slides straight down: QP1, the pyramid along its edge and Coulomb agree")
    if ($1 == "ramp, D" && $2 ~ /^(drumwright|gauss-seidel-coulomb|auto|moreau)$/)
        known(1e-7, "a box that slides straight down: QP1 and Coulomb agree")
    if ($1 == "ten-boxes" && $2 ~ /^(anitescu|drumwright|gauss-seidel|auto|moreau|plus)/)
        known(1e-6, "boxes at rest on each other stay so")
    # 1e-8: the integrator's own accuracy
    if ($1 == "cradle, touching" && $2 == "lzb") known(1e-8, "springs without loss in one place are this law")
    # 2e-5: what gaps that are not infinite leave, twice the doubt of the reference
    if ($1 ~ /^cradle, gap (0.1|1) mm$/ && $2 ~ /^sequential/ && $3 != "plastic")
        known(2e-5, "balls apart collide pair by pair")
    if ($1 == "painleve" && $2 !~ /^(drumwright|frictionless)$/ && !back)
        known(1e-8, "friction stops the tip before it leaves: sticking is the only answer")
    if (done) next
    margin = 1e-5 + 1e-3 * $4 + 2 * $5
    printf "%s\t%s\t%s\t%.6g\t%.6g\t%s\n", $1, $2, $3, ($4 > margin ? $4 - margin : 0), $4 + margin, "kept: " why()
}

function size(x) {
    return x < 0 ? -x : x
}

function why() {
    if ($2 == "compliant") return "how rigid the scene is"
    if ($2 == "coulomb" && $3 == "common") return "e = 0 among others with restitution"
    if ($2 == "drumwright" && $1 ~ /^(rod|painleve)/) return "QP1 allows no more normal impulse than without friction"
    if ($2 == "drumwright" && $1 == "wedge")
        return "kappa, and p, which restitution multiplies, is one of many where W is singular"
    if ($2 == "drumwright") return "kappa bounds the sum of the normal impulses by that without friction"
    if ($1 == "stack" && $2 == "springs") return "holds unlike contacts for equally stiff ones"
    if ($1 ~ /^cradle/ && $2 ~ /^(lzb|springs)$/) return "holds balls that are apart for touching ones"
    if ($1 ~ /^cradle/ && $2 !~ /^(plus$|sequential)/) return "one simultaneous impact where blows come one after the other"
    if ($3 == "plastic" && $2 ~ /maxdiss/) return "maximum dissipation chooses its own direction"
    if ($3 == "plastic") return "one direction of slip for the whole impact"
    if ($2 ~ /-stronge$/ && $1 == "note") return "compresses twice: with a small e the first decompression ends the law already"
    if ($2 ~ /poisson|plus|single-phase/ && $1 ~ /^(box|note)/) return "compresses twice: restitution of impulse counts both"
    if (back) return "friction against the mean slip: what sticks slips back"
    return "as measured"
}
