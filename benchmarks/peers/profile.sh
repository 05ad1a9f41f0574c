#!/bin/sh
# profile.sh IMPACT: where the instructions of a step go, counted by valgrind; a table in Markdown, nothing without valgrind.
program=$1
command -v valgrind > /dev/null && command -v callgrind_annotate > /dev/null || exit 0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ball() { # ball VELOCITY: on the ground
    cat > "$folder/ball.json" << END
{"kind": "scene", "gravity": [0, 0, -10], "material": {"friction": 0.3}, "ground": [{}],
 "bodies": {"ball": {"mass": 1, "ball": 0.5, "position": [0, 0, 0.5], "velocity": [$1, 0, 0],
   "spheres": [{"radius": 0.5, "at": [[0, 0, 0]]}]}},
 "step": {"h": 0.001, "until": 0.2, "model": "auto", "reach": 0.001}}
END
}
# row NAME OPTION... SCENE
row() {
    name=$1
    shift
    set -- --model auto --set start=guess "$@"
    steps=$("$program" simulate "$@" | awk '$2 == "step"' | wc -l)
    valgrind -q --tool=callgrind --toggle-collect=imp_step --callgrind-out-file="$folder/counted" "$program" simulate "$@" \
        > /dev/null || exit
    callgrind_annotate --inclusive=yes --auto=no --threshold=100 "$folder/counted" 2> /dev/null | awk -v name="$name" -v steps="$steps" '
        { f = $0; sub(/ \[.*/, "", f); sub(/.*:/, "", f); gsub(",", "", $1); if ($1 + 0 > of[f]) of[f] = $1 + 0 }
        function share(x) { return sprintf("%.0f %%", 100 * x / of["imp_step"]) }
        function counted(f) {
            if (f in of) return of[f]
            print "profile.sh: no function " f > "/dev/stderr"
            failed = 1
        }
        END {
            judged = of["imp_blockwise_look"] + of["imp_blockwise_error"]
            judged += of["imp_blocks_certified_error"] + of["imp_natural_error"]
            if (!judged) counted("that judges") # each scene has some of the four
            step = counted("imp_step"); prepare = counted("imp_step_prepare"); answer = counted("imp_model_answer")
            if (failed) exit 1
            printf "| %s | %.0f | %s | %s | %s | %s |\n", name, step / steps, share(prepare), share(answer - judged),
                share(judged), share(step - prepare - answer)
        }' || exit
}
cat << 'END'

| a step of ours, auto to 1e-10 | instructions | contacts, W, q | impulses | is it the answer? | positions, the rest |
|---|---|---|---|---|---|
END
ball 0
row 'ball at rest' "$folder/ball.json"
ball 10
row 'ball that slides' "$folder/ball.json"
row 'box that slides' --set step.h=0.001 --set step.until=0.2 benchmarks/scenes/ramp.json
row 'stack of ten' benchmarks/scenes/ten-boxes.json
cat << 'END'

Instructions of `impact simulate`, from the last step's impulses, counted by valgrind. Is it the answer: u = W p + q anew, the
natural error and the certificate of Coulomb's law, which no engine here computes.
END
