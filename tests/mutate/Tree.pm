# Tree.pm - a copy of the sources that can be built, broken and mended: never the working tree itself.
#
# The Makefile is asked for its compile commands (`make -n`); everything that is no program's own goes into one shared
# library, so that after a change one object is compiled and one library linked, whatever tests are to run.
package Tree;
use strict;
use warnings;
use File::Basename 'dirname';
use File::Path qw(make_path remove_tree);
use Exporter 'import';
our @EXPORT_OK = qw(refresh commands build link_library link_program programs users slurp spew run quietly);

sub slurp { my ($path) = @_; open my $h, '<:raw', $path or return undef; local $/; return scalar <$h> }
sub spew {
    my ($path, $text) = @_;
    make_path(dirname $path);
    open my $h, '>:raw', $path or die "$path: $!\n";
    print $h $text;
    close $h or die "$path: $!\n";
}
# Runs a command of the shell in a folder; its exit status.
sub run { my ($where, $command) = @_; system 'sh', '-c', "cd '$where' && $command"; return $? >> 8 || $? }
sub quietly { my ($where, $command) = @_; return run($where, "{ $command; } >/dev/null 2>&1") }

# Brings the copy `tree` up to the files of `root`, but for what was built there; the time stamps of what is as it was
# stay, so that make builds only what has changed.
sub refresh {
    my ($root, $tree) = @_;
    my %want = map { s{^\./}{}r => 1 }
        split /\n/, qx(cd '$root' && find . \\( -path './build*' -o -name .git \\) -prune -o -type f -print);
    for my $old (split /\n/, slurp("$tree/.copied") // '') { unlink "$tree/$old" unless $want{$old} }
    for my $file (sort keys %want) {
        my $text = slurp("$root/$file");
        my $there = slurp("$tree/$file");
        next if defined $there && $there eq $text;
        unlink "$tree/$file";
        spew("$tree/$file", $text);
        chmod((stat "$root/$file")[2] & 07777, "$tree/$file");
    }
    spew("$tree/.copied", join "\n", sort keys %want);
}

# The programs of the copy: name => [sources of its own, libraries of its own].
sub programs {
    my ($tree) = @_;
    my %own;
    for (glob "$tree/tests/test_*.c $tree/benchmarks/*.c") {
        my ($name) = m{^\Q$tree\E/(.*)\.c$};
        $own{$name} = [["$name.c"], $name =~ /^benchmarks/ ? $ENV{PROGRAM_LIBS} // '' : ''];
    }
    my @cli = map { s{^\Q$tree\E/}{}r } glob "$tree/cli/*.c";
    $own{impact} = [\@cli, ''] if @cli;
    my @ranks = map { s{^\Q$tree\E/}{}r } glob "$tree/ranks/*.c";
    $own{'impact-mpi'} = [[@ranks, grep { $_ ne 'cli/main.c' } @cli], $ENV{MPI_LIBS}] if @ranks && $ENV{MPI_LIBS};
    return \%own;
}

# The compile command of every object (source => [object, command]) by the Makefile; `how` are its variables.
sub commands {
    my ($tree, $how) = @_;
    my @targets = map { "build/$_" } keys %{ programs($tree) };
    my %command;
    for (split /\n/, qx(cd '$tree' && make -n -B $how @targets 2>/dev/null)) {
        $command{$1} = [$2, $_] if / -c (\S+\.c) -o (\S+\.o)$/;
    }
    die "make -n names no compilation in $tree\n" unless %command;
    return \%command;
}

sub own_sources { my ($programs) = @_; return map { $_ => 1 } map { @{ $_->[0] } } values %$programs }

sub link_library {
    my ($tree, $command, $programs) = @_;
    my %own = own_sources($programs);
    my @objects = map { $command->{$_}[0] } grep { !$own{$_} } sort keys %$command;
    return quietly($tree, "$ENV{LINK} -shared -Wl,-Bsymbolic @objects -o build/.new.so $ENV{LIBS} && " .
        'mv build/.new.so build/libmutate.so');
}

sub link_program {
    my ($tree, $command, $programs, $name) = @_;
    my ($sources, $libraries) = @{ $programs->{$name} };
    my @objects = map { $command->{$_}[0] } @$sources;
    my $up = $name =~ m{/} ? '/..' : '';
    # the library's benchmarks may want what only some programs link
    return quietly($tree, "$ENV{LINK} -Wl,--allow-shlib-undefined -Wl,-rpath,'\$ORIGIN$up' @objects -o build/.new -Lbuild -lmutate $libraries $ENV{LIBS} && " .
        "mv build/.new 'build/$name'");
}

# Builds all of the copy; dies where it cannot.
sub build {
    my ($tree, $how, $jobs, $command, $programs) = @_;
    my @objects = map { $_->[0] } values %$command;
    run($tree, "make -j$jobs $how @objects >build.log 2>&1") == 0 or die "the copy does not build: $tree/build.log\n";
    link_library($tree, $command, $programs) == 0 or die "the copy's library does not link\n";
    for my $name (sort keys %$programs) {
        link_program($tree, $command, $programs, $name) == 0 or die "$name of the copy does not link\n";
    }
}

# file => the sources whose objects are made of it, by the compiler's .d files
sub users {
    my ($tree, $command) = @_;
    my %users;
    for my $source (keys %$command) {
        my $list = slurp("$tree/" . $command->{$source}[0] =~ s/\.o$/.d/r) // next;
        $list =~ s/\\\n//g;
        my ($rule) = split /\n/, $list;
        $rule =~ s/^\S+:\s*//;
        $users{ s{[^/]+/\.\./}{}gr }{$source} = 1 for split ' ', $rule;
    }
    return \%users;
}

1;
