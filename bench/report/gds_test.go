package report

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// renderGDS writes a record of made-up times into a folder and returns its picture.
func renderGDS(t *testing.T, record string) (picture string, err error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, gdsRecord), []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	err = writeGDS(dir, func(_ string, data []byte) error { picture = string(data); return nil })
	return picture, err
}

func TestGDSPicture(t *testing.T) {
	form := func(graph, edges, form, seconds string) string {
		return `{"graph": "` + graph + `", "nodes": 20000, "edges": ` + edges + `, "form": "` + form +
			`", "medianSeconds": ` + seconds + `}`
	}
	picture, err := renderGDS(t, `{"gds": "2.13.9", "machine": "2 cores, loopback", "forms": [`+strings.Join([]string{
		form("small", "10", "linchpin: export, compute, write", "7"),
		form("small", "10", "GDS: project, compute, write", "8"), form("large", "50000", "linchpin: export, compute, write",
			"5"), form("large", "50000", "linchpin: export, compute", "3"),
		form("large", "50000", "GDS: project, compute, write", "20"),
	}, ",")+"]}")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"of large, out of Neo4j and back: n 20k, m 50k, 2 cores<", "GDS 2.13.9 20.0 s",
		`width="95"`, `width="380"`} {
		if !strings.Contains(picture, part) {
			t.Errorf("no %q in %s", part, picture)
		}
	}
	if err := xml.Unmarshal([]byte(picture), new(struct{})); err != nil {
		t.Error(err)
	}
	if _, err := renderGDS(t, `{"forms": []}`); err == nil {
		t.Error("a record without times has a picture")
	}
}

// TestGDSPictureIsThatOfTheRecord finds a record that was measured again, and its picture not drawn again.
func TestGDSPictureIsThatOfTheRecord(t *testing.T) {
	const dir = "../results"
	want, err := os.ReadFile(filepath.Join(dir, gdsPicture))
	if err != nil {
		t.Fatal(err)
	}
	err = writeGDS(dir, func(_ string, data []byte) error {
		if string(data) != string(want) {
			t.Error("make bench-pages draws another one")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
