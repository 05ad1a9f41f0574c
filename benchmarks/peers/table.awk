# table.awk - rows of the peers (question, case, solver, ns, error, % of failures, remark; tab-separated) as Markdown: one
# table per question, solvers down, cases across; then every case in which a peer is quicker or closer than we are.
BEGIN { FS = "\t" }
function seen_before(list, key) { return list[key]++ > 0 }
function ours(solver) { return solver ~ /^impact/ }
function duration(ns) {
    return ns >= 1e9 ? sprintf("%.3g s", ns / 1e9) : ns >= 1e6 ? sprintf("%.3g ms", ns / 1e6) : ns >= 1e3 ? sprintf("%.3g μs", ns / 1e3) : sprintf("%.3g ns", ns)
}
function cell(k) {
    if (!(k in ns) || ns[k] == "" && error[k] == "") return (k in remark) ? remark[k] : "-"
    return (ns[k] == "" ? "" : duration(ns[k])) (ns[k] == "" || error[k] == "" ? "" : ", ") error[k] (fails[k] + 0 == 100 ? ", **fails**" : fails[k] + 0 > 0 ? ", **" fails[k] " % fail**" : "")
}
/^#/ { notes = notes "- " substr($0, 3) "\n"; next }
{
    if (!seen_before(question_seen, $1)) question[++questions] = $1
    if (!seen_before(case_seen, $1 FS $2)) cases[$1, ++ncases[$1]] = $2
    if (!seen_before(solver_seen, $1 FS $3)) solvers[$1, ++nsolvers[$1]] = $3
    k = $1 FS $2 FS $3
    ns[k] = $4; error[k] = $5; fails[k] = $6; remark[k] = $7
}
# Has the row an answer that may be compared? Its time may be missing.
function competes(k) { return (k in ns) && (ns[k] != "" || error[k] != "") && remark[k] == "" && fails[k] + 0 == 0 }
# The best of ours, or of what competes with it, in a column; remarks take a row out of the comparison.
function best(q, c, column, i, k, s, least) {
    least = ""
    for (i = 1; i <= nsolvers[q]; i++) {
        s = solvers[q, i]; k = q FS c FS s
        if (!ours(s) || !competes(k) || (column == "ns" && ns[k] == "")) continue
        if (least == "" || (column == "ns" ? ns[k] : error[k]) + 0 < least) least = (column == "ns" ? ns[k] : error[k]) + 0
    }
    return least
}
END {
    for (n = 1; n <= questions; n++) {
        q = question[n]
        line = "| " q " |"; rule = "|---|"
        for (i = 1; i <= ncases[q]; i++) { line = line " " cases[q, i] " |"; rule = rule "---|" }
        print line; print rule
        for (j = 1; j <= nsolvers[q]; j++) {
            line = "| " solvers[q, j] " |"
            for (i = 1; i <= ncases[q]; i++) line = line " " cell(q FS cases[q, i] FS solvers[q, j]) " |"
            print line
        }
        print ""
    }
    print "Times are of one solve, of one step of a scene, or of the time simulated; errors beside them. What was set:\n\n" notes
    print "Where a peer without failures is quicker or closer than all of ours:\n"
    for (n = 1; n <= questions; n++) {
        q = question[n]
        for (i = 1; i <= ncases[q]; i++) {
            c = cases[q, i]; quick = best(q, c, "ns"); near = best(q, c, "error"); text = ""
            for (j = 1; j <= nsolvers[q]; j++) {
                s = solvers[q, j]; k = q FS c FS s
                if (ours(s) || !competes(k)) continue
                if (near == "") text = text "; " s " solves it (" cell(k) ")"
                else if (ns[k] != "" && ns[k] + 0 < quick) text = text "; " s " quicker (" duration(ns[k]) ")"
                if (near != "" && near > 1e-9 && error[k] + 0 < 0.9 * near) text = text "; " s " closer (" error[k] ")"
            }
            if (text == "") continue
            print "- " q ", " c " (ours: " (near == "" ? "none" : (quick == "" ? "" : duration(quick) ", ") near) ")" text
            lost++
        }
    }
    if (!lost) print "- none"
}
