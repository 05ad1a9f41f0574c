# Judges.pm - what can find a mistake: the tests, the gate, each experiment of the report; how long each takes, and which
# lines of the sources it runs.
package Judges;
use strict;
use warnings;
use File::Path qw(make_path remove_tree);
use Time::HiRes 'time';
use Tree qw(slurp spew run quietly);
use Exporter 'import';
our @EXPORT_OK = qw(judges passes measure lines);

# Those that build a library of their own from other rules, or run none of what is broken.
my %elsewhere = map { $_ => 1 } qw(test_architecture.sh test_contributing.sh test_exported.sh test_gate.sh test_install.sh
    test_make.sh test_mutate.sh test_peers.sh test_tap.sh);

# name => command, in a copy
sub judges {
    my ($tree) = @_;
    my %judge;
    for (glob "$tree/tests/test_*.c $tree/tests/test_*.sh") {
        my ($name) = m{/tests/(test_\w+\.\w+)$} or next;
        next if $elsewhere{$name};
        $judge{$name} = $name =~ /^(\w+)\.c$/ ? "build/tests/$1" : "sh tests/$name";
    }
    $judge{gate} = 'build/benchmarks/gate build/baseline.tsv' if -f "$tree/benchmarks/gate.c";
    for my $file (glob "$tree/benchmarks/experiments/*.c") {
        $judge{$1} = "build/benchmarks/report build/report-$1 $1" if slurp($file) =~ /^const experiment \w+ = \{\s*"([\w-]+)"/m;
    }
    return \%judge;
}

# Runs a judge with a limit on its time, memory and files; true when it is content.
sub passes {
    my ($tree, $command, $seconds) = @_;
    my $scratch = "$tree/scratch";
    remove_tree($scratch);
    make_path($scratch);
    $seconds = int($seconds + 0.999);
    my $status = run($tree, "ulimit -v 12000000; ulimit -f 4000000; ulimit -c 0; TMPDIR='$scratch' CC='$ENV{CC}' BUILD=build LIBS='$ENV{LIBS}' " .
        "OMP_WAIT_POLICY=passive timeout -k 2 $seconds $command >scratch/.out 2>scratch/.err </dev/null");
    my $out = slurp("$scratch/.out") // '';
    return 0 if $status != 0 || $out =~ /^not ok/m;
    return 1 unless $command =~ /test_/;
    my ($plan) = $out =~ /^1\.\.(\d+)/m;
    my $count = () = $out =~ /^ok\b/mg;
    return defined $plan && $plan == $count;
}

# Seconds that each judge takes on the copy as it is, told to `keep` one by one; those that fail there, and experiments
# slower than `slowest`, judge nothing.
sub measure {
    my ($tree, $judge, $names, $known, $slowest, $say, $keep) = @_;
    my $done = 0;
    for my $name (@$names) {
        $say->(sprintf 'timing %d of %d: %s', ++$done, scalar @$names, $name);
        next if defined $known->{$name};
        my $start = time;
        my $good = passes($tree, $judge->{$name}, $name =~ /^test_|^gate/ ? 600 : $slowest);
        my $took = time - $start;
        $known->{$name} = $good ? sprintf('%.2f', $took) : $took >= $slowest && $name !~ /^test_/ ? 'slow' : 'fails';
        $keep->($name);
    }
}

# True when a file of counts has one that is not zero: its arcs (tag 01a10000) have a length of their own only then.
sub counted { my ($path) = @_; return slurp($path) =~ /\x00\x00\xa1\x01(...\x00)/s && unpack('V', $1) > 0 }

# The lines that a judge runs, "file:line" each, in a copy built with --coverage.
sub lines {
    my ($tree, $command, $seconds) = @_;
    quietly($tree, "find build-cov -name '*.gcda' -delete");
    my $there = $command =~ s{\bbuild/}{build-cov/}gr;
    quietly($tree, "mkdir -p scratch; BUILD=build-cov TMPDIR='$tree/scratch' OMP_WAIT_POLICY=passive CC='$ENV{CC}' LIBS='$ENV{LIBS}' " .
        "timeout -k 2 $seconds $there </dev/null");
    my @counted = grep { counted("$tree/$_") } split /\n/, qx(cd '$tree' && find build-cov -name '*.gcda');
    my %ran;
    while (my @some = splice @counted, 0, 50) {
        my $file = '';
        for (split /\n/, qx(cd '$tree' && gcov -t -x @some 2>/dev/null)) {
            if (/^\s*-:\s*0:Source:(.*)/) { $file = $1 =~ s{[^/]+/\.\./}{}gr }
            elsif (/^\s*\d+\*?:\s*(\d+):/) { $ran{"$file:$1"} = 1 }
        }
    }
    return sort grep { !m{^/} } keys %ran;
}

1;
