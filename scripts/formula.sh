#!/usr/bin/env bash
# formula.sh DIST VERSION prints the Homebrew formula of the release in DIST, with the hashes of its archives.
set -euo pipefail
dist=$1 version=$2

# source_of OS ARCH prints the address and the hash of an archive.
source_of() {
  local file=linchpin_${version}_$1_$2.tar.gz hash
  hash=$(awk -v f="$file" '$2 == f { print $1 }' "$dist/checksums.txt")
  [ -n "$hash" ] || { echo "formula.sh: $dist/checksums.txt has no $file" >&2; exit 1; }
  printf '      url "https://github.com/linchpin-graph/linchpin/releases/download/v%s/%s"\n      sha256 "%s"\n' "$version" "$file" "$hash"
}

cat <<EOF
class Linchpin < Formula
  desc "Exact centrality scores for nodes and relationships of a Neo4j graph"
  homepage "https://github.com/linchpin-graph/linchpin"
  version "$version"
  license "Apache-2.0"

  on_macos do
    on_arm do
$(source_of darwin arm64)
    end
    on_intel do
$(source_of darwin amd64)
    end
  end
  on_linux do
    on_arm do
$(source_of linux arm64)
    end
    on_intel do
$(source_of linux amd64)
    end
  end

  def install
    bin.install "linchpin"
    man1.install Dir["man/*"]
    bash_completion.install "completions/linchpin.bash" => "linchpin"
    zsh_completion.install "completions/linchpin.zsh" => "_linchpin"
    fish_completion.install "completions/linchpin.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/linchpin version")
  end
end
EOF
