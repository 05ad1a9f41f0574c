#!/usr/bin/perl
# formats.pl - the pages of formats against the code: every key that an object may have, every column of a table with its
# unit, every field that is written, every name of an FCLIB file, every array of a picture stands in its page; and these
# have no others. The code is read as the compiler sees it, macros expanded. TAP on standard output.
#
#     perl tests/formats.pl
use strict;
use warnings;

my $compile = ($ENV{CC} // 'gcc') . ' -E -P -I. -Ilib';
my ($count, $failed) = (0, 0);

sub verdict {
    my ($good, $name, @why) = @_;
    $count++;
    print $good ? '' : 'not ', "ok $count - $name\n";
    print STDERR "# failed $count - $name\n", map { "# $_\n" } @why if !$good;
}

my %expanded;
sub code {
    my ($file) = @_;
    return $expanded{$file} //= `$compile \$(pkg-config --cflags hdf5 jansson 2> /dev/null) $file 2> /dev/null` ||
        die "formats.pl: $file: $compile failed\n";
}

# Sets of the names that objects take: the lists of texts that imp_json_object is given.
sub key_sets {
    my @sets;
    for my $file (@_) {
        my $text = code($file);
        my %asked = map { $_ => 1 } $text =~ /imp_json_object\([^,()]+,\s*(\w+)/g;
        while ($text =~ /\b(\w+)(?:\[\w*\])+\s*=\s*\{((?:[^;{}]|\{[^{}]*\})*)\}/g) {
            my ($name, $body) = ($1, $2);
            next if !$asked{$name};
            for my $list ($body =~ /\{/ ? $body =~ /\{([^{}]*)\}/g : $body) {
                my @keys = $list =~ /"([^"]*)"/g;
                push @sets, \@keys if @keys;
            }
        }
    }
    return @sets;
}

# Columns of tables, each a set of "name unit", or "name" where the code has no unit.
sub column_sets {
    my @sets;
    for my $file (@_) {
        my $text = code($file);
        while ($text =~ /imp_column \w+\[[^\]]*\] = \{(.*?)\};/gs) {
            my @columns;
            my $body = $1;
            $body =~ s/"\s+"//g; # two literals in a row are one
            push @columns, [$1, $2 // ''] while $body =~ /\{"([^"]+)"\s*,\s*(?:"([^"]*)"|[^,]*),/g;
            push @sets, \@columns if @columns;
        }
    }
    return @sets;
}

# The tables of a page whose header begins with `head`: rows of [names, unit of the last cell].
sub page_tables {
    my ($page, $head) = @_;
    open(my $in, '<', $page) or die "$page: $!\n";
    my ($inside, @tables) = (0);
    while (my $line = <$in>) {
        if ($line =~ /^\| $head \|/) { $inside = 1; push @tables, [] }
        elsif ($line !~ /^\|/) { $inside = 0 }
        elsif ($inside && $line !~ /^\|---/) {
            my @cells = split /(?<!\\)\|/, $line;
            (my $unit = $cells[3] // '') =~ s/^\s+|\s+$//g;
            push @{$tables[-1]}, [[$cells[1] =~ /`([^`]+)`/g], $unit];
        }
    }
    return @tables;
}

sub names { map { @{$_->[0]} } @{$_[0]} }

# Each set of the code lies in a table of the page, and the names of each table are those of the sets that lie in it.
sub compare_sets {
    my ($what, $tables, $sets) = @_;
    my @seen = map { {} } @$tables;
    for my $set (@$sets) {
        my $home = 0;
        for my $k (0 .. $#$tables) {
            my %has = map { $_ => 1 } names($tables->[$k]);
            next if grep { !$has{$_} } @$set;
            $home = 1;
            $seen[$k]{$_} = 1 for @$set;
        }
        verdict($home, "$what: @$set", 'no table has all of them');
    }
    for my $k (0 .. $#$tables) {
        my @names = names($tables->[$k]);
        my @unknown = grep { !$seen[$k]{$_} } @names;
        verdict(@names && !@unknown, "$what: the table of $names[0] has no others", "unknown: @unknown");
    }
}

sub compare_all {
    my ($what, $page, $code) = @_;
    my %page = map { $_ => 1 } @$page;
    my %code = map { $_ => 1 } @$code;
    my @missing = sort grep { !$page{$_} } keys %code;
    my @unknown = sort grep { !$code{$_} } keys %page;
    verdict(%code && !@missing, "$what: all are there", "missing: @missing");
    verdict(!@unknown, "$what: no others are", "unknown: @unknown");
}

my @problem = map { "lib/io/$_.c" } qw(problem_json problem_bodies json_constraints path_json);
compare_sets('formats.md', [page_tables('docs/formats.md', 'key')], [key_sets(@problem)]);
compare_sets('formats-flow.md', [page_tables('docs/formats-flow.md', 'key')], [key_sets('lib/io/flow_file.c')]);
compare_sets('formats-scene.md', [page_tables('docs/formats-scene.md', 'key')], [key_sets(glob 'scene/*.c')]);

my @tables = page_tables('docs/formats-tables.md', 'column');
my @columns = column_sets(grep { !/workers/ } glob 'cli/*.c lib/io/*.c scene/*.c replay/*.c audit/*.c');
compare_sets('formats-tables.md', \@tables, [map { [map { $_->[0] } @$_] } @columns]);
for my $set (@columns) {
    for my $column (grep { $_->[1] } @$set) {
        my ($name, $unit) = @$column;
        my %in_set = map { $_->[0] => 1 } @$set;
        my $said = grep {
            my $table = $_;
            my %has = map { $_ => 1 } names($table);
            !(grep { !$has{$_} } keys %in_set) && grep { $_->[1] eq $unit && grep { $_ eq $name } @{$_->[0]} } @$table;
        } @tables;
        verdict($said, "formats-tables.md: $name is in $unit");
    }
}

# The bodies of recorded impacts: what is not read of a file stands on the page and in the manual.
open(my $sets, '<', 'replay/data.c') or die "replay/data.c: $!\n";
my $recorded = do { local $/; <$sets> };
my ($page, $manual) = map { open(my $in, '<', $_) or die "$_: $!\n"; local $/; <$in> } 'docs/formats-tables.md', 'cli/impact.1';
while ($recorded =~ /\.name = "(\w+)",(.*?)\}/gs) {
    my ($name, $body) = ($1, $2);
    my ($mass, $gyration, $half) = map { $body =~ /\.$_ = ([\d.]+)/ ? $1 : '' } qw(mass gyration half);
    my $row = join ' ', map { length $_ ? "$_ |" : '|' } "| `$name`", $mass, $gyration, $half;
    verdict(scalar($page =~ /^\Q$row\E$/m), "formats-tables.md: the body of $name", "expected: $row");
    verdict(!(grep { length $_ && $manual !~ /(?<![\d.])\Q$_\E m/ } $gyration, $half), "impact.1: the body of $name");
    my $turned = $body =~ /\.mirrored = true/;
    verdict(!!(!$turned || $page =~ /`vx0` and `vx1` are read with\nthe other sign/ && $manual =~ /vx0\nand vx1 are read with the other sign/),
        "x of $name is said to be turned about, where it is");
}

# Fields that are written; those of problems (dump.c) are keys.
my @written = map { code($_) =~ /(?:imp_json_put|put_count)\(\s*&?\w+,\s*"(\w+)"/g }
    grep { !/dump\.c/ } glob 'cli/*.c lib/io/*.c audit/report.c';
my @keys = map { names($_) } page_tables('docs/formats.md', 'key');
my %key = map { $_ => 1 } @keys;
my @fields = map { map { names($_) } page_tables("docs/$_", 'field') } 'formats.md', 'formats-tables.md';
my %field = map { $_ => 1 } @fields;
compare_all('fields', \@fields, [grep { !$key{$_} || $field{$_} } @written]);

# Keys that an answer may have where it is read: fields of the page, and the keys of a problem.
my ($taken) = code('lib/io/answer_fields.c') =~ /\bkeys\[\] = \{(.*?)\};/s;
my @stray = grep { !$key{$_} && !$field{$_} } $taken =~ /"(\w+)"/g;
verdict(!@stray, 'formats.md: keys of an answer that is read', "no field: @stray");

my $fclib = join '', map { code("lib/io/$_.c") } qw(fclib fclib_local fclib_pose fclib_bilateral);
my @places = map { split m|/|, $_ }
    ($fclib =~ m|"(/\w[\w/]*)"|g, $fclib =~ /image, (?:\w+|"[^"]*"), "(\w+)"/g, $fclib =~ /\{"(\w+)", mark/g);
open(my $in, '<', 'docs/formats.md') or die;
my ($section) = join('', <$in>) =~ /^## FCLIB\n(.*)/ms;
my @named = map { split m|/|, $_ } grep { !/^-/ } $section =~ /`([^`]+)`/g;
compare_all('FCLIB', \@named, [grep { $_ ne '' } @places]);

my @arrays = code('lib/io/vtk.c') =~ /\{"(\w+)", \d, /g;
compare_all('pictures', [map { names($_) } page_tables('docs/formats-flow.md', 'array')], \@arrays);
print "1..$count\n";
exit 0;
