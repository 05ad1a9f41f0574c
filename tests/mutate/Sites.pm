# Sites.pm - where a C source can be made wrong, and how.
#
# sites(text) gives a list of {line, function, text, what, at, length, with}: in line `line` (from 1), whose trimmed text
# is `text`, `length` characters at offset `at` of the file become `with`. `what` says it: "< -> >", "dropped"; the second
# of the same kind in a line is "< -> > /2". Left out is what no run of a test can show or what does not compile:
# comments, strings, preprocessor lines, signatures, members of structures, sizes of memory asked for (only the
# sanitised build sees them) and statements that give memory or files back (only leaks).
package Sites;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(sites);

my $number = qr/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/;

# Operators stand between blanks (clang-format sees to it); each with what it becomes.
my %becomes = (
    '+' => ['-'], '-' => ['+'], '*' => ['/'], '/' => ['*'], '%' => ['*'],
    '+=' => ['-='], '-=' => ['+='], '*=' => ['/='], '/=' => ['*='],
    '<' => ['>', '>='], '>' => ['<', '<='], '<=' => ['>', '>='], '>=' => ['<', '<='],
    '==' => ['!='], '!=' => ['=='], '&&' => ['||'], '||' => ['&&'],
);
my %word = (fmax => 'fmin', fmin => 'fmax', true => 'false', false => 'true', sin => 'cos', cos => 'sin');

# The same text with blanks for comments, strings and preprocessor lines.
sub bare {
    my ($text) = @_;
    my $blank = sub { my $s = shift; $s =~ s/[^\n]/ /g; return $s };
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}{$blank->($1)}gse;
    $text =~ s{^([ \t]*\#(?:[^\n]*\\\n)*[^\n]*)}{$blank->($1)}gme;
    return $text;
}

# For every character: the function (or the object given a value) it is in, '' outside and in structures.
sub owners {
    my ($bare) = @_;
    my ($statement, $depth, $owner, $value, @owners) = ('', 0, '', 0);
    for my $c (split //, $bare) {
        if ($c eq '{') {
            if ($depth == 0) {
                if ($statement =~ /extern\s*$/) { $statement = ''; push @owners, ''; next }
                my $structure = $statement =~ /\b(?:struct|union)\s*\w*\s*$/;
                $owner = $structure                               ? ''
                       : $statement =~ /(\w+)[^\w=]*=\s*$/s        ? $1
                       : $statement =~ /\benum\b/                 ? 'enum'
                       : $statement =~ /(\w+)\s*\(/               ? $1
                       :                                            '';
            }
            $depth++;
        }
        push @owners, $depth > 0 ? $owner : $value ? $owner : '';
        if ($c eq '}') { $depth-- if $depth > 0; $statement = '' if $depth == 0 && !$value }
        elsif ($depth == 0) {
            if    ($c eq ';') { $statement = ''; $value = 0 }
            elsif ($c eq '=') { $value = 1; $owner = $1 if $statement =~ /(\w+)[\s\[\]\w]*$/ }
            $statement .= $c;
        }
    }
    return \@owners;
}

# A number becomes one that means something else. One with an exponent is a threshold, and a thousand times looser: a
# small one larger, a large one smaller. A count of ten or more is a limit or a period, and halved.
sub numbers {
    my ($x) = @_;
    return ('1') if $x =~ /^0(?:\.0*)?$/;
    return $x >= 10 ? int($x / 2) : ($x + 1, $x - 1) if $x =~ /^\d+$/;
    my @other = $x !~ /e/i ? (2 * $x, $x / 2) : $x < 1 ? 1000 * $x : $x / 1000;
    return map { my $s = sprintf '%.15g', $_; $s =~ /[.e]/ ? $s : "$s.0" } @other;
}

sub sites {
    my ($text) = @_;
    my $bare = bare($text);
    my $owner = owners($bare);
    my (@found, $start);
    my @plain = split /(?<=\n)/, $bare;
    my @lines = split /(?<=\n)/, $text;
    my ($offset, $before) = (0, ';');
    for my $n (0 .. $#plain) {
        my ($line, %seen) = ($plain[$n]);
        my $trimmed = $lines[$n];
        $trimmed =~ s/^\s+|\s+$//g;
        my $base = $offset;
        $offset += length $line;
        my $add = sub {
            my ($at, $length, $with, $what) = @_;
            my $function = $owner->[$base + $at] or return;
            my $times = ++$seen{$what};
            push @found, { line => $n + 1, function => $function, text => $trimmed, at => $base + $at, length => $length,
                           with => $with, what => $times > 1 ? "$what /$times" : $what };
        };
        # Sizes in declarators; sizes of memory.
        my $mask = $line;
        if ($mask =~ /^\s*(?:(?:static|const|unsigned|struct)\s+)*[A-Za-z_]\w*\s+\**\w+\s*\[/) {
            $mask =~ s{(\w)(\[[^\]=]*\])(?=[^=]*(?:=|;|,|\[))}{$1 . ' ' x length $2}ge;
        }
        my $memory = $line =~ /alloc\(/;
        # Statements of one line.
        if ($before =~ /[;{}:]$|^\s*else$|\)$/ && $line =~ /^(\s*)(\S.*;)\s*$/) {
            my ($at, $statement) = (length $1, $2);
            my $declares = $statement =~ /^(?:(?:const|static|struct|unsigned)\s+)*[A-Za-z_]\w*\s+\**[a-z_]\w*\s*(?:[=;,\[(])/i
                && $statement !~ /^(?:return|else|goto|case|sizeof)\b/;
            $add->($at, length $statement, ';', 'dropped')
                unless $declares || $statement =~ /^(?:for|while|do|case|default|typedef|\})\b?/
                || $statement =~ /^\w*(?:free|close)\w*\(/ || $statement =~ /^return\b/ && $before !~ /\)$/
                || $statement =~ /^(?:int|double|bool|char|size_t|void)\b/ || $memory || $statement eq ';';
        }
        while ($mask =~ /(?<= )([-+*\/%<>=!&|]{1,2})(?= )/g) {
            my ($op, $at) = ($1, $-[1]);
            next unless $becomes{$op};
            next if $memory && $op =~ /^[-+*\/]$/;
            next if $op eq '*' && substr($mask, 0, $at) =~ /\b(?:const|void|double|int|char)\s*$/;
            $add->($at, length $op, $_, "$op -> $_") for @{ $becomes{$op} };
        }
        while ($mask =~ /(?<![\w)\]\-+])(-)(?=[\w(.])/g) { $add->($-[1], 1, '', 'sign dropped') }
        while ($mask =~ /(!)(?=[\w(])/g) { $add->($-[1], 1, '', '! dropped') }
        while ($mask =~ /\b(fmax|fmin|true|false|sin|cos)\b/g) { $add->($-[1], length $1, $word{$1}, "$1 -> $word{$1}") }
        while (!$memory && $mask =~ /(?<![\w.])($number)(?![\w.])/g) {
            my ($x, $at) = ($1, $-[1]);
            $add->($at, length $x, $_, "$x -> $_") for numbers($x);
        }
        (my $code = $line) =~ s/\s+$//;
        $before = $code if $code =~ /\S/;
    }
    return @found;
}

1;
