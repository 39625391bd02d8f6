#!/usr/bin/env bash
# stub.sh INCLUDE... OUT makes a libcuda.so to link against where there is no driver. It has every function that cuda.h
# declares and is never loaded: at run time libcuda.so.1 is the driver's.
set -euo pipefail
out=${!#}
flags=()
for include in "${@:1:$#-1}"; do flags+=("-I$include"); done
mkdir -p "$(dirname "$out")"
echo '#include <cuda.h>' | ${CC:-gcc} -E -P "${flags[@]}" - |
  grep -oE '\bcu[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' | sort -u |
  sed 's/.*/int &(void) { return 999; }/' >"$out.c"
[ "$(wc -l <"$out.c")" -gt 300 ] || { echo "stub: cuda.h declares only $(wc -l <"$out.c") functions" >&2; exit 1; }
${CC:-gcc} -w -shared -fPIC -nostdlib -fno-builtin -Wl,-soname,libcuda.so.1 -o "$out" "$out.c"
