#!/usr/bin/perl
# filter.pl - a header as doxygen wants it: its comments, which are for people, marked as documentation of what follows,
# or of what stands before them in their line. A comment is of all declarations under it, up to an empty line, and of all
# names of one: each gets it. Lines stay where they are.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use Header;

local $/;
my $text = <>;
if ($ARGV =~ /\.md$/) { print $text; exit }

# "int a, b; /* comment */": a declaration for each name, with the comment, which may stand above; the lines of both.
sub each_name {
    my ($above, $type, $names, $behind) = @_;
    my $comment = $above ? $above : $behind;
    my $said = $comment =~ s/^\s+|\s+$//gr =~ s/\s*\n[ *]*/ /gr;
    return join(' ', map { "$type$_; $said" } split /, */, $names =~ s/\n\s*/ /gr) . "\n" x (() = "$above$names$behind" =~ /\n/g);
}

$text = inline_functions($text);
my $name = qr/\*?\w+(?:\[\w*\])?/;
my $names = qr/$name(?:,\s*$name)+/;
$text =~ s/^( +$COMMENT\n|)( +[a-z_][\w ]*? )($names);((?: *$COMMENT)?)(?=\n)/$1 || $4 ? each_name($1, $2, $3, $4) : $&/gme;
# constants under one comment
$text =~ s{^($COMMENT\n)((?:extern [^;]*;\n)+)}{
    my ($above, $all) = ($1, $2);
    my $said = $above =~ s/\s*\n[ *]*/ /gr;
    "\n" x ($above =~ tr|\n||) . $all =~ s/^(extern .*? )($name(?:,\s*$name)*);(?=\n)/each_name('', $1, $2, $said)/gmser }gme;

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
        if ($depth == 0 && $said ne '' && $line =~ /;\s*(?:\/\*.*)?$|(?:^|\*\/ )#define .*[^\\]$/ &&
            substr($text, pos $text, 200) =~ /^(?:[a-z_][^\n]*\(|#define )/) {
            $piece = "\n$said";
        }
    }
    $depth++ if $piece eq '{';
    $depth-- if $piece eq '}';
    $out .= $piece;
    $line = $piece =~ /\n/ ? ($piece =~ /([^\n]*)\z/)[0] : $line . $piece;
}
print $out;
