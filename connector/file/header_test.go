package file

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// TestHeaders reads edge lists of other programs: no edge is lost, and what was guessed is said.
func TestHeaders(t *testing.T) {
	const three = "no header; columns taken as source, target, weight"
	for _, c := range []struct {
		name, content string
		header        Header
		weighted      bool
		want          []string
		note          string
	}{
		{"a.csv", "source,target\n1,2\n", FindHeader, false, []string{"1>2 0-1:1"}, ""},
		{"a.csv", "From,To,Weight\n1,2,5\n", FindHeader, true, []string{"1>2 0-1:5"}, ""},
		{"a.csv", "\xef\xbb\xbfend;start\r\n1;2\r\n", FindHeader, false, []string{"2>1 0-1:1"}, ""},
		{"a.csv", "weight\tsource\ttarget\n5\ta, b\tc\n", FindHeader, true, []string{"a, b>c 0-1:5"}, ""},
		{"a.tsv", "source\tdst\n1\t2\n", FindHeader, false, []string{"1>2 0-1:1"}, ""},
		{"a.csv", "\"source\";\"target\"\n\"x;y\";z\n", FindHeader, false, []string{"x;y>z 0-1:1"}, ""},
		{"a.csv", "1,2\n2,3\n", FindHeader, false, []string{"1>2 0-1:1", "2>3 1-2:1"},
			"no header; columns taken as source, target"},
		{"a.csv", "\n0,1\n", FindHeader, false, []string{"0>1 0-1:1"}, "no header; columns taken as source, target"},
		{"a.csv", "1,2,0.5\n", FindHeader, true, []string{"1>2 0-1:0.5"}, three},
		{"a.csv", "ann,bob,2\nbob,cy,3", FindHeader, true, []string{"ann>bob 0-1:2", "bob>cy 1-2:3"}, three},
		{"a.csv.gz", gzipped("ann;bob;2\r\n"), FindHeader, true, []string{"ann>bob 0-1:2"},
			three + ", separated by semicolons"},
		{"a.tsv", "7\t8\n", FindHeader, false, []string{"7>8 0-1:1"},
			"no header; columns taken as source, target, separated by tabs"},
		{"a.csv", "ann,bob\nbob,cy\n", WithoutHeader, false, []string{"ann>bob 0-1:1", "bob>cy 1-2:1"},
			"no header; columns taken as source, target"},
		{"a.csv", "source,target\nbob,cy\n", WithoutHeader, false, []string{"source>target 0-1:1", "bob>cy 2-3:1"},
			"no header; columns taken as source, target"},
		{"a.csv", "person,friend\nbob,cy\n", WithHeader, false, []string{"bob>cy 0-1:1"},
			`columns "person", "friend" taken as source, target`},
		{"a.csv", "0,1\n1,2\n", WithHeader, false, []string{"1>2 0-1:1"}, `columns "0", "1" taken as source, target`},
		{"a.csv", "dst,src\n1,2\n", WithHeader, false, []string{"2>1 0-1:1"}, ""},
		{"a.txt", "source target\n1 2\n", FindHeader, false, []string{"source>target 0-1:1", "1>2 2-3:1"},
			`the first line is read as an edge between "source" and "target"; --header takes it as names of columns`},
		{"a.txt", "source target\n1 2\n", WithHeader, false, []string{"1>2 0-1:1"}, ""},
		{"a.csv", "\n\n", FindHeader, false, []string{}, ""},
	} {
		var notes []string
		source := &Source{Path: writeTemp(t, c.name, c.content), Header: c.header,
			Note: func(text string) { notes = append(notes, text) }}
		s, err := source.Export(context.Background(), projection(export.Natural, c.weighted), nil)
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		if diff := cmp.Diff(c.want, inputRows(s)); diff != "" || strings.Join(notes, "|") != c.note {
			t.Errorf("%q: note %q, rows (-want +got):\n%s", c.content, notes, diff)
		}
	}
}

// TestAmbiguousHeaderAsks: two texts may be names of columns, or nodes; linchpin does not choose.
func TestAmbiguousHeaderAsks(t *testing.T) {
	source := &Source{Path: writeTemp(t, "a.csv", "ann,bob\nbob,cy\n")}
	_, err := source.Export(context.Background(), projection(export.Natural, false), nil)
	if hint := connector.HintOf(err); !strings.Contains(hint, "--no-header") || !strings.Contains(hint, "--header") {
		t.Errorf("%v, hint %q", err, hint)
	}
}
