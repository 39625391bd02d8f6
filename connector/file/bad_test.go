package file

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	if err := errors.Join(err, z.Close()); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.String()
}

// TestBadFiles: each is refused with one line that names the file, the line and the text.
func TestBadFiles(t *testing.T) {
	const w = "src,dst,weight\n"
	many := strings.Repeat("x,y,1\n", 50000)
	type bad struct{ name, content, want string }
	for _, c := range []bad{
		{"a.csv", "a,b\n1,2\n", `line 1: the header has columns that are not known, unless this is an edge: "a,b"`},
		{"a.csv", "a,b,c\n1,2,3\n", `line 1: the header has columns that are not known, unless this is an edge: "a,b,c"`},
		{"a.csv", "1,b\n", `line 1: the header has columns that are not known, unless this is an edge: "1,b"`},
		{"a.csv", "1,2,friend\n", `line 1: the header has columns that are not known, unless this is an edge: "1,2,friend"`},
		{"a.csv", "1,2,3,4\n", `line 1: the header has columns that are not known: "1", "2", "3", "4"`},
		{"a.csv", "source,target,type\n1,2,R\n", `line 1: the header has columns that are not known: "type"`},
		{"a.csv", "from,source\n1,2\n", `line 1: the header names the column "source" twice`},
		{"a.csv", "1;2;0,5\n", `the first line has several of comma, semicolon and tab: "1;2;0,5"`},
		{"a.csv", "src;dst;weight\n1;2;0,5\n", `bad weights: 1 not a number, first on line 2: "1;2;0,5"`},
		{"a.csv", "1,2,3\n1;2;3\n", `line 2: 1 columns where the first line has 3: "1;2;3"`},
		{"a.csv", "1,2,3\n4,5\n", `line 2: 2 columns where the first line has 3: "4,5"`},
		{"a.csv", "src,dst,src\n", `line 1: the header names the column "src" twice`},
		{"a.csv", "src,weight\n", `line 1: the header does not name both src and dst`},
		{"a.csv", "src, dst\n", `not known: " dst"`},
		{"a.csv", w + "a,b,1\n\na,b\n", `line 4: 2 columns where the header has 3: "a,b"`},
		{"a.csv", w + "a,b,1,2\n", `line 2: 4 columns where the header has 3: "a,b,1,2"`},
		{"a.csv", w + "a,b,\n", `bad weights: 1 missing, first on line 2: "a,b,"`},
		{"a.csv", w + "a,b,0\n", `bad weights: 1 zero, first on line 2: `},
		{"a.csv", w + "a,b,1e-400\n", `bad weights: 1 zero, first on line 2: `},
		{"a.csv", w + "a,b,-2\n", `bad weights: 1 negative, first on line 2: "a,b,-2"`},
		{"a.csv", w + "a,b,NaN\n", `bad weights: 1 not finite, first on line 2: "a,b,NaN"`},
		{"a.csv", w + "a,b,inf\n", `bad weights: 1 not finite, first on line 2: `},
		{"a.csv", w + "a,b,1e999\n", `bad weights: 1 not finite, first on line 2: `},
		{"a.csv", w + "a,b,heavy\n", `bad weights: 1 not a number, first on line 2: "a,b,heavy"`},
		{"a.csv", w + "a,b,heavy\na,b,0\nb,c,-1\nb,c,\nc,d,-2\nd,e,inf\n",
			`bad weights: 1 missing, first on line 5: "b,c,"; 1 not a number, first on line 2: "a,b,heavy"; 1 zero, first on line 3: "a,b,0"; 2 negative, first on line 4: "b,c,-1"; 1 not finite, first on line 7: "d,e,inf"`},
		{"a.csv", w + "a,b,0x10\n", `bad weights: 1 not a number, first on line 2: "a,b,0x10"`},
		{"a.csv", w + "a,b,\"1,5\"\n", `bad weights: 1 not a number, first on line 2: "a,b,`},
		{"a.csv", w + "\"a\n\nb\",c,x\n", `bad weights: 1 not a number, first on line 2: `},
		{"a.csv", w + ",b,1\n", `line 2: an id is empty: ",b,1"`},
		{"a.csv", w + "a,b,1\n" + w + "c,d,1\n",
			`line 3: the header stands here again; remove it, or quote the names if these are ids: "src,dst,weight"`},
		{"a.csv", w + "a, b,1\n",
			`line 2: the id " b" begins or ends with a blank; remove it, or quote the id if it belongs to it: "a, b,1"`},
		{"a.csv", w + "\"a\",b\t,1\n", `line 2: the id "b\t" begins or ends with a blank`},
		{"a.csv", w + "a\"b,c,1\n", `line 2: a quote inside a field that is not quoted`},
		{"a.csv", w + "\"a\"b,c,1\n", `line 2: text follows the closing quote of a field`},
		{"a.csv", w + "\"a,b,1\nc,d,2\n", `line 2: a quote is opened and not closed: "\"a,b,1\nc,d,2"`},
		{"a.csv", w + "\"" + many + "\"\n", `line 2: 1 columns where the header has 3: "\"x,y,1\nx,y,1`},
		{"a.csv", w + "\"" + strings.Repeat(many, 5) + "\",b,1\n",
			`line 2: the quoted text that begins here is longer than 1048576 bytes`},
		{"a.csv", w + "a\x00,b,1\n", `line 2: holds a NUL byte; is this a text file?: "a\x00,b,1"`},
		{"a.csv", w + "a\xff,b,1\n", `line 2: not valid UTF-8: "a\xff,b,1"`},
		{"a.csv", "\xff\xfes\x00r\x00", `written in UTF-16`},
		{"a.csv", w + strings.Repeat("long", 1<<19), `line 2: longer than 1048576 bytes: "longlonglong`},
		{"a.csv", gzipped(w), `compressed with gzip; let its name end in .gz`},
		{"a.csv.gz", w, `not a gzip file, although its name ends in .gz`},
		{"a.csv.gz", "", `not a gzip file, although its name ends in .gz`},
		{"a.csv.gz", gzipped(w + many)[:200], `the compressed data breaks off after line `},
		{"a.csv.gz", gzipped(w+many) + "trailing text", `cannot be read after line 50001: gzip: invalid header`},
		{"a.csv.gz", strings.TrimSuffix(gzipped(w+many), "\x00") + "x",
			`cannot be read after line 50001: gzip: invalid checksum`},
		{"a.txt", "1 2 3\n4\n", `line 2: 1 columns; a line has two or three: source, target, weight: "4"`},
		{"a.txt", "1 2 3 4\n", `line 1: 4 columns`},
		{"a.txt", "1 2 3\n# fine\n1 2\n", `line 3: 2 columns where the lines before have 3: "1 2"`},
		{"a.txt", "1 2 x\n", `bad weights: 1 not a number, first on line 1: "1 2 x"`},
		{"a.mtx", "1 2\n", `line 1: not a MatrixMarket banner`},
		{"a.mtx", "%%MatrixMarket matrix array real general\n", `the layout is "array"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate complex general\n", `the field is "complex"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", `the symmetry is "hermitian"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", `the symmetry is "skew-symmetric"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n% x\n", `ends before the line of sizes`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 x 2\n",
			`line 2: not a line of sizes: rows, columns, entries: "3 x 2"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n", `line 2: 3 rows and 4 columns`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3000000000 3000000000 2\n", `line 2: more than 2147483647`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n",
			`the file ends after 1 of 2 entries (line 3)`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1\n2 1 1\n", `line 4: more entries than the 1`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n0 2 1\n",
			`line 3: the index "0" is not between 1 and 3: "0 2 1"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 1\n",
			`line 3: the index "4" is not between 1 and 3`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n",
			`line 3: 2 columns; an entry of a real matrix has 3`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -1\n",
			`bad weights: 1 negative, first on line 3: "1 2 -1"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1.5\n",
			`line 3: the value "1.5" is not an integer, as the first line declares: "1 2 1.5"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 -1\n",
			`bad weights: 1 negative, first on line 3: "1 2 -1"`},
		{"a.graph", "2 1 1\n2 5\n1 6\n", `line 2: the edge 1-2 weighs 5 there and 6 on line 3`},
		{"a.graph", "2 1 1\n2\n1 6\n", `line 2: neighbour 2 of node 1 has no weight`},
		{"a.graph", "2 1 1\n2 -5\n1 -5\n", `bad weights: 2 negative, first on line 2: "-5"`},
		{"a.graph", "2 1 11 2\n7 8 2 1\n7\n", `line 3: node 2 has 1 of its 2 sizes and weights`},
	} {
		checkBad(t, c.name, c.content, c.want, projection(export.Undirected, true))
	}
	for _, c := range []bad{
		{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2 1\n",
			`line 3: 3 columns; an entry of a pattern matrix has 2`},
		{"a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1e3\n",
			`line 3: the value "1e3" is not an integer`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n",
			`line 3: the value "x" is not a number: "1 2 x"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n1 2\n",
			`line 5: above the diagonal, and line 3 is below it; a symmetric matrix lists one triangle: "1 2"`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n3 1 1\n",
			`line 4: below the diagonal, and line 3 is above it; a symmetric matrix lists one triangle: "3 1 1"`},
		{"a.graph", "x 2\n", `line 1: not a METIS header`},
		{"a.graph", "3\n", `line 1: not a METIS header`},
		{"a.graph", "2 1 7\n", `line 1: the format 007 is not three digits 0 or 1`},
		{"a.graph", "2 1 0 3\n2\n1\n", `line 1: 3 node weights, but the format 000 has none`},
		{"a.graph", "2 1\n2\n3\n", `line 3: a neighbour of node 2 is not between 1 and 2: "3"`},
		{"a.graph", "2 1\n1\n2\n", `line 2: node 1 is its own neighbour`},
		{"a.graph", "2 1\n2\n\n", `line 2: node 1 lists node 2, which does not list it`},
		{"a.graph", "3 1\n\n1\n\n", `line 3: node 2 lists node 1, which does not list it`},
		{"a.graph", "2 2\n2 2\n1 1\n", `line 2: node 1 lists node 2 twice`},
		{"a.graph", "2 2\n2\n1 1\n", `line 3: node 2 lists node 1 twice`},
		{"a.graph", "2 2\n2\n1\n", `the header declares 2 edges, but the lines list 2 neighbours`},
		{"a.graph", "3 1\n2\n1\n", `the file ends after 2 of 3 nodes (line 3)`},
		{"a.graph", "2 1\n2\n1\n1\n", `line 4: more lines than the 2 nodes`},
		{"a.graph", "2 1 10\nx 2\n7 1\n", `line 2: the weight or size of node 1 is not a number: "x"`},
		{"a.graph", "2 1\n" + strings.Repeat("1", 100), `line 2: longer than 64 bytes without a space`},
		{"a.arrow", "src,dst\n", `not a snapshot of linchpin`},
		{"a.arrow", "", `the file is empty`},
	} {
		checkBad(t, c.name, c.content, c.want, projection(export.Undirected, false))
	}
}

// checkBad reads a file that must be refused.
func checkBad(t *testing.T, name, content, want string, p connector.Projection) {
	path := writeTemp(t, name, content)
	s, err := (&Source{Path: path}).Export(context.Background(), p, nil)
	if err == nil || s != nil {
		t.Errorf("%s %.40q: read, %v", name, content, err)
		return
	}
	msg := err.Error()
	if !strings.Contains(msg, want) || !strings.Contains(msg, path) || strings.Contains(msg, "\n") ||
		len(msg) > 400 || connector.KindOf(err) != connector.BadData {
		t.Errorf("%s %.40q:\n  %s (kind %d)\nwant\n  %s", name, content, msg, connector.KindOf(err), want)
	}
}

// TestDirectedMETIS: METIS has no directed graphs, so asking for one is refused as it is for an undirected snapshot.
func TestDirectedMETIS(t *testing.T) {
	path := writeTemp(t, "a.graph", "2 1\n2\n1\n")
	for _, o := range []export.Orientation{export.Natural, export.Reverse} {
		s, err := (&Source{Path: path}).Export(context.Background(), projection(o, false), nil)
		if s != nil || connector.KindOf(err) != connector.UnknownName ||
			err.Error() != path+": a METIS graph is undirected" ||
			connector.HintOf(err) != "leave out --directed" {
			t.Errorf("%v: %v (hint %q)", o, err, connector.HintOf(err))
		}
	}
}

func TestBadNames(t *testing.T) {
	for path, kind := range map[string]connector.Kind{
		t.TempDir() + "/missing.csv": connector.BadData, "/dev/zero.csv": connector.BadData,
		"graph.xlsx":     connector.UnknownName,
		"graph.arrow.gz": connector.UnknownName, "": connector.UnknownName,
	} {
		if _, err := (&Source{Path: path}).Export(context.Background(), projection(export.Natural, false),
			nil); connector.KindOf(err) != kind {
			t.Errorf("%q: %v", path, err)
		}
	}
	folder := filepath.Join(t.TempDir(), "folder.csv")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Source{Path: folder}).Export(context.Background(), projection(export.Natural, false),
		nil); err == nil || !strings.Contains(err.Error(), "a folder, not a file") {
		t.Errorf("a folder: %v", err)
	}
}

// TestHugeLineTakesLittleMemory reads a file that is one id of 5 GB: a sparse file, whose bytes are NUL, and one of
// compressed letters.
func TestHugeLineTakesLittleMemory(t *testing.T) {
	sparse := writeTemp(t, "sparse.csv", "src,dst\na,")
	if err := os.Truncate(sparse, 5<<30); err != nil {
		t.Fatal(err)
	}
	member := gzipped(strings.Repeat("x", 64<<20)) // 80 members one after another are one gzip file of 5 GiB
	zipped := writeTemp(t, "bomb.csv.gz", gzipped("src,dst\na,")+strings.Repeat(member, 80))
	for _, path := range []string{sparse, zipped} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := (&Source{Path: path}).Export(context.Background(), projection(export.Natural, false), nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "line 2: longer than 1048576 bytes") {
			t.Errorf("%s: %v", path, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
			t.Errorf("%s: took %d bytes", path, grown)
		}
	}
}

// TestCancel cancels while a file is read: rows, comments and blank lines without end.
func TestCancel(t *testing.T) {
	for name, content := range map[string]string{
		"rows.csv": "src,dst\n" + strings.Repeat("a,b\n", 5<<20), "comments.txt": strings.Repeat("# nothing\n", 4<<20),
		"spaces.graph": "1 0\n%" + strings.Repeat("%", 40<<20),
		"entries.mtx":  "%%MatrixMarket matrix coordinate pattern general\n5 5 9999999\n" + strings.Repeat("1 2\n", 5<<20),
	} {
		path := writeTemp(t, name, content)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		s, err := (&Source{Path: path}).Export(ctx, projection(export.Undirected, false), nil)
		if !errors.Is(err, context.DeadlineExceeded) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}
