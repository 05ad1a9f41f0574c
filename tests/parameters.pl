#!/usr/bin/perl
# parameters.pl - the parameters of a header's functions that no comment names: not that of the function, nor one above it
# in the header, which may say what they are once for all. Those of the project's own types are left out. One line each;
# exit 1.
#
#     perl -Idocs/site tests/parameters.pl HEADER...
use strict;
use warnings;
use Header;

my $unnamed = 0;
for my $header (@ARGV) {
    open(my $in, '<', $header) or die "$header: $!\n";
    my $text = inline_functions(do { local $/; <$in> });
    my $said = '';
    for my $block (split /\n\s*\n/, $text) {
        $said .= join ' ', '', $block =~ /($COMMENT)/g;
        my $code = $block =~ s/$COMMENT//gr;
        while ($code =~ /^(?!typedef|#|extern)[a-z][\w *]*?\b(imp_\w+)\(([^;]*)\);/mg) {
            my ($function, $parameters) = ($1, $2);
            for my $parameter (grep { !/\bimp_\w+ |\bjson_t / } split /,/, $parameters) {
                my ($name) = $parameter =~ /(\w+)(?:\[\w*\])*\s*$/;
                next if !$name || $name eq 'void' || $said =~ /\b$name\b/;
                print "$header: $function: $name\n";
                $unnamed++;
            }
        }
    }
}
exit($unnamed ? 1 : 0);
