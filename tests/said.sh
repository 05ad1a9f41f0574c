# said.sh - for tests of programs that say what they print.

# said FILE: the lines of its first comment behind "Prints:"
said() { sed -n '/Prints:$/,/^[^ #/]\| \*\/$/p' "$1" | sed -n 's/^\( \*\|\/\/\|#\)     //p'; }
