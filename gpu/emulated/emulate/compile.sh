#!/usr/bin/env bash
# compile.sh FILE.cu OUT.so [FLAGS...] compiles the kernels of one file for the emulated device. Their names are read off
# the preprocessed text, so there is no list to keep. OUT.d says what it was made of.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
file=$(realpath "$1") out=$2 base=${2%.so} cxx=${CXX:-g++}
shift 2
place=$([ "$(uname -m)" = x86_64 ] && echo r15 || echo x28) # shim.h keeps a thread's place in it
flags=(-ffixed-$place -x c++ -std=c++17 -O1 -g1 -fPIC -ffp-contract=off -fvisibility=hidden -fno-gnu-unique -fno-extern-tls-init -fno-ipa-reference
  -fno-strict-aliasing -fno-omit-frame-pointer -w -include "$here/shim.h" "$@")
text=$("$cxx" "${flags[@]}" -E -P -DEMULATE_LIST "$file" | tr -s '[:space:]' ' ')

# Shared memory of dynamic size is an array of the thread that a block is. What the launch did not ask for, it may not touch.
arrays=$(grep -oE 'extern thread_local [A-Za-z0-9_ ]+\[ ?\]' <<<"$text" | sed -E 's/ ?\[ ?\]$//; s/.* //' | sort -u || true)
[ "$(wc -w <<<"$arrays")" -le 1 ] || { echo "$file: extern __shared__ arrays of several names:" $arrays >&2; exit 1; }
{
  [ -z "$arrays" ] || echo "alignas(256) thread_local char $arrays[256 << 10];"
  echo "void* emulated_shared() { return ${arrays:-nullptr}; }"
} >"$base.shared.cc"

{
  echo "#include \"$file\""
  grep -oE 'EMULATED_KERNEL (void )?(EMULATED_BOUNDS\([^)]*\) )?(void )?[A-Za-z0-9_]+ ?\(' <<<"$text" |
    sed -E 's/ ?\($//; s/^EMULATED_KERNEL //; s/\<void //g' |
    sed -E '/^EMULATED_BOUNDS/!s/.*/EMULATED_ENTRY(&)/; s/^EMULATED_BOUNDS\(([^)]*)\) (.*)$/EMULATED_ENTRY(\2, \1)/'
} >"$base.cc"

"$cxx" "${flags[@]}" -MD -MF "$base.d" -MT "$out" -c -o "$base.o" "$base.cc"
"$cxx" -std=c++17 -O1 -fPIC -c -o "$base.shared.o" "$base.shared.cc"
"$cxx" -shared -o "$out" "$base.o" "$base.shared.o" -L"$(dirname "$out")" -lemulate -Wl,-rpath,'$ORIGIN' -Wl,-z,defs
