#!/usr/bin/perl
# man.pl - the manual pages of the library, section 3, from its public headers as they stand: libimpact.3 from
# reference.md, a page for each header, and for each function a page that is the one of its header.
#
#     perl docs/site/man.pl FOLDER DATE HEADER...
use strict;
use warnings;
use File::Basename;
use Text::Wrap;
use lib dirname(__FILE__);
use Header;

$Text::Wrap::columns = 79;
$Text::Wrap::huge = 'overflow';
my $place = dirname(__FILE__);
my ($folder, $date, @headers) = @ARGV;
die "man.pl: FOLDER DATE HEADER...\n" if !@headers;

sub slurp {
    my ($path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

sub write_page {
    my ($name, @lines) = @_;
    open(my $out, '>', "$folder/$name.3") or die "$folder/$name.3: $!\n";
    print $out map { "$_\n" } @lines;
    close($out) or die "$folder/$name.3: $!\n";
}

# A line as mdoc takes it: nothing in it is a request or an escape.
sub plain {
    my ($line) = @_;
    return $line =~ s/\s+$//r =~ s/\\/\\e/gr =~ s/-/\\-/gr =~ s/^([.'])/\\&$1/r;
}

sub literal { return ('.Bd -literal', (map { plain($_) } @_), '.Ed') }

# A paragraph as lines that begin with its sentences; the points of initials and of abbreviations end none.
sub filled {
    my ($paragraph) = @_;
    $paragraph =~ s/\s+/ /g;
    $paragraph =~ s/\b([A-Z]|Fig|Proc|Soc|al|eq)\. /$1.\x01 /g;
    my @sentences = split /(?<=[.?!]|[.]["')]) /, $paragraph;
    return map { plain($_) =~ s/\x01/\\&/gr } map { split /\n/, wrap('', '', $_) } @sentences;
}

# The text of a comment, as paragraphs; what is indented stays as it is.
sub text {
    my ($comment) = @_;
    my @out;
    for my $paragraph (split /\n\s*\n/, $comment) {
        if ($paragraph =~ /^    /) { push @out, literal(split /\n/, $paragraph) }
        else { push @out, (@out && $out[-1] ne '.Ed' ? '.Pp' : ()), filled($paragraph) }
    }
    return @out;
}

# A comment without its marks and the stars before its lines.
sub bare {
    my ($comment) = @_;
    return $comment =~ s|^/\*+ ?||r =~ s|\s*\*/$||r =~ s/^ ?\* ?//mgr;
}

sub blank { my ($comment) = @_; return $comment =~ s/[^\n]/ /gr }

# The public part of a header as pieces: [comment or '', declarations]. Empty lines and comments between declarations
# part them.
sub pieces {
    my ($code) = @_;
    $code = $1 if $code =~ /^IMP_PUBLIC_BEGIN\n(.*)^IMP_PUBLIC_END\n/ms;
    $code =~ s/\A$COMMENT//;
    $code =~ s~^#(?:ifn?def|include|undef|endif)\b.*\n|^/\* clang-format \w+ \*/\n~~mg;
    my $bones = $code =~ s/($COMMENT)/blank($1)/ger;
    my @bones = split /\n/, $bones;
    my ($depth, @blocks) = (0, '');
    for my $line (split /\n/, $code) {
        push @blocks, '' if $depth == 0 && $line =~ m~^(?:/\*|$)~;
        $blocks[-1] .= "$line\n";
        my $bone = shift @bones;
        $depth += ($bone =~ tr/{(//) - ($bone =~ tr/})//);
    }
    return map { /^($COMMENT\n)?(.*\S)\s*$/s ? [$1 // '', $2] : () } @blocks;
}

# The functions and the variables that a piece declares.
sub names {
    my ($declarations) = @_;
    my $bare = $declarations =~ s/$COMMENT|__attribute__\(\(.*?\)\)\) //gr;
    return ($bare =~ /^(?!typedef|extern|#)[a-z][\w *]*?\b(imp_\w+)\(/mg,
        map { /\b(imp_\w+)\b(?=\[|,|$)/g } $bare =~ /^extern (.*?);/msg);
}

# A page from its name, the names that are looked up, a line about it, and the rest.
sub page {
    my ($page, $names, $about, @rest) = @_;
    my $last = pop @$names;
    write_page($page, ".Dd $date", '.Dt ' . uc($page) . ' 3', '.Os', '.Sh NAME', (map { ".Nm $_ ," } @$names),
        ".Nm $last", ".Nd $about", @rest);
}

# The comment at the head of a header: a line about it, and the rest.
sub about {
    my ($code, $header) = @_;
    my ($comment) = $code =~ /^($COMMENT)/ or die "$header: no comment at its head\n";
    my ($about, $more) = bare($comment) =~ /^\S+ - (?:libimpact: )?(.*?)\.?(?:(?:\n\n|(?<=\.)\s+(?=[A-Z]))(.*))?$/s
        or die "$header: its comment is no NAME.h - WHAT\n";
    return ($about =~ s/\s+/ /gr, $more // '');
}

my $own = 'impact_dump'; # a header for programs without the library
my (@pages, @main);
for my $header (@headers) {
    my $code = inline_functions(slurp($header));
    my ($about, $more) = about($code, $header);
    my @pieces = pieces($code);
    next if !grep { $_->[1] =~ /;/ } @pieces;
    my @names = map { names($_->[1]) } @pieces;
    my @body = map { (literal(split /\n/, $_->[1]),
        $_->[0] ? ('.Bd -filled -offset indent', text(bare($_->[0])), '.Ed') : ()) } @pieces;
    my ($base) = $header =~ m|([^/]+)\.h$|;
    my $page = $base eq 'impact' ? 'libimpact' : $base eq $own ? $base : 'impact-' . $base =~ tr/_/-/r;
    write_page($_, ".so man3/$page.3") for @names;
    $more = slurp("$place/reference.md") =~ s/^#.*\n+//r =~ s/`//gr if $page eq 'libimpact';
    my $in = $base eq $own ? $base : 'impact';
    @body = ('.Sh SYNOPSIS', ".In $in.h", '.Sh DESCRIPTION', text($more), @body);
    if ($page eq 'libimpact') {
        @main = ($page, [$page, @names], $about, @body);
    } else {
        page($page, [$page, @names], $about, @body, '.Sh SEE ALSO', '.Xr libimpact 3');
        push @pages, [$page, $about];
    }
}
page(@main, '.Ss Pages', '.Bl -tag -width Ds', (map { (".It Xr $_->[0] 3", filled($_->[1])) } @pages), '.El',
    '.Sh SEE ALSO', '.Xr impact 1 ,', '.Xr impact-formats 5 ,', '.Xr impact-laws 7');
