#!/bin/sh
# Runs a test under MemorySanitizer. Memory that HDF5 and GSL allocate is written by them unseen: where a program calls
# them, memory from malloc counts as written, and only the stack is watched.
export MSAN_OPTIONS=halt_on_error=1
if nm -u "$1" | grep -qE ' (H5F|gsl_)'; then
    MSAN_OPTIONS=$MSAN_OPTIONS:poison_in_malloc=0:poison_in_free=0:intercept_strlen=0:intercept_memcmp=0:intercept_strcmp=0:intercept_strstr=0
    echo "# calls HDF5 or GSL: the stack alone is watched"
fi
ulimit -s 262144 2>/dev/null # KiB: frames are larger
exec "$@"
