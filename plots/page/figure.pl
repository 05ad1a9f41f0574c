# figure.pl - a figure of gnuplot as the page holds it: perl figure.pl NAME.svg
#
# The page writes <svg ...> itself, its colours and what gnuplot says of every element again are set by page.css, and the
# marks (gpPt1 ...), the same in all figures, stand in page.html once. Colours become variables, so that a dark page has
# its own; what no rule names keeps its colour. Places have tenths of a pixel and stand as steps from the one before; lines
# lose the points that lie within a tenth of a pixel of the line without them; what follows each other in the same colour
# is one element. A sixth of the size is left.
use strict;
use warnings;

my %names = (
    '27 31 36' => 'ink', '0 0 0' => 'ink', '255 255 255' => 'paper', '107 118 129' => 'frame', '223 228 234' => 'pale',
    '154 164 175' => 'grey', '0 114 178' => 'blue', '209 54 47' => 'red', '0 158 115' => 'green', '230 159 0' => 'orange',
    '142 94 162' => 'purple', '86 180 233' => 'sky', '216 232 245' => 'wash', '236 239 242' => 'void');

sub colour {
    my ($c) = @_;
    $c = '0 0 0' if $c eq 'black';
    $c = join ' ', map { hex } unpack '(A2)3', $1 if $c =~ /^#(\w{6})$/;
    $c = "$1 $2 $3" if $c =~ /^rgb\( *(\d+), *(\d+), *(\d+)\)$/;
    return "var(--$names{$c})" if $names{$c};
    return $c =~ /^\d+ \d+ \d+$/ ? sprintf '#%02x%02x%02x', split / /, $c : $c;
}

# Tenths of a pixel as the shortest number.
sub tenths {
    my $text = sprintf '%.1f', $_[0] / 10;
    $text =~ s/\.0$//;
    $text =~ s/^(-?)0\./$1./;
    return $text eq '-0' ? '0' : $text;
}

sub tenths_of { map { sprintf '%.0f', 10 * $_ } @_ }

# Which points of a line are needed, by Douglas and Peucker: no other is more than `near` (pixels) off.
my $near = 0.1;

sub needed {
    my ($points) = @_;
    my @keep = (0) x @$points;
    $keep[0] = $keep[-1] = 1;
    my @pieces = [0, $#$points];
    while (my $piece = pop @pieces) {
        my ($from, $to) = @$piece;
        my ($x, $y) = @{$points->[$from]};
        my ($dx, $dy) = ($points->[$to][0] - $x, $points->[$to][1] - $y);
        my ($length, $most, $at) = ($dx * $dx + $dy * $dy, 0, 0);
        for my $k ($from + 1 .. $to - 1) {
            my ($px, $py) = ($points->[$k][0] - $x, $points->[$k][1] - $y);
            my $s = $length > 0 ? ($px * $dx + $py * $dy) / $length : 0;
            $s = $s < 0 ? 0 : $s > 1 ? 1 : $s;
            my $off = ($px - $s * $dx)**2 + ($py - $s * $dy)**2;
            ($most, $at) = ($off, $k) if $off > $most;
        }
        next if $most <= $near * $near;
        $keep[$at] = 1;
        push @pieces, [$from, $at], [$at, $to];
    }
    return map { $keep[$_] ? $points->[$_] : () } 0 .. $#$points;
}

# Path data through points.
sub steps {
    my @points = map { [tenths_of(@$_)] } @_;
    my ($x, $y) = @{shift @points};
    my ($data, $before) = ('M' . join(' ', tenths($x), tenths($y)), '');
    for my $point (@points) {
        my ($dx, $dy) = ($point->[0] - $x, $point->[1] - $y);
        ($x, $y) = @$point;
        next if $dx == 0 && $dy == 0 && @points > 1;
        my $letter = $dy == 0 ? 'h' : $dx == 0 ? 'v' : 'l';
        $data .= $letter eq $before ? ' ' : $letter;
        $data .= $dy == 0 ? tenths($dx) : $dx == 0 ? tenths($dy) : tenths($dx) . ' ' . tenths($dy);
        $before = $letter;
    }
    $data =~ s/ -/-/g;
    return $data;
}

sub points_of { map { [split /,/] } split ' ', $_[0] }

# A line of gnuplot: M and L only, Z at the end of closed ones.
sub line {
    my ($data) = @_;
    my $lines = '';
    for my $part ($data =~ /M[^M]*/g) {
        my $close = $part =~ s/Z\s*$// ? 'z' : '';
        my @points = map { [split /,/] } $part =~ /(-?[\d.]+,-?[\d.]+)/g;
        $lines .= steps(needed(\@points)) . $close;
    }
    return $lines;
}

# An area; upright rectangles turn one way round, so that those of one colour can be one path.
sub area {
    my ($fill, $text) = @_;
    my @points = points_of($text);
    pop @points if @points > 4 && "@{$points[0]}" eq "@{$points[-1]}";
    my @corners = map { [tenths_of(@$_)] } @points;
    my @x = sort { $a <=> $b } map { $_->[0] } @corners;
    my @y = sort { $a <=> $b } map { $_->[1] } @corners;
    my $data = steps(needed([@points, $points[0]])) . 'z';
    if (@points == 4 && $x[0] == $x[1] && $x[2] == $x[3] && $y[0] == $y[1] && $y[2] == $y[3]) {
        my ($left, $top, $width, $height) = ($x[0], $y[0], $x[2] - $x[0], $y[2] - $y[0]);
        $data = 'M' . join ' ', tenths($left), tenths($top);
        $data .= 'h' . tenths($width) . 'v' . tenths($height) . 'h' . tenths(-$width) . 'z';
    }
    return "<path fill=\"$fill\" d=\"$data\"/>";
}

# Words at their place; gnuplot's start of the line and ink are page.css's.
sub word {
    my ($group, $attributes, $text) = @_;
    my ($turn) = $group =~ /rotate\(([^)]*)\)/;
    my ($x, $y) = map { tenths(sprintf '%.0f', 10 * $_) } $group =~ /translate\(([^,]*),([^)]*)\)/;
    my $place = $turn ? "transform=\"translate($x,$y) rotate($turn)\"" : "x=\"$x\" y=\"$y\"";
    my ($fill) = $group =~ /fill="([^"]*)"/;
    my ($anchor) = $group =~ /text-anchor="([^"]*)"/;
    my ($size) = $group =~ /font-size="([^"]*)"/;
    $place .= ' fill="' . $fill . '"' if $fill && $fill ne 'var(--ink)';
    $place .= " text-anchor=\"$anchor\"" if $anchor && $anchor ne 'start';
    $place .= " font-size=\"" . ($size + 0) . '"' if $size && $size != 11;
    return "<text $place$attributes>$text</text>";
}

# A mark: its colour first, so that marks of one colour share it; a disc is a point of a thick line with round ends.
sub mark {
    my ($name, $x, $y, $scale, $colour) = @_;
    ($x, $y) = map { tenths(sprintf '%.0f', 10 * $_) } $x, $y;
    $scale += 0;
    return "<path class=\"disc\" stroke=\"$colour\" stroke-width=\"@{[2 * $scale]}\" d=\"M$x ${y}h0\"/>" if $name eq 'gpPt6';
    return "<g color=\"$colour\"><use href=\"#$name\" transform=\"translate($x $y)scale($scale)\"/></g>";
}

# The lines of a grid in front of the tics and their words, which gnuplot writes in turn.
sub gather {
    my ($run) = @_;
    my $lines = join '', $run =~ /<path stroke="var\(--pale\)"[^>]* d="([^"]*)"/g;
    $run =~ s/<path stroke="var\(--pale\)"[^>]*\/>//g;
    my @tics = $run =~ /<path[^>]*\/>/g;
    my @words = $run =~ /<text.*?<\/text>/g;
    return "<path class=\"grid\" d=\"$lines\"/><g>" . join('', @tics, @words) . '</g>';
}

# What may be one path with others of its kind: lines, and upright boxes, none of which cuts a hole into another.
sub kind {
    my ($kind, $data) = $_[0] =~ /^(<path [^>]*?)d="([^"]*)"\/>$/ or return '';
    return $kind =~ /fill=/ && $data !~ /^(?:M[-\d. ]+h[\d.]+v[\d.]+h-[\d.]+z)+$/ ? '' : $kind;
}

# Groups that begin alike, and lines and boxes of one kind, where they follow each other, as one.
sub join_alike {
    my (@out, @kinds, @open);
    my $closed = '';
    for my $token (grep { $_ ne '' } split /(<[^>]*>)/, $_[0]) {
        my $kind = kind($token);
        if ($token =~ /^<g/ && $closed eq $token) {
            pop @out, pop @kinds;
        } elsif ($kind ne '' && @out && $kinds[-1] eq $kind) {
            substr($out[-1], -3) = substr $token, length($kind) + 3;
        } else {
            push @out, $token;
            push @kinds, $kind;
        }
        push @open, $token if $token =~ /^<g/;
        $closed = $token eq '</g>' ? pop @open : '';
    }
    return join '', @out;
}

local $/;
$_ = <>;
my ($width, $height) = /<svg\s+width="(\d+)" height="(\d+)"/ or die "$ARGV: no picture of gnuplot\n";
# without what stands around it, and what the page says of all
s{^.*<g id="gnuplot_canvas">\s*<rect[^>]*>}{}s;
s{</g>\s*</svg>\s*$}{};
s{<defs>.*?</defs>|<title>[^<]*</title>}{}gs;
s{ (?:id="gnuplot_plot_|font-family="|class=")[^"]*"}{}g;
s{=\s*'([^']*)'}{="$1"}g;
s{(fill|stroke|color) ?= ?"(rgb\([^)]*\)|#\w{6}|black)"}{qq($1=") . colour($2) . '"'}ge;
s{ (?:stroke="currentColor"|fill="none"|stroke="none"|stroke-linecap="butt"|stroke-linejoin="miter")}{}g;
s{ stroke-width="1.00"}{}g;
s{<g([^>]*?) color="[^"]*"}{<g$1}g;
s{>[\t\n ]*\n[\t\n ]*<}{><}g;
s{\s+}{ }g;
s{ (?=/?>)}{}g;
s{(?<=/>|<g>) (?=<)}{}g;
# each element shorter
s{<path stroke="([^"]*)"((?: stroke-dasharray="[^"]*")?) d="([^"]*)"/>}{qq(<path stroke="$1"$2 d=") . line($3) . '"/>'}ge;
s{<polygon fill="([^"]*)" points ?="([^"]*)"/>}{area($1, $2)}ge;
my $place = qr{transform="translate\(([^,]*),([^)]*)\) scale\(([^)]*)\)"};
s{<use xlink:href="#(\w+)" $place(?: color="([^"]*)")?/>}{mark($1, $2, $3, $4, $5 // 'var(--ink)')}ge;
s{<tspan>([^<]*)</tspan>}{$1}g;
s{<g( transform="translate[^>]*)><text( xml:space="preserve")?>((?:(?!</text>).)*)</text></g>}{word($1, $2 // '', $3)}ge;
1 while s{<g[^>]*></g>|<text[^>]*></text>}{}g;
# what follows each other as one
my $grid = qr{<g stroke-width="0.60"><path stroke="var\(--pale\)"[^>]*/></g>};
my $tic = qr{<g>(?:<path[^>]*/>)?\s*(?:<text[^>]*>(?:(?!</text>).)*</text>)?</g>};
s{((?:$grid$tic)+)}{gather($1)}ge;
my $common = qr{((?: text-anchor="\w+")?(?: font-size="[\d.]+")?)};
s{<text( [^>]*?)$common>(.*?)</text>}{$2 eq '' ? $& : "<g$2><text$1>$3</text></g>"}ge;
print " viewBox=\"0 0 $width $height\" width=\"$width\" height=\"$height\"><g>", join_alike($_), '</g></svg>';
