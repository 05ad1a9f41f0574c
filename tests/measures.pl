# measures.pl - how much there is to read: `measures.pl FOLDER...`, a row for each folder. `make measures` runs it.
#
# Lines: of all .c and .h files. Code lines: what is left of them without comments, where anything is. Tokens: names,
# numbers, strings, operators of several characters, other characters. Functions: from the line of the opening brace's
# declaration to the closing brace in the first column.
use strict;
use warnings;
use File::Find;

sub median { my ($share, @x) = @_; return @x ? (sort { $a <=> $b } @x)[int($share * $#x + 0.5)] : 0 }

printf "%-16s %5s %6s %6s %8s %9s %7s %7s %7s %7s  %s\n", qw(folder files lines code comment tokens/li median p90 max file-p90 longest);
for my $folder (@ARGV) {
    my (@files, @length, @file_lines, $longest);
    find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.[ch]$/ } }, $folder);
    my ($lines, $code, $tokens, $comment, $most) = (0, 0, 0, 0, -1);
    for my $file (sort @files) {
        open my $h, '<', $file or die "$file: $!\n";
        my $text = do { local $/; <$h> };
        my $all = () = $text =~ /\n/g;
        my $is_code = $text =~ s{("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*.*?\*/|//[^\n]*}{
            defined $1 ? $1 : "\n" x (() = $& =~ /\n/g)}gesr;
        my @code = split /\n/, $is_code, -1;
        my @text = split /\n/, $text, -1;
        push @file_lines, $all;
        $lines += $all;
        my $start;
        for my $k (0 .. $#code) {
            $_ = $code[$k];
            if (/\S/) {
                $code++;
                my $n = () = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\.?\d(?:[\w.]|[eEpP][+-])*|->|\+\+|--|<<=?|>>=?|[-+*\/%&|^=!<>]=|&&|\|\||\.\.\.|[^\s\w]/g;
                $tokens += $n;
            } elsif ($text[$k] =~ /\S/) { $comment++ }
            $start = $k if /^[A-Za-z_].*[({,]\s*$|^[A-Za-z_].*\)\s*\{\s*$|^[A-Za-z_][^;=]*\($/ && !defined $start;
            if (/^\}/ && defined $start) {
                my $is_function = join(' ', @code[$start .. $k]) =~ /^[^={]*\([^{]*\)\s*\{/;
                if ($is_function) {
                    push @length, $k - $start + 1;
                    ($most, $longest) = ($length[-1], "$file:" . ($start + 1)) if $length[-1] > $most;
                }
                undef $start;
            }
            undef $start if /^\S.*;\s*$/;
        }
    }
    printf "%-16s %5d %6d %6d %7.0f%% %9.1f %7d %7d %7d %8d  %s\n", $folder, scalar @files, $lines, $code,
        100 * $comment / ($lines || 1), $code ? $tokens / $code : 0, median(0.5, @length), median(0.9, @length), $most,
        median(0.9, @file_lines), $longest // '';
}
