# conditions.pl - which conditions decide: `conditions.pl BUILD ROOM...`, a row for each room. `make conditions` runs it
# after the C tests, in a build of clang that counts (MCDC=1; clang 18 and newer).
#
# A decision is an expression of conditions, `a && (b || !c)`. MC/DC: of each condition the tests have seen a pair of
# evaluations in which it alone differs, and with it the decision. Code of a header counts in the room of the header:
# shown where one of the objects that include it showed it. Conditions that no test can show stand with their reason in
# tests/conditions.tsv, by their number in the decision.
# Exit 1: another one is not shown, or a row of that file is shown, or gone.
use strict;
use warnings;
use JSON::PP;

my ($build, @rooms) = @ARGV;
my $listed = 'tests/conditions.tsv';
my $version = ($ENV{CC} // '') =~ /clang(-\d+)$/ ? $1 : '';
my $failed = 0;
sub complain { print STDERR "make conditions: @_\n"; $failed = 1 }

# --- what the tests saw: file => line:column => [shown, ...] --------------------------------------------------------
my @profiles = glob "$build/profiles/*.profraw";
my @programs = grep { -x && !/\.[od]$/ } glob "$build/tests/test_*";
die "make conditions: no test in $build counts\n" unless @profiles && @programs;
system("llvm-profdata$version", 'merge', '-sparse', '-o', "$build/profiles/all", @profiles) == 0
    or die "make conditions: llvm-profdata$version failed\n";
my @sources = map { glob "$_/*.[ch]" } @rooms;
my $first = shift @programs;
open my $export, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh', "llvm-cov$version", 'export', '-skip-functions',
    '-skip-expansions', "-instr-profile=$build/profiles/all", $first, (map { ('-object', $_) } @programs), '-sources', @sources
    or die "llvm-cov: $!\n";
my $all = decode_json(do { local $/; <$export> } || die "make conditions: llvm-cov$version failed\n");
close $export or die "make conditions: llvm-cov$version failed\n";

my %seen;
for my $file (@{ $all->{data}[0]{files} }) {
    my ($name) = grep { $file->{filename} =~ m{(^|/)\Q$_\E$} } @sources or next;
    for (@{ $file->{mcdc_records} // [] }) {
        my ($line, $column, $shown) = @$_[0, 1, -1];
        my $known = $seen{$name}{sprintf '%06d:%03d', $line, $column} //= [];
        $known->[$_] ||= $shown->[$_] ? 1 : 0 for 0 .. $#$shown;
    }
}
die "make conditions: $build has no decisions of @rooms: is it of clang 18 or newer?\n" unless %seen;

# --- what none can show ---------------------------------------------------------------------------------------------
my %text;
sub text {
    my ($file, $at) = @_;
    $text{$file} //= do { open my $h, '<', $file or die "$file: $!\n"; [map { s/^\s+|\s+$//gr } <$h>] };
    return $text{$file}[$at - 1];
}
my %excused;    # file => line:column => condition
open my $list, '<', $listed or die "$listed: $!\n";
while (<$list>) {
    next if /^#|^\s*$/;
    chomp;
    my ($file, $source, $conditions, $reason) = split /\t/;
    my @at = grep { /^0*(\d+)/ && text($file, $1) eq $source } keys %{ $seen{$file} // {} };
    if (!$reason) { complain("$listed: no reason: $file: $source") }
    elsif (!@at) { complain("$listed: no decision in $file: $source") }
    for my $k (split /,/, $conditions) {
        complain("$listed: no condition $k in $file: $source") if @at && !grep { @{ $seen{$file}{$_} } >= $k } @at;
        $excused{$file}{$_}{$k} = 1 for @at;
    }
}

# --- the rooms ------------------------------------------------------------------------------------------------------
printf "%-16s %9s %10s %6s %8s\n", qw(room decisions conditions shown excepted);
for my $room (@rooms) {
    my ($decisions, $conditions, $shown, $excepted) = (0) x 4;
    for my $file (sort grep { m{^\Q$room\E/} } keys %seen) {
        for my $at (sort keys %{ $seen{$file} }) {
            my ($line) = $at =~ /^0*(\d+)/;
            my @is = @{ $seen{$file}{$at} };
            $decisions++;
            $conditions += @is;
            $shown += grep { $_ } @is;
            for my $k (1 .. @is) {
                my $excuse = $excused{$file}{$at}{$k};
                $excepted++ if $excuse && !$is[$k - 1];
                complain("$file:$line: condition $k is not shown: " . text($file, $line)) unless $is[$k - 1] || $excuse;
                complain("$listed: condition $k is shown: $file: " . text($file, $line)) if $is[$k - 1] && $excuse;
            }
        }
    }
    printf "%-16s %9d %10d %6d %8d\n", $room, $decisions, $conditions, $shown, $excepted;
}
exit $failed;
