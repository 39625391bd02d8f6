package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWarnings loads testdata/*.warn.yml, each with one warning, and compares it with the last line of the file, a
// comment that begins with "# want: ".
func TestWarnings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.warn.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Load(file, schedules)
			if err != nil {
				t.Fatal(err)
			}
			var warnings Error
			for _, w := range c.Warnings {
				warnings.Mistakes = append(warnings.Mistakes, w.Mistake)
			}
			got := warnings.Error() + "\n"
			text, want, _ := strings.Cut(string(data), "# want: ") // the last line
			if *update {
				want = got
				if err := os.WriteFile(file, []byte(text+"# want: "+want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWeightedByDefault: a weight that is named is used, unless the measure says otherwise.
func TestWeightedByDefault(t *testing.T) {
	c, err := Load("testdata/weight-without-weighted.warn.yml", schedules)
	if err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, m := range c.Jobs[0].Measures {
		got = append(got, m.Weighted)
	}
	if want := []bool{true, true, false, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("weighted %v, want %v", got, want)
	}
	for _, file := range []string{"testdata/parallel-count.good.yml", "testdata/weight-of-query.warn.yml"} {
		c, err := Load(file, schedules)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.Jobs[0].Measures[0].Weighted, strings.Contains(file, "weight"); got != want {
			t.Errorf("%s: weighted %v", file, got)
		}
	}
}

func TestNamesWeight(t *testing.T) {
	for query, want := range map[string]bool{
		"MATCH (a)-[r]->(b) RETURN a AS source, b AS target, r.w AS weight":                                      true,
		"MATCH (a)-[r]->(b) RETURN r.w as `weight`, a AS source, b AS target ORDER BY source":                    true,
		"MATCH (a)-[r]->(b) WITH a AS source, b AS target, r.w AS weight\nRETURN source, weight, target LIMIT 5": true,
		"MATCH (a)-[r]->(b) WITH a AS source, b AS target, r.w AS weight RETURN *":                               true,
		"MATCH (a)-[r]->(b) RETURN a AS source, b AS target, 2 AS weight UNION MATCH (a) " +
			"RETURN a AS source, a AS target, 1 AS weight": true,
		"MATCH (a)-[r]->(b) RETURN a AS source, b AS target":                                                           false,
		"MATCH (a)-[r]->(b) WHERE r.weight > 2 RETURN a AS source, b AS target":                                        false,
		"MATCH (a)-[r]->(b) WITH a, b, r.w AS weight WHERE weight > 2 RETURN a AS source, b AS target ORDER BY weight": false,
		"MATCH (a)-[r]->(b) WITH a AS source, b AS target RETURN *":                                                    false,
	} {
		if got := namesWeight(query); got != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}
