package neo4j

import (
	"slices"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/export"
)

type driverRecord = driver.Record

func list(x any) []any {
	l, _ := x.([]any)
	return l
}

func roomFor[T any](s []T, n int) []T {
	if cap(s) >= len(s)+n {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}

// appendID appends an id as it came from the server.
func appendID(ids *export.IDs, x any) {
	switch id := x.(type) {
	case int64:
		ids.Ints = append(ids.Ints, id)
	case string:
		ids.Texts = append(ids.Texts, id)
	}
}

// appendIDs appends a list of ids as it came from the server.
func appendIDs(ids *export.IDs, x any) {
	for _, id := range list(x) {
		appendID(ids, id)
	}
}

// distinct sorts ids and leaves each once, and none that is in without.
func distinct(ids, without export.IDs) export.IDs {
	return export.IDs{Ints: sortedWithout(ids.Ints, without.Ints), Texts: sortedWithout(ids.Texts, without.Texts)}
}

func sortedWithout[T int64 | string](ids, without []T) []T {
	slices.Sort(ids)
	if !slices.IsSorted(without) { // which may lie in read-only memory
		slices.Sort(without)
	}
	ids = slices.Compact(ids)
	return slices.DeleteFunc(ids, func(id T) bool {
		_, found := slices.BinarySearch(without, id)
		return found
	})
}

// part copies the ids from low to high.
func part(ids export.IDs, low, high int) export.IDs {
	if ids.Texts != nil {
		return export.IDs{Texts: slices.Clone(ids.Texts[low:high])}
	}
	return export.IDs{Ints: slices.Clone(ids.Ints[low:high])}
}

// parameter is how ids are sent: as one typed list.
func parameter(ids export.IDs) any {
	if ids.Texts != nil {
		return ids.Texts
	}
	if ids.Ints == nil {
		return []int64{}
	}
	return ids.Ints
}

func pick(ids export.IDs, at []int32) export.IDs {
	if ids.Texts != nil {
		return export.IDs{Texts: gather(ids.Texts, at)}
	}
	return export.IDs{Ints: gather(ids.Ints, at)}
}

func gather[T any](column []T, at []int32) []T {
	out := make([]T, len(at))
	for i, j := range at {
		out[i] = column[j]
	}
	return out
}
