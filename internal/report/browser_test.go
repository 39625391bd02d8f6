package report

import (
	"cmp"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/linchpin-graph/linchpin/internal/browsertest"
)

// looks are those of a reader at a desk, at night, on a phone, on the widest screen, and on paper.
var looks = []browsertest.Look{
	{Name: "light", Scheme: "light", Media: "screen", Width: 1200},
	{Name: "dark", Scheme: "dark", Media: "screen", Width: 1200},
	{Name: "phone", Scheme: "light", Media: "screen", Width: 360},
	{Name: "phone-dark", Scheme: "dark", Media: "screen", Width: 390},
	{Name: "wide", Scheme: "light", Media: "screen", Width: 1600},
	{Name: "print", Scheme: "dark", Media: "print", Width: 800},
}

// TestReportInABrowser opens reports in every look: nothing is wider than the screen, and axe finds nothing.
func TestReportInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	b := browsertest.Open(t)
	for name, r := range map[string]Report{"report-map": sample(120, true), "report-backbone": sample(80, false),
		"report-small": sample(3, false), "report-odd": odd(), "report-groups": grouped(60),
		"report-large-groups": grouped(0)} {
		file := filepath.Join(t.TempDir(), name+".html")
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.Or(Write(out, r), out.Close()); err != nil {
			t.Fatal(err)
		}
		b.Do(chromedp.Navigate("file://" + file))
		for _, l := range looks {
			b.See(name, l)
		}
	}
}

// TestReportOfAMillionNodes makes a report of a file of a million nodes. It is below 5 MB, and a browser has it in two
// seconds.
func TestReportOfAMillionNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	dir := t.TempDir()
	program, graph, out := filepath.Join(dir, "linchpin"), filepath.Join(dir, "million.arrow"),
		filepath.Join(dir, "million.html")
	for _, args := range [][]string{
		{"go", "build", "-o", program, "../../cmd/linchpin"},
		{program, "generate", "ba", "--nodes", "1000000", "--degree", "2", "--out", graph, "--quiet"},
		{program, "report", graph, "--measure", "betweenness", "--sources", "2", "--device", "cpu", "-o", out, "--quiet"},
	} {
		if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
	}
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 5<<20 {
		t.Errorf("%d bytes", info.Size())
	}
	b, best := browsertest.Open(t), math.Inf(1)
	for range 3 { // the machine may be busy
		var ready float64
		b.Do(chromedp.Navigate("file://"+out),
			chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].loadEventEnd`, &ready))
		if ready > 0 {
			best = min(best, ready)
		}
	}
	t.Logf("%d bytes, there after %.0f ms", info.Size(), best)
	if best > 2000 {
		t.Errorf("the report is there after %.0f ms", best)
	}
	b.See("report-million", looks[0])
}
