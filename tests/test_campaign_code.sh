#!/bin/sh
# campaign/code.pl on two inquiries of a toy: the code of one changes with what it runs, however far off, with the program
# where it runs commands, and with nothing else.
root=$(cd "$(dirname "$0")/.." && pwd)
for tool in gcc nm objcopy perl; do
    command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool"; exit; }
done
. "$root/tests/check.sh"
cd "$work" && mkdir -p campaign lib || exit 1
echo 'extern const int campaign_near, campaign_far; const int *all[] = {&campaign_near, &campaign_far};' > campaign/inquiries.c
echo 'void shrink(void); void certify(void); const int campaign_near = 1; void aside(void); void dump(void); void aside(void) { shrink(), certify(), dump(); }' > campaign/near.c
echo 'void certify(void); void shrink(void); void shrink(void) {}' > campaign/shrink.c
echo 'extern int imp_models; void certify(void); void certify(void) { imp_models++; }' > lib/certify.c
echo 'int imp_models = 1;' > lib/models.c
echo 'int commands(void); extern int (*const far_one)(void); int (*const far_one)(void) = commands; const int campaign_far = 2;' > campaign/far.c
echo 'int deep(void); int commands(void); int commands(void) { return deep(); }' > campaign/commands.c
echo 'int deep(void); int deep(void) { return 3; }' > lib/deep.c
echo 'int main(void) { return 0; }' > main.c
mkdir -p lib/io && echo 'void dump(void); void dump(void) {}' > lib/io/dump.c
codes() {
    for file in campaign/*.c lib/*.c lib/io/*.c main.c; do gcc -g -O1 -c $file -o "${file%.c}.o" || exit 1; done
    perl "$root/campaign/code.pl" campaign/inquiries.o campaign/near.o campaign/far.o campaign/commands.o campaign/shrink.o \
        lib/deep.o lib/certify.o lib/models.o lib/io/dump.o \
        --program main.o lib/io/dump.o > codes && sed -n 's/.*{"\([a-z]*\)", "\([0-9a-f]*\)"}.*/\1 \2/p' codes
}
# changed WHAT INQUIRIES: those of which the code is another one than before, and no others
changed() {
    now=$(codes)
    said=$(echo "$now" | while read -r inquiry code; do echo "$before" | grep -qx "$inquiry $code" || printf '%s ' "$inquiry"; done)
    check "$1: ${2:-none}" test "$said" = "${2:+$2 }"
    before=$now
}
before=$(codes)
check 'a code for each' test "$(echo "$before" | grep -c '^[a-z]* [0-9a-f]\{16\}$')" = 2
changed 'asked again' ''
sed -i '1i\
/* a comment */' lib/deep.c
changed 'a comment' ''
sed -i 's/return 3/return 4/' lib/deep.c
changed 'what is called by what it calls' far
sed -i 's/return 0/return 1/' main.c
changed 'the program that commands run' far
sed -i 's/{}/{ dump(); }/' lib/io/dump.c
changed 'what the program writes problems with' far
sed -i 's/= 1/= 5/' campaign/near.c
changed 'its own' near
sed -i 's/{}/{ certify(); }/' campaign/shrink.c
sed -i 's/= 1/= 2/' lib/models.c
changed 'what shrinks a problem, the models that a certificate asks' ''
sed -i 's/++/--/' lib/certify.c
changed 'the certificate' near
echo "1..$count"
