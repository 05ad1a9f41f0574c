# architecture.pl - the rooms of docs/architecture.md, drawn and listed, against the includes of the sources and, where
# BUILD (build) has objects of them, against what these call of each other.
#
#     architecture.pl ROOT             TAP
#     architecture.pl ROOT --table     the rows that the page should have, without what its rooms hold
use strict;
use warnings;

chdir $ARGV[0] or die "$ARGV[0]: $!\n";
my @files = split /\n/,
    qx(find lib audit outside scene compliant reference generators replay benchmarks campaign fuzz tests cli ranks -name '*.[ch]' -o -name '*.cpp');
my %there = map { $_ => 1 } @files;
sub room { my ($file) = @_; return $file =~ s{/[^/]*$}{}r }

my (%arrow, %includes);
for my $file (@files) {
    open my $h, '<', $file or die "$file: $!\n";
    while (<$h>) {
        my ($name) = /^\s*#\s*include "([^"]+)"/ or next;
        my ($found) = grep { $there{$_} } "lib/$name", $name, room($file) . "/$name" or next;
        $includes{$file}{$found} = 1;
        $arrow{ room($file) }{ room($found) } = 1 if room($found) ne room($file);
    }
}
my %rooms = map { room($_) => 1 } @files;

# The first circle met when arrows are followed, as a list; empty: none.
sub circle {
    my ($next) = @_;
    my (%state, @way, $found);
    my $visit;
    $visit = sub {
        my ($at) = @_;
        return if $found || ($state{$at} // '') eq 'done';
        if (($state{$at} // '') eq 'open') {
            my ($from) = grep { $way[$_] eq $at } 0 .. $#way;
            $found = [@way[$from .. $#way], $at];
            return;
        }
        $state{$at} = 'open';
        push @way, $at;
        $visit->($_) for sort keys %{ $next->{$at} // {} };
        pop @way;
        $state{$at} = 'done';
    };
    $visit->($_) for sort keys %$next;
    return $found ? @$found : ();
}

my (%said, %height);
my ($lines, $pictures) = (0, 0);
open my $page, '<', 'docs/architecture.md' or die "docs/architecture.md: $!\n";
while (<$page>) {
    $lines++;
    $pictures++ if /^```/;
    if ($pictures == 1) { $height{$_} = -$lines for grep { !/^```/ } split } # the first picture: rooms by lines
    my ($room, $includes) = /^\| `([^`]+)` \|.*\| ([^|]*) \|$/ or next;
    $said{$room} = $includes eq '-' ? '' : join ' ', sort map { s/`//gr } split /, /, $includes;
}
sub arrows { my ($room) = @_; return join ' ', sort keys %{ $arrow{$room} // {} } }

if (($ARGV[1] // '') eq '--table') {
    for (sort keys %rooms) { printf "| `%s` | | %s |\n", $_, join(', ', split / /, arrows($_)) || '-' }
    exit 0;
}
my ($tests, $failed) = (0, 0);
sub verdict {
    my ($good, $what, @why) = @_;
    printf "%s %d - %s\n", $good ? 'ok' : 'not ok', ++$tests, $what;
    $failed++ unless $good;
    print STDERR map { "# $_\n" } $good ? () : ("failed: $what", @why);
}
verdict(join(' ', sort keys %said) eq join(' ', sort keys %rooms), 'the page lists the rooms there are',
    (map { "not listed: $_" } grep { !defined $said{$_} } sort keys %rooms), map { "gone: $_" } grep { !$rooms{$_} } sort keys %said);
for (sort grep { defined $said{$_} } keys %rooms) {
    verdict($said{$_} eq arrows($_), "$_: the arrows of the page", "said  $said{$_}", "there " . arrows($_));
}
verdict(join(' ', sort keys %height) eq join(' ', sort keys %rooms), 'the drawing has the rooms there are',
    (map { "not drawn: $_" } grep { !$height{$_} } sort keys %rooms),
    map { "gone: $_" } grep { !$rooms{$_} } sort keys %height);
my @level;
for my $from (sort keys %height) {
    push @level, map { "$from -> $_" } grep { ($height{$_} // 0) >= $height{$from} } split / /, arrows($from);
}
verdict(!@level, 'in the drawing all arrows go down', @level);
my @rooms = circle(\%arrow);
verdict(!@rooms, 'rooms: no circle', join ' -> ', @rooms);
my @circle = circle(\%includes);
verdict(!@circle, 'files: no circle', join ' -> ', @circle);
my (%defines, %calls);
my $build = $ENV{BUILD} // 'build';
my @objects = grep { -f s{^\Q$build\E/(.*)\.o$}{$1.c}r } split /\n/, qx(find '$build' -name '*.o' 2>/dev/null);
my %uses;
open my $names, '-|', 'nm', '-gA', @objects or die "nm: $!\n" if @objects;
while (@objects && defined($_ = <$names>)) { # FILE.o:ADDRESS KIND NAME
    my ($file, $kind, $name) = m{^\Q$build\E/(.*)\.o:\S* +(\w) (\S+)} or next;
    $file .= '.c';
    if ($kind eq 'U') { $uses{$file}{$name} = 1 }
    elsif ($kind =~ /[BDRTVW]/ && $file !~ m{^tests/}) { $defines{$name} = $file }
}
for my $file (keys %uses) {
    for (map { $defines{$_} // () } keys %{ $uses{$file} }) { $calls{$file}{$_} = 1 if $_ ne $file }
}
my @round = circle(\%calls);
if (@objects) { verdict(!@round, 'calls between files: no circle', join ' -> ', @round) }
verdict($lines <= 120, "the page has at most 120 lines: $lines");
print "1..$tests\n";
exit($failed ? 1 : 0);
