#!/usr/bin/perl
# The code that each inquiry of a campaign runs, as a table in C: a hash of its objects without what is for debuggers.
# Its lots carry it in the log, and count for as long as none of that code changes.
#     code.pl INQUIRIES OBJECT... --program OBJECT...
# INQUIRIES names the inquiries, by the symbols that it lacks. An inquiry runs its own object and whatever defines a symbol
# that is lacked there, and so on; one that runs commands, the program too.
use strict;
use warnings;
use Digest::SHA;
use File::Temp;

# What writes down a problem that has a fault decides nothing there; of the table of models a certificate asks those of its law,
# which the inquiry has named.
my @aside = qw(campaign/shrink.o lib/io/dump.o);
my ($certificate, $table) = ('lib/certify.o', 'imp_models');
my $commands = 'campaign/commands.o';

my ($inquiries, @objects) = @ARGV;
my ($mark) = grep { $objects[$_] eq '--program' } 0 .. $#objects;
my (undef, @program) = splice @objects, $mark;

my (%from, %lacks);    # the object that defines a symbol; the symbols that an object lacks
open my $nm, '-|', 'nm', '-A', '-P', '-g', $inquiries, @objects or die "code.pl: nm: $!\n";
while (<$nm>) {
    my ($object, $symbol, $kind) = /^(\S+): (\S+) (\S)/ or next;
    if ($kind eq 'U') { push @{$lacks{$object}}, $symbol }
    elsif ($kind !~ /[vw]/) { $from{$symbol} = $object }
}
close $nm or die "code.pl: nm failed\n";

my $bare = File::Temp->new;
my %hash;
sub hash {
    my ($object) = @_;
    return $hash{$object} //= do {
        system('objcopy', '--strip-debug', $object, $bare->filename) == 0 or die "code.pl: objcopy failed\n";
        Digest::SHA->new(256)->addfile($bare->filename)->hexdigest;
    };
}

sub is { my ($object, $file) = @_; return $object =~ m{(^|/)\Q$file\E$} }

print "#include \"campaign/campaign.h\"\n\nconst campaign_code campaign_codes[] = {\n";
for my $inquiry (sort grep { /^campaign_/ } @{$lacks{$inquiries}}) {
    my (%runs, @open, $commanded);
    push @open, $from{$inquiry};
    while (defined(my $object = pop @open)) {
        next if $runs{$object} || !$commanded && grep { is($object, $_) } @aside;
        $runs{$object} = 1;
        push @open, @program if is($object, $commands) && !$commanded++;
        my @symbols = grep { $_ ne $table || !is($object, $certificate) } @{$lacks{$object} // []};
        push @open, grep { defined } map { $from{$_} } @symbols;
    }
    my $code = Digest::SHA->new(256);
    $code->add(hash($_)) for sort keys %runs;
    print '    {"', $inquiry =~ s/^campaign_//r, '", "', substr($code->hexdigest, 0, 16), "\"},\n";
}
print "    {NULL, NULL}};\n";
