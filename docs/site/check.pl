#!/usr/bin/perl
# check.pl - the links of the pages of a folder: each local file and each anchor is there. One line a fault; exit 1.
#
#     perl docs/site/check.pl FOLDER
use strict;
use warnings;
use File::Find;

my ($folder) = @ARGV;
my (%text, %anchors, $faults, $links);
find({no_chdir => 1, wanted => sub {
    return unless /\.html$/;
    open(my $in, '<', $_) or die "$_: $!\n";
    local $/;
    $text{$_} = <$in>;
    $anchors{$_}{$1} = 1 while $text{$_} =~ /\b(?:id|name)\s*=\s*"([^"]+)"/g;
}}, $folder);
for my $page (sort keys %text) {
    (my $at = $page) =~ s|[^/]*$||;
    while ($text{$page} =~ /\b(?:href|src)\s*=\s*"([^"]*)"/g) {
        my $link = $1;
        $links++;
        next if $link =~ /^(?:[a-z]+:|\/\/)/;
        $link =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
        $link =~ s/&amp;/&/g;
        my ($path, $anchor) = $link =~ /^([^#?]*)[^#]*#?(.*)$/;
        my $file = $path eq '' ? $page : "$at$path";
        1 while $file =~ s|[^/]+/\.\./||;
        if (!-e $file) { print "$page: $link: no such file\n"; $faults++ }
        elsif ($anchor ne '' && $text{$file} && !$anchors{$file}{$anchor}) { print "$page: $link: no such anchor\n"; $faults++ }
    }
}
die "check.pl: no links in $folder\n" if !$links;
exit($faults ? 1 : 0);
