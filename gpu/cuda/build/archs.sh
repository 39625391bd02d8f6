#!/usr/bin/env bash
# archs.sh NVCC ARCHS prints nvcc's flags for the architectures, such as "75 80 90": machine code for each that this nvcc
# knows, and, for devices newer than all of them, PTX (90 where it is among them, or else the last).
set -euo pipefail
known=$("$1" --list-gpu-code)
ptx=
for arch in $2; do
  grep -qx "sm_$arch" <<<"$known" || { echo "kernels: this nvcc does not know sm_$arch; leaving it out" >&2; continue; }
  printf ' -gencode arch=compute_%s,code=sm_%s' "$arch" "$arch"
  [ "$ptx" = 90 ] || ptx=$arch
done
[ -n "$ptx" ] || { echo "kernels: this nvcc knows none of: $2" >&2; exit 1; }
printf ' -gencode arch=compute_%s,code=compute_%s\n' "$ptx" "$ptx"
