# ranks.awk - time per step of a granular flow on many ranks, from a table of `impact ranks` or of --traffic.
#
#     impact ranks ... | awk -f benchmarks/ranks.awk -v cost=2e-7 [-v P=100000] [-v ROW=13] [-v latency=1.5e-6] ...
#
# cost: s per particle-step of one core, measured with bricks of the same size; P: ranks, where the table stands for a
# part of a larger machine; ROW: the rank to take, else the slowest. The slowest rank decides:
#
#     own cost + (sweeps + 1) (exchanges latency + messages overhead + bytes / bandwidth)
#              + 3 log2(P) latency + lists (4 log2(P) latency + 2 neighbours overhead + 104 B copies / bandwidth)
#
# sweeps + 1: with the first guess; exchanges: one behind each parity of bricks, 8 where all occur, 2 with damped sweeps;
# 3 reductions a step (residual, report, measures) and 4 more for a list, log2(P) latencies each; lists: how many of the
# steps make a neighbour list, for which a copy is 104 bytes.
BEGIN {
    if (!latency) latency = 1.5e-6    # s, of a message between nodes (assumed: a fast interconnect)
    if (!overhead) overhead = 0.5e-6  # s of a core for one message sent and one received (assumed)
    if (!bandwidth) bandwidth = 1e9   # bytes/s of one rank, its share of the node's link (assumed)
    if (!sweeps) sweeps = 10
    if (!lists) lists = 0.2           # per step (measured: --traffic in a channel of 20 mm, 78 lists in 400 steps)
    if (!exchanges) exchanges = 8
    if (!cost) cost = 2e-7
}
NR > 1 && (ROW == "" || $1 == ROW) {
    work[++n] = $2 * cost
    copies[n] = $3; neighbours[n] = $5; messages[n] = $6; bytes[n] = $8; own[n] = $2
    total += $2
    rows = NR - 1
}
END {
    if (!n) exit 1
    if (!P) P = rows
    log2 = log(P) / log(2)
    for (i = 1; i <= n; i++) {
        talk = (sweeps + 1) * (exchanges * latency + messages[i] * overhead + bytes[i] / bandwidth)
        list = lists * (4 * log2 * latency + 2 * neighbours[i] * overhead + 104 * copies[i] / bandwidth)
        all = 3 * log2 * latency
        if (work[i] + talk + list + all > worst) { worst = work[i] + talk + list + all; k = i; t = talk; l = list; a = all }
    }
    printf "ranks %d: %d own, %d copies; sweeps and the rest %.1f us, messages %.1f, lists' %.1f, reductions %.1f; step %.1f us, %.3g particle-steps/s per rank, %.0f %% of them work\n",
        P, own[k], copies[k], 1e6 * work[k], 1e6 * t, 1e6 * l, 1e6 * a, 1e6 * worst, total / n / worst, 100 * total / n * cost / worst
}
