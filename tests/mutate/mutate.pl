#!/usr/bin/perl
# mutate.pl - plants mistakes in the sources, one at a time, and lists those that nothing finds.
#
#     mutate.pl [--seed S] [--count N] [--jobs J] [--root DIR] [--only TEXT] [--rooms 'DIR ...'] [--least SHARE] [--plan]
#
# Everything happens in copies below DIR/build/mutate. The results are DIR/build/mutate.tsv; a run that was stopped goes
# on where it was. A mistake counts when it compiles to another object than the source does and is not listed, with its
# reason, in tests/mutants-equivalent.tsv. What could see it, by the lines that each test runs, judges it: the quickest
# first, then the gate and the report's experiments; the first that fails, crashes or takes ten times its time and --patience seconds (5) has found
# it. Exit 0: at least the share SHARE (0.97) was found; 1: less; 2: bad use, or the copy does not build.
use strict;
use warnings;
use Cwd 'abs_path';
use Digest::MD5 'md5_hex';
use Fcntl ':flock';
use File::Basename;
use File::Path qw(make_path remove_tree);
use FindBin;
use Getopt::Long;
use Time::HiRes qw(time sleep);
use lib $FindBin::Bin;
use Sites 'sites';
use Tree qw(refresh commands build link_library link_program programs users slurp spew run quietly);
use Judges qw(judges passes measure lines);

my %set = (seed => 1, count => 400, jobs => 2, root => '.', only => '', rooms => 'lib scene compliant benchmarks/harness',
    least => 0.97, slowest => 20, patience => 5, early => 15, quick => 0, plan => 0, optimise => '-O2', stale => 0);
GetOptions(\%set, 'seed=s', 'count=i', 'jobs=i', 'root=s', 'only=s', 'rooms=s', 'least=f', 'slowest=f', 'early=f', 'patience=f', 'quick', 'plan', 'optimise=s',
    'stale') && !@ARGV or exit 2;
my $root = abs_path($set{root});
my ($home, $results) = ("$root/build/mutate", "$root/build/mutate.tsv");
my $tree = "$home/tree";
my $how = "BUILD=build VISIBILITY= OPTIMISE=$set{optimise} CFLAGS=-fno-semantic-interposition";
$ENV{LC_ALL} = 'C';

my $terminal = -t STDERR;
sub say_line { my ($line) = @_; printf STDERR "\r\e[K%s", substr $line, 0, 110 if $terminal }

sub rows { my ($path) = @_; return map { [split /\t/, $_, -1] } grep { !/^#/ && /\S/ } split /\n/, slurp($path) // '' }

# --- the copy, its judges and their lines -------------------------------------------------------------------------
make_path($home);
open my $lock, '>', "$home/lock" or die "$home/lock: $!\n";
flock $lock, LOCK_EX | LOCK_NB or do { print STDERR "another run works in $home\n"; exit 2 };
say_line('copying and building');
refresh($root, $tree);
my $programs = programs($tree);
my $command = eval { commands($tree, $how) } or do { print STDERR $@; exit 2 };
eval { build($tree, $how, $set{jobs}, $command, $programs); 1 } or do { print STDERR $@; exit 2 };
my $users = users($tree, $command);

my @files = grep { /\.[ch]$/ } map { s{^\Q$tree\E/}{}r } map { split /\n/, qx(find '$tree/$_' -type f | sort) } split ' ', $set{rooms};
my $state = md5_hex(map { $_, slurp("$tree/$_") } @files, map { s{^\Q$tree\E/}{}r } grep { -f } glob "$tree/tests/*");
my $judge = judges($tree);

# What is known of each judge, its seconds and its lines, is kept for the state of the sources it was found in.
my $known = "$home/known" . ($set{stale} ? '' : "-$state");
my %seconds = map { @$_ } rows("$known/seconds.tsv");
my %runs;    # file => line => [judges]
sub timed {    # those of the names that judge
    my @names = @_;
    if ($judge->{gate} && grep { $_ eq 'gate' } @names) {    # against what the sources as they are give
        make_path($known);
        quietly($tree, "build/benchmarks/gate --write '$known/baseline.tsv'") unless -s "$known/baseline.tsv";
        $judge->{gate} = "build/benchmarks/gate '$known/baseline.tsv'";
    }
    measure($tree, $judge, \@names, \%seconds, $set{slowest}, \&say_line,
        sub { spew("$known/seconds.tsv", join '', map { "$_\t$seconds{$_}\n" } sort keys %seconds) });
    for (grep { $seconds{$_} eq 'fails' } @names) { print STDERR "left out, it fails on the sources as they are: $_\n" }
    return sort { $seconds{$a} <=> $seconds{$b} } grep { $seconds{$_} !~ /fails|slow/ } @names;
}
sub acquaint {
    my @names = @_;
    my @missing = grep { !-f "$known/$_.lines" } @names;
    if (@missing) {
        say_line('building with --coverage');
        my @targets = map { "build-cov/$_" } sort keys %$programs;
        run($tree, "make -j$set{jobs} COV=1 OPTIMISE=-O1 CFLAGS= @targets >build-cov.log 2>&1") == 0
            or do { print STDERR "the copy does not build: $tree/build-cov.log\n"; exit 2 };
    }
    my $done = 0;
    for (@missing) {
        say_line(sprintf 'lines of %d of %d: %s', ++$done, scalar @missing, $_);
        spew("$known/$_.lines", join "\n", lines($tree, $judge->{$_}, 10 * $seconds{$_} + 60));
    }
    for my $name (@names) {
        for (split /\n/, slurp("$known/$name.lines")) {
            my ($file, $line) = /^(.*):(\d+)$/;
            push @{ $runs{$file}{$line} }, $name;
        }
    }
}

# --- the mistakes, in the order of the seed -------------------------------------------------------------------------
my %equivalent = map { ("$_->[0]\t$_->[1]\t$_->[2]\t$_->[3]" => 1) } rows("$tree/tests/mutants-equivalent.tsv");
my @mutants;
for my $file (@files) {
    next unless $users->{$file};
    my $name = basename($file);    # a file that moves keeps its place
    push @mutants, map { { %$_, file => $file, order => md5_hex("$set{seed}\t$name\t$_->{function}\t$_->{text}\t$_->{what}") } }
        sites(slurp("$tree/$file"));
}
@mutants = sort { $a->{order} cmp $b->{order} || $a->{at} <=> $b->{at} } @mutants;
if ($set{only} ne '') {
    @mutants = grep { index("$_->{file}:$_->{function}", $set{only}) >= 0 } @mutants;
} else {    # one a line
    my %taken;
    @mutants = grep { !$taken{"$_->{file}:$_->{line}"}++ } @mutants;
}

# By the line of a statement that the coverage counts: its own, or the nearest above; where none is, outside of
# functions, by any: a table is read elsewhere.
sub judges_of {
    my ($m) = @_;
    my $lines = $runs{ $m->{file} } // return ();
    for my $line (reverse $m->{line} - 12 .. $m->{line}) { return @{ $lines->{$line} } if $lines->{$line} }
    return grep { $seconds{$_} !~ /fails|slow/ } sort keys %seconds;
}

sub key { my ($m) = @_; return join "\t", $m->{file}, $m->{function}, $m->{text}, $m->{what} }
if ($set{plan}) { printf "%s:%d\t%s\t%s\n", @$_{qw(file line what text)} for grep { defined } @mutants[0 .. $set{count} - 1]; exit 0 }

# --- one mistake, in a worker's copy; one line of result ---------------------------------------------------------
sub try_mutant {
    my ($where, $m, $order) = @_;
    my $text = slurp("$tree/$m->{file}");
    substr($text, $m->{at}, $m->{length}) = $m->{with};
    spew("$where/$m->{file}", $text);
    my ($changed, $library, %program) = (0, 0);
    my @made;
    my $verdict = sub {    # what was changed is put back
        spew("$where/$m->{file}", slurp("$tree/$m->{file}"));
        quietly($where, "cp -p '$tree/$_' '$_'") for @made;
        return @_;
    };
    for my $source (sort keys %{ $users->{ $m->{file} } }) {
        my ($object, $compile) = @{ $command->{$source} };
        if (quietly($where, "timeout 300 $compile")) { push @made, $object; return $verdict->('not compiled', '') }
        push @made, $object;
        next if slurp("$where/$object") eq slurp("$tree/$object");
        $changed = 1;
        my @own = grep { grep { $_ eq $source } @{ $programs->{$_}[0] } } keys %$programs;
        $program{$_} = 1 for @own;
        $library = 1 unless @own;
    }
    return $verdict->('same object', '') unless $changed;
    push @made, 'build/libmutate.so' if $library;
    push @made, map { "build/$_" } keys %program;
    return $verdict->('not linked', '') if $library && link_library($where, $command, $programs);
    for (sort keys %program) { return $verdict->('not linked', '') if link_program($where, $command, $programs, $_) }
    for my $name (@$order) {
        return $verdict->('found', $name) unless passes($where, $judge->{$name}, 10 * $seconds{$name} + $set{patience});
    }
    return $verdict->('unseen', '');
}

# --- all of them --------------------------------------------------------------------------------------------------
spew($results, "# seed\tstate\tverdict\tby\tseconds\tfile\tfunction\tline of text\tmutation\tline\n") unless -s $results;
my (%old, %success);
for (rows($results)) {
    my (undef, $at, $verdict, $by, undef, @key) = @$_;
    $old{ join "\t", @key[0 .. 3] } = [$verdict, $by] if $at eq $state || $set{stale};
    $success{"$key[0]:$by"}++ if $verdict eq 'found';
}
my %tally = map { $_ => 0 } 'found', 'unseen', 'equivalent', 'same object', 'not compiled', 'not linked';
my %running;
sub counted { return $tally{found} + $tally{unseen} }
sub note {
    my ($m, $verdict, $by, $took) = @_;
    $m->{verdict} = $verdict;
    $tally{$verdict}++;
    $success{"$m->{file}:$by"}++ if $verdict eq 'found';
    if (defined $took) {
        open my $h, '>>', $results or die "$results: $!\n";
        print $h join("\t", $set{seed}, $state, $verdict, $by, sprintf('%.1f', $took), key($m), $m->{line}), "\n";
        close $h;
    }
    say_line(sprintf '%d of %d: %d found, %d not, %d equivalent', counted(), $set{count}, @tally{qw(found unseen equivalent)});
}
sub prepare {    # a copy for worker k
    my ($k) = @_;
    my $where = "$home/worker$k";
    remove_tree($where);
    quietly($home, "cp -a '$tree' '$where' && rm -rf '$where/build-cov'") == 0 or die "$where: no copy\n";
    return $where;
}
my (@free, %early);
# The cheapest for its chance of finding mistakes in this file first.
sub ordered {
    my ($m, $stage) = @_;
    my %cost = map { $_ => ($seconds{$_} + 0.05) / (0.3 + ($success{"$m->{file}:$_"} // 0)) }
        grep { ($early{$_} // 0) == ($stage == 1) } judges_of($m);
    return [sort { $cost{$a} <=> $cost{$b} || $a cmp $b } keys %cost];
}
sub gather {    # what has ended
    sleep 0.02;
    for my $pid (keys %running) {
        my ($m, $where, $start, $from) = @{ $running{$pid} };
        my $ready = '';
        vec($ready, fileno $from, 1) = 1;
        next unless select($ready, undef, undef, 0);
        my $line = <$from> // "not linked\t";
        close $from;
        delete $running{$pid};
        push @free, $where;
        my ($verdict, $by) = split /\t/, $line, -1;
        note($m, $verdict, $by // '', time - $start);
    }
}
# Stage 1: the quick tests; stage 2: the others, the gate and the report, for what those did not find.
sub go_through {
    my ($stage, @queue) = @_;
    while (%running || (@queue && counted() < $set{count})) {
        while (@free && @queue && counted() + keys %running < $set{count}) {
            my $m = shift @queue;
            if ($equivalent{ key($m) }) { note($m, 'equivalent', ''); next }
            if ($old{ key($m) } && $stage == 1) { note($m, @{ $old{ key($m) } }); next }
            my ($where, $start) = (shift @free, time);
            my $order = ordered($m, $stage);
            my $pid = open(my $from, '-|') // die "fork: $!\n";
            if ($pid == 0) {
                print join "\t", try_mutant($where, $m, $order);
                exit 0;
            }
            $running{$pid} = [$m, $where, $start, $from];
        }
        gather() if %running;
    }
}

my @tests = timed(grep { /^test_/ } sort keys %$judge);
%early = map { $_ => 1 } grep { $seconds{$_} <= $set{early} } @tests;
acquaint(grep { $early{$_} } @tests);
@free = map { prepare($_) } 1 .. $set{jobs};
go_through(1, @mutants);
my @unseen = grep { ($_->{verdict} // '') eq 'unseen' } @mutants;
if (@unseen && !$set{quick}) {
    acquaint((grep { !$early{$_} } @tests), timed(grep { !/^test_/ } sort keys %$judge));
    $tally{unseen} -= @unseen;
    go_through(2, @unseen);
}
say_line('');

# --- what is said ---------------------------------------------------------------------------------------------------
for (sort { $a->{file} cmp $b->{file} || $a->{line} <=> $b->{line} } grep { ($_->{verdict} // '') eq 'unseen' } @mutants) {
    printf "survived: %s:%d: %s: %s\n", @$_{qw(file line what text)};
}
my $share = counted() ? $tally{found} / counted() : 0;
printf "mutate: seed %s: %d mistakes, %d found, %d survived: %.1f %%; beside them %d known as equivalent, %d of the same object, "
    . "%d not compiled\n", $set{seed}, counted(), @tally{qw(found unseen)}, 100 * $share, $tally{equivalent},
    $tally{'same object'}, $tally{'not compiled'} + $tally{'not linked'};
exit($share >= $set{least} ? 0 : 1);
