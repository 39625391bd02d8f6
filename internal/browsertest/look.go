package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Look is one way to look at a page.
type Look struct {
	// Name is a part of the picture's name.
	Name string
	// Scheme is light or dark, Media screen or print.
	Scheme, Media string
	// Width is that of the screen; under 500 it is a phone's.
	Width int64
}

// As sets the look. Pages that choose their colours when they load have to be loaded after it.
func As(l Look) chromedp.Action {
	scheme := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.Scheme}}
	return chromedp.Tasks{emulation.SetEmulatedMedia().WithMedia(l.Media).WithFeatures(scheme),
		emulation.SetDeviceMetricsOverride(l.Width, 900, 1, l.Width < 500)}
}

// tooWide names what reaches beyond the right edge of the screen, if the page can be moved sideways.
const tooWide = `document.documentElement.scrollWidth > document.documentElement.clientWidth ?
	[...document.querySelectorAll("body *")]
	.filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
	.slice(0, 3).map(e => e.outerHTML.slice(0, 120)).join("\n") || "something" : ""`

// See takes a look at the page that is open: nothing is wider than the screen, and axe finds nothing on a screen. The
// picture goes into the folder LINCHPIN_SCREENSHOTS, if there is one.
func (b *Browser) See(name string, l Look) {
	b.t.Helper()
	var picture []byte
	var wide string
	b.Do(As(l), chromedp.Evaluate(tooWide, &wide),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			picture, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
			return err
		}))
	where := name + ", " + l.Name
	if wide != "" {
		b.t.Errorf("%s: wider than the screen: %s", where, wide)
	}
	if len(picture) < 5000 {
		b.t.Errorf("%s: a picture of %d bytes", where, len(picture))
	}
	if folder := os.Getenv("LINCHPIN_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+"-"+l.Name+".png"), picture, 0o644); err != nil {
			b.t.Error(err)
		}
	}
	if l.Media == "screen" { // paper has the colours of the light
		b.Axe(where)
	}
}

// axe asks for violations, each with its first elements.
const axe = `axe.run(document, {resultTypes: ["violations"]})
	.then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html).slice(0, 3)])))`

// Axe reports what axe-core finds wrong with the page. It is evaluated in the page, past its policy for scripts.
func (b *Browser) Axe(where string) {
	b.t.Helper()
	folder := cmp.Or(os.Getenv("LINCHPIN_AXE"), "../../.cache/axe")
	source, err := os.ReadFile(filepath.Join(folder, "axe-4.14.1.min.js"))
	if err != nil {
		b.t.Fatalf("%v: %s", err, missing)
	}
	var text string
	b.Do(chromedp.Evaluate(string(source)+"; 0", nil), chromedp.Evaluate(axe, &text,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var violations []any
	if err := json.Unmarshal([]byte(text), &violations); err != nil || len(violations) > 0 {
		b.t.Errorf("%s: axe: %v %s", where, err, text)
	}
}
