#!/usr/bin/env bash
# Checks that the programs that the demonstration and the tests need are here, and says how to get those that are not.
set -u
missing=0
need() { # name, command, what for, how to install
  if ! command -v "$2" >/dev/null 2>&1; then
    printf 'missing: %-12s %s\n         %s\n' "$1" "$3" "$4" >&2
    missing=1
  fi
}
need "Go 1.26" go "builds linchpin" "see go.dev/doc/install"
need "Java 17" java "runs the Neo4j server of the demonstration and the tests" "Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17"
need "Maven 3" mvn "fetches the Neo4j server" "Debian, Ubuntu: apt install maven; macOS: brew install maven"
if [ "${1:-}" = test ]; then
  need "Python 3.10" python3 "runs the programs that scores are compared with, and fetches the CUDA compiler" "Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python"
  need "a C++ compiler" g++ "compiles and links the GPU worker" "Debian, Ubuntu: apt install g++; macOS: the worker needs Linux"
  need "npm" npm "fetches the accessibility checker of the page's tests" "Debian, Ubuntu: apt install npm"
  need "openssl" openssl "signs releases" "Debian, Ubuntu: apt install openssl"
  if command -v python3 >/dev/null 2>&1 && ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
    printf 'missing: %-12s %s\n         %s\n' "Python venv" "keeps the peers' packages apart" "Debian, Ubuntu: apt install python3-venv" >&2
    missing=1
  fi
fi
if command -v java >/dev/null 2>&1; then
  major=$(java -version 2>&1 | sed -nE 's/.*version "([0-9]+).*/\1/p' | head -1)
  if [ -n "$major" ] && [ "$major" -lt 17 ]; then
    printf 'missing: Java 17; java here is %s\n' "$major" >&2
    missing=1
  fi
fi
exit $missing
