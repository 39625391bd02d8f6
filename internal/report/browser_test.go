package report

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// missing is what to do about a browser or an axe-core that is not there.
const missing = "scripts/browser.sh .cache installs what the tests of the page need"

// look is one way to look at a report.
type look struct {
	name, scheme, media string
	width               int64
}

// looks are those of a reader at a desk, at night, on a phone, on the widest screen, and on paper.
var looks = []look{
	{"light", "light", "screen", 1200}, {"dark", "dark", "screen", 1200}, {"phone", "light", "screen", 360},
	{"phone-dark", "dark", "screen", 390}, {"wide", "light", "screen", 1600}, {"print", "dark", "print", 800},
}

func openBrowser(t *testing.T) context.Context {
	t.Helper()
	path := os.Getenv("LINCHPIN_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Fatal("there is no Chromium: " + missing)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// TestReportInABrowser opens reports in every look: nothing is wider than the screen, and axe finds nothing.
func TestReportInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	ctx := openBrowser(t)
	for name, r := range map[string]Report{"report-map": sample(120, true), "report-backbone": sample(80, false), "report-small": sample(3, false), "report-odd": odd()} {
		file := filepath.Join(t.TempDir(), name+".html")
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.Or(Write(out, r), out.Close()); err != nil {
			t.Fatal(err)
		}
		do(t, ctx, chromedp.Navigate("file://"+file))
		for _, l := range looks {
			l.see(t, ctx, name)
		}
	}
}

// TestReportOfAMillionNodes makes a report of a file of a million nodes. It is below 5 MB, and a browser has it in two seconds.
func TestReportOfAMillionNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	dir := t.TempDir()
	program, graph, out := filepath.Join(dir, "linchpin"), filepath.Join(dir, "million.arrow"), filepath.Join(dir, "million.html")
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
	ctx, best := openBrowser(t), math.Inf(1)
	for range 3 { // the machine may be busy
		var ready float64
		do(t, ctx, chromedp.Navigate("file://"+out), chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].loadEventEnd`, &ready))
		if ready > 0 {
			best = min(best, ready)
		}
	}
	t.Logf("%d bytes, there after %.0f ms", info.Size(), best)
	if best > 2000 {
		t.Errorf("the report is there after %.0f ms", best)
	}
	looks[0].see(t, ctx, "report-million")
}

// see sets the look, makes a picture, and checks what is there.
func (l look) see(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	var picture []byte
	var wide string
	do(t, ctx, emulation.SetEmulatedMedia().WithMedia(l.media).WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
		emulation.SetDeviceMetricsOverride(l.width, 900, 1, l.width < 500),
		chromedp.Evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth ?
			[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
			.slice(0, 3).map(e => e.outerHTML.slice(0, 120)).join("\n") || "something" : ""`, &wide),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			picture, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
			return err
		}))
	if wide != "" {
		t.Errorf("%s, %s: wider than the screen: %s", name, l.name, wide)
	}
	if len(picture) < 5000 {
		t.Errorf("%s, %s: a picture of %d bytes", name, l.name, len(picture))
	}
	if folder := os.Getenv("LINCHPIN_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%s.png", name, l.name)), picture, 0o644); err != nil {
			t.Error(err)
		}
	}
	axe(t, ctx, name+", "+l.name)
}

// axe reports what axe-core finds wrong with the page.
func axe(t *testing.T, ctx context.Context, where string) {
	t.Helper()
	folder := cmp.Or(os.Getenv("LINCHPIN_AXE"), "../../.cache/axe")
	source, err := os.ReadFile(filepath.Join(folder, "axe-4.14.1.min.js"))
	if err != nil {
		t.Fatalf("%v: %s", err, missing)
	}
	var text string
	do(t, ctx, chromedp.Evaluate(string(source)+"; 0", nil), chromedp.Evaluate(
		`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html).slice(0, 3)])))`,
		&text, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var violations []any
	if err := json.Unmarshal([]byte(text), &violations); err != nil || len(violations) > 0 {
		t.Errorf("%s: axe: %v %s", where, err, text)
	}
}
