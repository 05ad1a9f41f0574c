# Header.pm - what the reference in HTML and in manual pages read of a header alike.
package Header;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw($COMMENT inline_functions);

# A comment, within its marks.
our $COMMENT = qr~/\*(?:(?!\*/).)*\*/~s;

# Of the functions that a header defines, the declarations of those that the comment at its head names; the others are
# its own. Lines stay where they are.
sub inline_functions {
    my ($text) = @_;
    my ($head) = $text =~ /^($COMMENT)/;
    $text =~ s~^((?:$COMMENT\n)?static inline ([^\x7b]*?)\s*\x7b\n.*?^\x7d\n)~declared($1, $head)~msge;
    return $text;
}

sub declared {
    my ($function, $head) = @_;
    my ($declaration) = $function =~ /^(.*?)\s*\x7b/s;
    my ($name) = $declaration =~ /^static inline .*?(\w+)\(/m;
    $declaration = $head =~ /\b$name\b/ ? "$declaration;" : '';
    return $declaration . "\n" x (($function =~ tr/\n//) - ($declaration =~ tr/\n//));
}

1;
