# coverage.pl - what the tests reached: `coverage.pl [--write] BUILD ROOM...`, a row for each room. `make coverage` runs it
# after the tests, in the folder of objects that count (COV=1).
#
# gcov says of each object which lines were run and which way its branches went. Code of a header counts in the room of
# the header: reached where one of the objects that include it reached it. A branch is one way out of one condition, of
# `a && b` each of the two; what gcc adds for OpenMP at the line of a #pragma is nobody's. The branches that nothing can
# reach stand with their reason in tests/unreachable.tsv: a row that is not in the source, or whose branches are reached,
# is an error, but where the reason is that of a CPU, which another may be. BUILD/uncovered.tsv lists the others. Objects
# for instructions that this CPU lacks, NAME_avx512.c, do not count.
# Exit 1: a room lies below its figures in tests/coverage.tsv, or a row is wrong; --write rewrites those figures.
use strict;
use warnings;
use JSON::PP;

my $write = @ARGV && $ARGV[0] eq '--write' ? shift : '';
my ($build, @rooms) = @ARGV;
my $tolerance = 0.1;    # points: tests that stop by the clock reach a branch more or less
my ($kept, $listed) = ('tests/coverage.tsv', 'tests/unreachable.tsv');
my $failed = 0;

sub rows {
    my ($path) = @_;
    open my $h, '<', $path or return ();
    return map { chomp; [split /\t/, $_, -1] } grep { !/^#/ && /\S/ } <$h>;
}
sub complain { print STDERR "make coverage: @_\n"; $failed = 1 }

# The text of a source, line by line; none of what is not of this tree.
my %text;
sub text {
    my ($file) = @_;
    return $text{$file} //= do {
        my @lines;
        if ($file !~ m{^/} && open my $h, '<', $file) { @lines = map { s/^\s+|\s+$//gr } <$h> }
        \@lines;
    };
}

# --- what gcov says: lines and branches, over all objects ----------------------------------------------------------
my (%line, %branch);    # file => line => times; file => line => function => [times]
sub add {
    my ($file, $l) = @_;
    my ($name, $at, $function) = ($file->{file}, $l->{line_number}, $l->{function_name} // '');
    return if (text($name)->[$at - 1] // '#') =~ /^#/;
    $line{$name}{$at} += $l->{count};
    my $k = 0;
    $branch{$name}{$at}{$function}[$k++] += $_->{count} for grep { !$_->{throw} } @{ $l->{branches} };
}

my $cpu = do { local (@ARGV, $/) = '/proc/cpuinfo'; -r $ARGV[0] ? <> : '' };
sub runs_here { return $_[0] !~ /_(avx\w+)\.gcno$/ || $cpu =~ /^flags\b.*\b\Q$1\E/m }

my @objects = grep { -f s{^\Q$build\E/(.*)\.gcno$}{$1.c}r } split /\n/,    # rooms lie in rooms
    qx(find @{[map { "'$build/$_'" } grep { -d "$build/$_" } @rooms]} -name '*.gcno' | sort -u);
die "make coverage: no object in $build counts\n" unless @objects;
my @aside = grep { !runs_here($_) } @objects;
@objects = grep { runs_here($_) } @objects;
print 'not for this CPU: ', join(' ', map { s{^\Q$build\E/(.*)\.gcno$}{$1.c}r } @aside), "\n" if @aside;
open my $gcov, '-|', 'sh', '-c', 'exec gcov --json-format --stdout --branch-probabilities "$@" 2>/dev/null', 'gcov', @objects
    or die "gcov: $!\n";
while (my $object = <$gcov>) {
    for my $file (@{ decode_json($object)->{files} }) {
        add($file, $_) for @{ $file->{lines} };
    }
}
close $gcov or die "make coverage: gcov failed\n";

# --- branches that nothing can reach --------------------------------------------------------------------------------
my (%excused, %missed);    # file => line => function => count
for my $file (keys %branch) {
    for my $at (keys %{ $branch{$file} }) {
        for my $function (keys %{ $branch{$file}{$at} }) {
            my $n = grep { !$_ } @{ $branch{$file}{$at}{$function} };
            $missed{$file}{$at}{$function} = $n if $n;
        }
    }
}
for (rows($listed)) {
    my ($file, $function, $source, $count, $reason) = @$_;
    my @at = grep { $branch{$file}{$_}{$function} && text($file)->[$_ - 1] eq $source } keys %{ $branch{$file} };
    my $n = 0;
    $n += $missed{$file}{$_}{$function} // 0 for @at;
    if (!$reason) { complain("$listed: no reason: $file: $source") }
    elsif (!@at) { complain("$listed: not in $file, $function: $source") }
    elsif ($n < $count && $reason !~ /^of a CPU/) { complain("$listed: $n of its branches are not reached, $count are listed: $file, $function: $source") }
    for (@at) {
        my $here = $missed{$file}{$_}{$function} // 0;
        $excused{$file}{$_}{$function} = $here < $count ? $here : $count;
        $count -= $excused{$file}{$_}{$function};
    }
}

# --- the rooms ------------------------------------------------------------------------------------------------------
sub tally {
    my ($room) = @_;
    my %t = map { $_ => 0 } qw(lines run branches taken excused);
    for my $file (grep { m{^\Q$room\E/} } keys %line) {
        $t{lines} += keys %{ $line{$file} };
        $t{run} += grep { $_ } values %{ $line{$file} };
        for my $at (keys %{ $branch{$file} }) {
            for my $function (keys %{ $branch{$file}{$at} }) {
                my $n = @{ $branch{$file}{$at}{$function} };
                $t{branches} += $n;
                $t{taken} += $n - ($missed{$file}{$at}{$function} // 0);
                $t{excused} += $excused{$file}{$at}{$function} // 0;
            }
        }
    }
    return \%t;
}
# Of a hundred, two decimals, never rounded up to all.
sub share { my ($part, $whole) = @_; return $whole ? int(1e4 * $part / $whole) / 100 : 100 }

my %before = map { $_->[0] => [@$_[1, 2]] } rows($kept);
my @new;
printf "%-16s %7s %7s %8s %8s %11s\n", qw(room lines run/% branches taken/% unreachable);
for my $room (@rooms) {
    my $t = tally($room);
    next unless $t->{lines};
    my @now = (share($t->{run}, $t->{lines}), share($t->{taken}, $t->{branches} - $t->{excused}));
    push @new, sprintf "%s\t%.2f\t%.2f\n", $room, @now;
    my $was = delete $before{$room};
    my $note = '';
    complain("$room: no figures in $kept") unless $was || $write;
    for my $k ($was ? (0, 1) : ()) {
        my $what = ('lines', 'branches')[$k];
        if ($now[$k] < $was->[$k] - $tolerance) {
            complain("$room: $now[$k] % of $what, $was->[$k] % in $kept") unless $write;
        } elsif ($now[$k] > $was->[$k] + $tolerance) { $note .= "  $what rose from $was->[$k]" }
    }
    printf "%-16s %7d %7.2f %8d %8.2f %11d%s\n", $room, $t->{lines}, $now[0], $t->{branches}, $now[1], $t->{excused}, $note;
}

for my $room (sort keys %before) {
    complain("$room: figures in $kept, but no objects") unless $write;
}

open my $list, '>', "$build/uncovered.tsv" or die "$build/uncovered.tsv: $!\n";
for my $file (sort keys %line) {
    for my $at (sort { $a <=> $b } keys %{ $line{$file} }) {
        my @open = grep { ($missed{$file}{$at}{$_} // 0) > ($excused{$file}{$at}{$_} // 0) } sort keys %{ $missed{$file}{$at} // {} };
        print $list join("\t", "$file:$at", $_, $missed{$file}{$at}{$_} . '/' . @{ $branch{$file}{$at}{$_} }, text($file)->[$at - 1]), "\n"
            for @open;
        print $list join("\t", "$file:$at", '', 'line', text($file)->[$at - 1]), "\n" unless @open || $line{$file}{$at};
    }
}
close $list or die "$build/uncovered.tsv: $!\n";

if ($write) {
    open my $h, '>', $kept or die "$kept: $!\n";
    print $h "# What the tests reach, per cent: `make coverage` fails below, `make coverage COVERED=--write` rewrites it.\n",
        "# room\tlines\tbranches\n", @new;
    close $h or die "$kept: $!\n";
}
exit $failed;
