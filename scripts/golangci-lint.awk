# Reads golangci-lint's list of linters, one paragraph of Go per linter, and leaves those whose packages are in the
# variable keep.
BEGIN {
  split(keep, names, " ")
  for (i in names) kept[names[i]] = 1
}

function package_of(line) {
  sub(/^.*linter\.NewConfig\(/, "", line)
  sub(/\..*$/, "", line)
  return line
}

/^\t"github.com\/golangci\/golangci-lint\/v2\/pkg\/golinters\// {
  imported = $0
  sub(/"$/, "", imported)
  sub(/^.*\//, "", imported)
  if (imported in kept) print
  next
}
/^\t\tlinter\.NewConfig\(/ { left_out = !(package_of($0) in kept) }
/^$/ || /^\t}, nil/ { left_out = 0 }
!left_out { print }
# Only some linters need it, and Go refuses a variable that nothing uses.
/^\tplaceholderReplacer :=/ { print "\t_ = placeholderReplacer" }
