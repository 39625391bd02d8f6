#!/usr/bin/env bash
# toolkit.sh CACHE prints the folder of a CUDA toolkit: $CUDA_HOME, or the one of the nvcc on PATH, or else one made of
# wheels from PyPI in CACHE, fetched once.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$1

die() { echo "cuda toolkit: $*" >&2; exit 1; }

command -v "${CXX:-g++}" >/dev/null || die "there is no ${CXX:-g++}, which nvcc needs (Debian, Ubuntu: apt-get install g++)"

if [ -n "${CUDA_HOME:-}" ]; then
  [ -x "$CUDA_HOME/bin/nvcc" ] || die "CUDA_HOME is $CUDA_HOME, but there is no bin/nvcc in it (unset it to use nvcc from PyPI)"
  echo "$CUDA_HOME"
  exit
fi
if nvcc=$(command -v nvcc); then
  dirname "$(dirname "$(readlink -f "$nvcc")")"
  exit
fi

version=$(sha256sum "$here/requirements.txt" | cut -c1-12)
dir=$cache/cuda-$version
if [ ! -e "$dir/ready" ]; then
  command -v python3 >/dev/null || die "there is neither nvcc nor python3 (with python3 and pip, nvcc is taken from PyPI)"
  python3 -m pip --version >/dev/null 2>&1 || die "python3 has no pip, which fetches nvcc from PyPI (Debian, Ubuntu: apt-get install python3-pip)"
  rm -rf "$dir"
  mkdir -p "$dir"
  echo "cuda toolkit: fetching nvcc from PyPI into $dir (once)" >&2
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --target "$dir" -r "$here/requirements.txt" >&2 ||
    die "pip could not fetch nvcc; with a toolkit of your own, set CUDA_HOME"
  touch "$dir/ready"
fi
echo "$dir/nvidia/cu13"
