#!/usr/bin/env bash
# graph-tool.sh CACHE unpacks Debian's graph-tool, with the Python and the libraries that it needs, into CACHE/graph-tool, and
# writes CACHE/graph-tool/python, which starts that Python. It needs apt-get and dpkg-deb, but neither root nor a Debian of that
# release. Where the packages cannot be had it says so in a line and succeeds: the benchmark then leaves graph-tool out.
set -euo pipefail
to=${1:?usage: graph-tool.sh CACHE}/graph-tool
suite=trixie version=2.91+ds-5
mirror=${LINCHPIN_DEBIAN_MIRROR:-http://deb.debian.org/debian}
leave_out() { echo "graph-tool.sh: graph-tool is left out: $1" >&2; exit 0; }

[ ! -x "$to/python" ] || exit 0
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || leave_out "no apt-get or no dpkg-deb to get it with"
mkdir -p "$to"
work=$(mktemp -d "$to/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# An apt of its own, in whose eyes nothing is installed: it downloads all that graph-tool depends on.
mkdir -p "$work"/lists/partial "$work"/archives/partial "$work"/root
: >"$work/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::State "$work";
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Install-Recommends "false";
APT::Sandbox::User "";
END
export APT_CONFIG=$work/apt.conf
apt() { apt-get -qq "$@" >"$work/log" 2>&1 || leave_out "$(grep -m1 '^E:' "$work/log" || tail -1 "$work/log")"; }
echo "graph-tool.sh: fetching graph-tool $version of Debian $suite (200 MB)"
apt update
apt install -y --download-only "python3-graph-tool=$version"
for package in "$work"/archives/*.deb; do
  dpkg-deb -x "$package" "$work/root"
done

rm -rf "$to/root"
mv "$work/root" "$to/root"
root=$(cd "$to/root" && pwd)
loader=$(find "$root" -name 'ld-linux-*.so.*' | head -1)
libraries=$(echo "$root"/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu/{blas,lapack})
cat >"$work/python" <<END
#!/bin/sh
PYTHONHOME='$root/usr' exec '$loader' --library-path '${libraries// /:}' '$root/usr/bin/python3' "\$@"
END
chmod +x "$work/python"
"$work/python" -W ignore -c 'import graph_tool.centrality' 2>"$work/log" || leave_out "$(tail -1 "$work/log")"
mv "$work/python" "$to/python"
