#!/usr/bin/perl
# filter.pl - a header as doxygen wants it: its comments, which are for people, marked as documentation of what follows,
# or of what stands before them in their line. A comment is of all declarations under it, up to an empty line: each gets
# it. Lines stay where they are.
use strict;
use warnings;

local $/;
my $text = <>;
if ($ARGV =~ /\.md$/) { print $text; exit }
my ($out, $line, $depth, $said) = ('', '', 0, '');
while ($text =~ /\G(\/\*.*?\*\/|"(?:\\.|[^"\\])*"|.)/gs) {
    my $piece = $1;
    if ($piece =~ s/^\/\*//) {
        $piece =~ s/([\\@<>#%&\$])/\\$1/g;
        my $own = $line =~ /^\s*(?:\}\s*)?$/;
        my $mark = $out eq '' ? '/** @file ' : $own ? '/** ' : '/**< ';
        if ($own && $depth == 0 && $out ne '') {
            ($said = "/** $piece ") =~ s/\s*\n \*/ /g;
            $piece = "$mark$piece";
        } else {
            $piece = $piece =~ /clang-format/ ? "/*$piece" : "$mark$piece";
        }
    } elsif ($piece eq "\n") {
        $said = '' if $line =~ /^\s*$/ && $out =~ /\n[ \t]*$/;
        # a declaration ends here, and another begins below: the comment is of that too
        if ($depth == 0 && $said ne '' && $line =~ /;\s*(?:\/\*.*)?$/ && substr($text, pos $text, 200) =~ /^[a-z_][^\n]*\(/) {
            $piece = "\n$said";
        }
    }
    $depth++ if $piece eq '{';
    $depth-- if $piece eq '}';
    $out .= $piece;
    $line = $piece =~ /\n/ ? ($piece =~ /([^\n]*)\z/)[0] : $line . $piece;
}
print $out;
