package house

import (
	"fmt"
	"strings"
	"testing"
)

// figures are what a change to the engine costs today. before is what it cost when the table was made.
var figures = []struct {
	change string
	before string
	most   int
	count  func(*testing.T) int
}{
	{"files to add a measure that iterates, CPU and GPU, config to docs", "27", 8, filesOfAMeasure},
	{"files outside of engine that know the number of shards", "35", 1, shardSetters},
	{"places that declare an array of the weighted kernel", "7", 2, placesOfAnArray},
	{"files to change the default precision", "12", 3, filesOfThePrecision},
	{"packages that decide who computes", "3", 1, packagesThatChoose},
	{"functions in the largest package of the engine", "535", mostFunctions, largestPackage},
	{"comparisons with names of measures outside of their table", "48", 0, measuresByName},
	{"third-party packages that linchpin links", "377", 320, linkedPackages},
}

// TestTable prints the whole table, and holds each line.
func TestTable(t *testing.T) {
	var table strings.Builder
	for _, f := range figures {
		today := -1
		t.Run(strings.ReplaceAll(f.change, " ", "-"), func(t *testing.T) {
			if today = f.count(t); today > f.most {
				t.Errorf("%d, more than %d", today, f.most)
			}
		})
		fmt.Fprintf(&table, "| %-68s | %6s | %5d | %7d |\n", f.change, f.before, today, f.most)
	}
	t.Logf("\n| %-68s | before | today | at most |\n%s", "change", table.String())
}
