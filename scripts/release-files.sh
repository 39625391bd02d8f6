#!/usr/bin/env bash
# release-files.sh FOLDER VERSION TIMESTAMP makes what a release holds next to binaries: manual pages, completions, the
# example config, the unit, the chart, and the program that makes the image. TIMESTAMP, in seconds, is the time of all.
set -euo pipefail
folder=$1 version=$2 timestamp=$3
export SOURCE_DATE_EPOCH=$timestamp CGO_ENABLED=0 LC_ALL=C
unset GOOS GOARCH
rm -rf "$folder"/{man,completions,chart,linchpin.yml,linchpin.schema.json} "$folder"/linchpin-chart-*.tgz
mkdir -p "$folder"/{man,completions,chart}

(cd deploy/image && go build -trimpath -o ../../"$folder"/image .)
go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$version" -o "$folder/linchpin" ./cmd/linchpin
"$folder/linchpin" man "$folder/man"
gzip -9nf "$folder"/man/*.1
for shell in bash zsh fish; do "$folder/linchpin" completion "$shell" >"$folder/completions/linchpin.$shell"; done
"$folder/linchpin" init "$folder/linchpin.yml" >/dev/null

cp LICENSE deploy/linchpin.service deploy/package/gpu.conf "$folder"

cp -r deploy/chart "$folder/chart/linchpin"
sed -i -E "s/^version: .*/version: $version/; s/^appVersion: .*/appVersion: \"$version\"/" "$folder/chart/linchpin/Chart.yaml"
tar -C "$folder/chart" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$timestamp" -cf - linchpin |
  gzip -9n >"$folder/linchpin-chart-$version.tgz"
find "$folder" -exec touch -h -d "@$timestamp" {} +
