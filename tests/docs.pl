#!/usr/bin/perl
# docs.pl - the code blocks of pages: those with a name are files, a line "$ COMMAND" in any is run, and what stands under
# it is what it prints, on standard output and error. Each page has a folder of its own, with the tree's examples, scenes
# and flows in it. TAP on standard output.
#
#     perl tests/docs.pl BUILD PAGE...
#
# Numbers agree to 1e-6, or both are below 1e-12: rounding differs from machine to machine. "..." stands for any text, in
# a line of its own for any lines. A flow ends after 0.002 s; what draws fresh problems
# does so with the same seed every time. Commands that take seconds run in the long form alone. What needs a network, a
# package manager, somebody's data or a tool that is not there is skipped with a line.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use File::Temp qw(tempdir);

my ($build, @pages) = @ARGV;
my $root = abs_path(dirname(__FILE__) . '/..');
$build = abs_path($build);
my $count = 0;
my $seed = 4;
$ENV{PATH} = "$build:$ENV{PATH}";
$ENV{CC} //= 'gcc';
$ENV{LC_ALL} = 'C';

sub verdict {
    my ($good, $name, @why) = @_;
    $name =~ s/#/\\#/g;
    $count++;
    print $good ? '' : 'not ', "ok $count - $name\n";
    print STDERR "# failed $count - $name\n", map { "# $_\n" } @why if !$good;
}

# The blocks of a page: [name or '', lines].
sub blocks {
    my ($page) = @_;
    open(my $in, '<', "$root/$page") or die "$page: $!\n";
    my (@found, $fence);
    while (my $line = <$in>) {
        chomp $line;
        if (defined $fence) {
            if ($line =~ /^\s*```\s*$/) { undef $fence }
            else { push @{$found[-1][1]}, $line }
        } elsif ($line =~ /^\s*```(\S*)\s*(\S*)/) {
            $fence = 1;
            push @found, [$2, []];
        } elsif ($line =~ /^    (.*)/) {
            push @found, ['', []] if !@found || !$found[-1][2];
            $found[-1][2] = 1;
            push @{$found[-1][1]}, $1;
        } elsif (@found) {
            $found[-1][2] = 0;
        }
    }
    return @found;
}

sub tokens_agree {
    my ($want, $got) = @_;
    return 1 if $want eq $got;
    my $number = qr/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
    return 0 unless $want =~ $number && $got =~ $number;
    my $size = abs($want) > abs($got) ? abs($want) : abs($got);
    return $size < 1e-12 || abs($want - $got) <= 1e-6 * $size;
}

sub line_agrees {
    my ($want, $got) = @_;
    if ($want =~ /\.\.\./) {
        my $pattern = join '.*', map { quotemeta } split /\.\.\./, $want, -1;
        return $got =~ /^$pattern$/;
    }
    my @want = split /([\s,;:()\[\]{}"=]+)/, $want;
    my @got = split /([\s,;:()\[\]{}"=]+)/, $got;
    return 0 if @want != @got;
    for (0 .. $#want) {
        my ($w, $g) = ($want[$_], $got[$_]);
        s/^\s+$/ / for $w, $g;
        return 0 unless tokens_agree($w, $g);
    }
    return 1;
}

# Do the lines agree, "..." standing for any of them?
sub agree {
    my ($want, $got) = @_;
    return !@$got if !@$want;
    if ($want->[0] eq '...') {
        for my $skipped (0 .. @$got) {
            return 1 if agree([@$want[1 .. $#$want]], [@$got[$skipped .. $#$got]]);
        }
        return 0;
    }
    return @$got && line_agrees($want->[0], $got->[0]) &&
        agree([@$want[1 .. $#$want]], [@$got[1 .. $#$got]]);
}

# Why a command is not run here; '' where it is.
sub skipped {
    my ($command) = @_;
    return 'the tree is built already' if $command =~ /^(make|git|pip|export|sudo|cd) /;
    return 'recorded impacts are not part of the project' if $command =~ /IMPACT_DATA=/;
    for my $tool (split ' ', 'mpirun python3 gnuplot cmake g++ pkg-config') {
        return "no $tool" if $command =~ /(^|[ "|])\Q$tool\E / && system("command -v $tool > /dev/null 2>&1") != 0;
    }
    return 'impact is not installed: test_install.sh runs it'
        if $command =~ /pkg-config .*impact/ && system('pkg-config --exists impact > /dev/null 2>&1') != 0;
    return 'root may not start ranks, or there are no slots'
        if $command =~ /^mpirun/ && system('mpirun -n 4 true > /dev/null 2>&1') != 0;
    return '';
}

sub run {
    my ($page, $command, $want) = @_;
    my $why = skipped($command);
    if ($why) {
        $count++;
        print "ok $count - $page: $command # SKIP $why\n";
        return;
    }
    (my $own = $command) =~ s/^gcc /$ENV{CC} /;
    $own =~ s/(impact(?:-mpi)? flow) /$1 --set until=0.002 /;
    $own =~ s/(impact (?:problems(?= [a-z])|audit|race))/$1 --seed $seed/g if $own !~ /--seed/;
    my @got = split /\n/, `{ $own ; } 2>&1 < /dev/null`;
    my $status = $? >> 8;
    my $good = $status == 0 && (!@$want || agree($want, \@got));
    verdict($good, "$page: $command", "status $status", map { "got  $_" } @got[0 .. ($#got < 12 ? $#got : 12)]);
}

for my $page (@pages) {
    my $work = tempdir(CLEANUP => 1);
    chdir $work or die;
    mkdir "$work/build";
    for (qw(impact impact-mpi benchmarks tests libimpact.a libimpact.so.0)) {
        symlink("$build/$_", "$work/build/$_") if -e "$build/$_";
    }
    for (qw(benchmarks docs examples lib plots python tests reference)) { symlink("$root/$_", "$work/$_") }
    for my $block (blocks($page)) {
        my ($name, $lines) = @$block;
        if ($name) {
            open(my $out, '>', "$work/$name") or die "$name: $!";
            print $out map { "$_\n" } @$lines;
            close $out;
            next;
        }
        my ($command, @want);
        for my $line (@$lines, undef) {
            if (!defined $line || $line =~ /^\$ /) {
                pop @want while @want && $want[-1] =~ /^\s*$/;
                run($page, $command, [@want]) if defined $command;
                last if !defined $line;
                ($command, @want) = ($line =~ /^\$ (.*)/);
                @want = ();
            } elsif (defined $command && $command =~ /\\$/) {
                $command =~ s/\s*\\$//;
                (my $rest = $line) =~ s/^\s+//;
                $command .= " $rest";
            } elsif (defined $command) {
                push @want, $line;
            }
        }
    }
    chdir '/';
}
verdict($count > 0, 'there are commands');
print "1..$count\n";
