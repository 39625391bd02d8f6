package report

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/linchpin-graph/linchpin/internal/browsertest"
)

// looks are those of a reader at a desk, at night, on a phone, on the widest screen, and on paper.
var looks = []browsertest.Look{
	{Name: "light", Scheme: "light", Media: "screen", Width: 1200}, {Name: "dark", Scheme: "dark", Media: "screen", Width: 1200},
	{Name: "phone", Scheme: "light", Media: "screen", Width: 360}, {Name: "phone-dark", Scheme: "dark", Media: "screen", Width: 390},
	{Name: "wide", Scheme: "light", Media: "screen", Width: 1600}, {Name: "print", Scheme: "dark", Media: "print", Width: 800},
}

// TestReportInABrowser opens reports in every look: nothing is wider than the screen, and axe finds nothing.
func TestReportInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	b := browsertest.Open(t)
	for name, r := range map[string]Report{"report-map": sample(120, true), "report-backbone": sample(80, false), "report-small": sample(3, false)} {
		file := filepath.Join(t.TempDir(), name+".html")
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.Or(Write(out, r), out.Close()); err != nil {
			t.Fatal(err)
		}
		b.Do(chromedp.Navigate("file://" + file))
		var ready float64
		b.Do(chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].loadEventEnd`, &ready))
		t.Logf("%s is there after %.0f ms", name, ready)
		for _, l := range looks {
			b.See(name, l)
		}
	}
}
