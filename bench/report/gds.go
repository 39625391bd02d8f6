package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// The record of the benchmark next to Neo4j's Graph Data Science library, and its picture.
const (
	gdsRecord  = "neo4j-gds.json"
	gdsPicture = "neo4j-gds.svg"
	gdsWhole   = "compute, write" // ends the name of a form that leaves the scores in the database
)

// gdsForm is what one program took on one graph, from the database and back.
type gdsForm struct {
	Graph         string
	Nodes, Edges  int
	Form          string
	MedianSeconds float64
}

// gdsBar is a bar of the picture, in its coordinates.
type gdsBar struct {
	Program, Class, Time string
	Y, Width             int
}

// gdsChart is the picture of the largest graph.
type gdsChart struct {
	Label, Title string
	Bars         []gdsBar
}

// writeGDS draws the two times of the record's largest graph as bars. A folder without a record has no such picture.
func writeGDS(dir string, write func(string, []byte) error) error {
	data, err := os.ReadFile(filepath.Join(dir, gdsRecord))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var record struct {
		Forms        []gdsForm
		GDS, Machine string
	}
	if err := json.Unmarshal(data, &record); err != nil {
		return fmt.Errorf("%s: %w", gdsRecord, err)
	}
	ours, theirs := largestOf(record.Forms)
	if ours.MedianSeconds == 0 || theirs.MedianSeconds == 0 || ours.Graph != theirs.Graph {
		return fmt.Errorf("%s: no pair of times of linchpin and GDS on its largest graph", gdsRecord)
	}
	cores, _, _ := strings.Cut(record.Machine, ",")
	var out bytes.Buffer
	if err := gdsTemplate.Execute(&out, chartOf(ours, theirs, record.GDS, cores)); err != nil {
		return err
	}
	return write(gdsPicture, out.Bytes())
}

// largestOf returns the times of linchpin and of GDS on the graph with the most edges, scores written back.
func largestOf(forms []gdsForm) (ours, theirs gdsForm) {
	for _, f := range forms {
		if !strings.HasSuffix(f.Form, gdsWhole) {
			continue
		}
		best := &theirs
		if strings.HasPrefix(f.Form, "linchpin") {
			best = &ours
		}
		if f.Edges > best.Edges {
			*best = f
		}
	}
	return ours, theirs
}

// chartOf makes the longer bar 380 points wide.
func chartOf(ours, theirs gdsForm, version, cores string) gdsChart {
	scale := 380 / max(ours.MedianSeconds, theirs.MedianSeconds)
	bar := func(program, class string, f gdsForm, y int) gdsBar {
		return gdsBar{Program: program, Class: class, Y: y, Width: max(int(f.MedianSeconds*scale), 1),
			Time: fmt.Sprintf("%.1f s", f.MedianSeconds)}
	}
	return gdsChart{
		Label: fmt.Sprintf("linchpin %.1f s, GDS %s %.1f s", ours.MedianSeconds, version, theirs.MedianSeconds),
		Title: fmt.Sprintf("Exact betweenness of %s, out of Neo4j and back: n %s, m %s, %s",
			ours.Graph, short(ours.Nodes), short(ours.Edges), cores),
		Bars: []gdsBar{bar("linchpin", "ours", ours, 32), bar("GDS "+version, "theirs", theirs, 62)},
	}
}

// gdsTemplate is legible on a light and on a dark page.
var gdsTemplate = template.Must(template.New(gdsPicture).Parse(`<svg viewBox="0 0 560 96" width="560" height="96" ` +
	`xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{{.Label}}">
<style>
text { font: 13px system-ui, "Open Sans", sans-serif; fill: #171a26 }
.title { font-size: 12px; fill: #565d75 }
.ours { fill: #2f4fcf }
.theirs { fill: #9aa1b5 }
@media (prefers-color-scheme: dark) { text { fill: #e9ebf4 } .title { fill: #a3abc4 } .ours { fill: #9db1ff } .theirs { fill: #6b728a } }
</style>
<text class="title" x="0" y="14">{{.Title}}</text>
{{range .Bars -}}
<text x="0" y="{{.Y}}" dy="16">{{.Program}}</text>
<rect class="{{.Class}}" x="90" y="{{.Y}}" width="{{.Width}}" height="22" rx="3"/>
<text x="90" y="{{.Y}}" dx="{{.Width}}" dy="16">&#160;&#160;{{.Time}}</text>
{{end -}}
</svg>
`))
