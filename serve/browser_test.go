package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is a Chromium that notes everything it complains about.
type browser struct {
	t        *testing.T
	ctx      context.Context
	mu       sync.Mutex
	problems []string
	requests []string
}

// missing is what to do about a browser or an axe-core that is not there.
const missing = "scripts/browser.sh .cache installs what the tests of the page need"

func openBrowser(t *testing.T) *browser {
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
	b := &browser{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.problems = append(b.problems, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				b.problems = append(b.problems, fmt.Sprintf("console: %s", e.Args[0].Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
				b.problems = append(b.problems, e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, e.Request.URL)
		}
	})
	if err := chromedp.Run(ctx); err != nil { // the browser lives as long as the context of its first use
		t.Fatal(err)
	}
	b.do(log.Enable(), network.Enable())
	return b
}

// do fails the test if the browser does not do it all within a minute or two: what cannot be clicked waits forever.
func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeoutCause(b.ctx, 2*time.Minute, errStuck)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var text string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText.slice(0, 2000)`, &text))
		b.t.Fatalf("%v: %v\nthe page: %s", err, context.Cause(ctx), text)
	}
}

// errStuck is why do gave up.
var errStuck = errors.New("the browser does not find it, or it is not visible")

// until waits for an expression to be true in the page.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		err := chromedp.Run(b.ctx, chromedp.Evaluate(expression, &ok))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			var text string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText.slice(0, 2000)`, &text))
			b.t.Fatalf("never %s: %v\nthe page: %s", what, err, text)
		}
	}
}

// look makes screenshots on a phone, of paper, in the dark and in the light, and lets axe look at the screens. The last stays.
func (b *browser) look(name string) {
	b.t.Helper()
	for _, c := range []struct {
		name, scheme, media string
		width, height       int64
		mobile              bool
	}{
		{"phone", "light", "screen", 360, 780, true}, {"print", "dark", "print", 760, 1000, false},
		{"dark", "dark", "screen", 1280, 900, false}, {"light", "light", "screen", 1280, 900, false},
	} {
		var picture []byte
		var wide bool
		b.do(emulation.SetEmulatedMedia().WithMedia(c.media).WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}),
			emulation.SetDeviceMetricsOverride(c.width, c.height, 1, c.mobile),
			chromedp.Evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth", &wide),
			chromedp.ActionFunc(func(ctx context.Context) (err error) {
				picture, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
				return err
			}))
		if wide {
			b.t.Errorf("%s, %s: the page is wider than the screen", name, c.name)
		}
		b.whole(name + ", " + c.name)
		if c.media == "screen" { // paper has the colours of the light
			b.axe(name + ", " + c.name)
		}
		if folder := os.Getenv("LINCHPIN_SCREENSHOTS"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+"-"+c.name+".png"), picture, 0o644); err != nil {
				b.t.Error(err)
			}
		}
		if len(picture) < 5000 {
			b.t.Errorf("%s, %s: a picture of %d bytes", name, c.name, len(picture))
		}
	}
}

// cutOff finds elements whose content does not fit into them. What is unseen on purpose has a path that clips it.
const cutOff = `[...document.querySelectorAll("body *:not(svg *)")].filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1 &&
	getComputedStyle(e).overflowX != "visible" && getComputedStyle(e).clipPath == "none").map(e => e.outerHTML.slice(0, 120)).concat(
	[...document.querySelectorAll("main *:not(svg *)")].filter(e => e.offsetParent && !e.closest(".unseen, thead") && e.getBoundingClientRect().right > innerWidth + 1).map(e => "beyond the screen: " + e.outerHTML.slice(0, 120)))`

// whole reports what is cut off.
func (b *browser) whole(where string) {
	b.t.Helper()
	var bad []string
	b.do(chromedp.Evaluate(cutOff, &bad))
	if len(bad) > 0 {
		b.t.Errorf("%s: cut off: %q", where, bad)
	}
}

// axe reports what axe-core finds wrong with the page. It is evaluated in the page, past its policy for scripts.
func (b *browser) axe(where string) {
	b.t.Helper()
	folder := cmp.Or(os.Getenv("LINCHPIN_AXE"), "../.cache/axe")
	source, err := os.ReadFile(filepath.Join(folder, "axe-4.14.1.min.js"))
	if err != nil {
		b.t.Fatalf("%v: %s", err, missing)
	}
	var text string
	b.do(chromedp.Evaluate(string(source)+"; 0", nil), chromedp.Evaluate(
		`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html).slice(0, 3)])))`,
		&text, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var violations []any
	if err := json.Unmarshal([]byte(text), &violations); err != nil || len(violations) > 0 {
		b.t.Errorf("%s: axe: %v %s", where, err, text)
	}
}

// complaints fails the test for everything that the browser said, and for requests that left the service.
func (b *browser) complaints(url string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("the browser says: %s", p)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, url) && !strings.HasPrefix(r, "data:") && r != "about:blank" {
			b.t.Errorf("a request to %s", r)
		}
	}
}

// watchProgress notes what a person sees of a run under way, and how often the page was fetched anew until then. The
// marker is gone when the page itself is loaded anew.
const watchProgress = `window.marker = 1; window.seen = []; window.heard = [];
new MutationObserver(() => {
	const step = document.querySelector("[data-step]"), bar = document.querySelector("progress");
	const heard = document.getElementById("said").textContent;
	if (window.heard.at(-1) !== heard) window.heard.push(heard);
	if (!step || !bar) return;
	const now = {step: step.textContent, count: document.querySelector("[data-count]").textContent, bar: bar.value,
		fetched: performance.getEntriesByType("resource").filter(e => e.initiatorType === "fetch").length};
	const last = window.seen.at(-1);
	if (!last || last.step !== now.step || last.count !== now.count || last.bar !== now.bar) window.seen.push(now);
}).observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true}); 0`

// sawProgress checks what watchProgress noted of a whole run: the steps in their order (the first may be over before the page
// is told of the run), and a count and a bar that grow
// while it computes, by events alone: between two fetches of the page.
func (b *browser) sawProgress() {
	b.t.Helper()
	var seen []struct {
		Step, Count  string
		Bar, Fetched float64
	}
	b.do(chromedp.Evaluate(`window.seen`, &seen))
	var steps []string
	most, grown, done, bar, fetched := 0, 0, -1, -1.0, -1.0
	for _, now := range seen {
		if len(steps) == 0 || steps[len(steps)-1] != now.Step {
			steps = append(steps, now.Step)
		}
		var n, of int
		if _, err := fmt.Sscanf(strings.ReplaceAll(now.Count, "\u202f", ""), "%d of %d betweenness sources", &n, &of); err != nil {
			continue
		}
		if now.Fetched != fetched { // another job ended
			grown, done, bar, fetched = 0, -1, -1, now.Fetched
		}
		if n <= done || now.Bar < bar || of != 8000 {
			b.t.Errorf("after %d sources and a bar at %g: %+v", done, bar, now)
		}
		grown, done, bar = grown+1, n, now.Bar
		most = max(most, grown)
	}
	if order := strings.Join(steps, " "); !strings.Contains(order, "compute write") {
		b.t.Errorf("steps seen: %s", order)
	}
	if most < 3 {
		b.t.Errorf("progress of the computation was seen %d times: %+v", most, seen)
	}
}

func TestPageInABrowser(t *testing.T) {
	server := fill(t, 8000-18)
	server.Query(t, "MATCH (a:V) WHERE 3988 <= a.i < 3994 UNWIND range(1, 3) AS k CREATE (a)-[:E]->(:V {name: 'leaf ' + k})", nil)
	f := start(t, configText(server.URI(), "token: "+token, jobText("hubs", "    schedule: \"0 3 * * *\"\n"), jobText("after-hubs", "    after: hubs\n"))).ready()
	b := openBrowser(t)
	b.do(chromedp.Navigate(f.url + "/"))
	b.until("the jobs", `document.querySelectorAll("#jobs tbody tr").length == 2`)
	// By the keyboard alone: the first thing to reach skips to the content, then on to signing in.
	b.do(chromedp.KeyEvent(kb.Tab))
	b.until("a link that skips", `document.activeElement.textContent == "Skip to the content"`)
	b.do(chromedp.Click(`nav a[href="/login"]`), chromedp.WaitVisible("#token"))
	b.look("login")
	b.do(chromedp.SendKeys("#token", "wrong"), chromedp.KeyEvent(kb.Enter))
	b.until("refused", `document.body.textContent.includes("This is not the token")`)
	b.mu.Lock()
	b.problems = nil // the browser reports the 401 itself
	b.mu.Unlock()
	b.do(chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#run-hubs"))
	// A marker shows that the page is never loaded anew: all that follows comes through the stream.
	b.do(chromedp.Focus("#run-hubs"), chromedp.KeyEvent(kb.Enter))
	b.until("on the job's page", `location.pathname == "/jobs/hubs"`)
	b.do(chromedp.Evaluate(watchProgress, nil))
	b.until("the new run", `!!document.querySelector(".status.succeeded") && !document.querySelector("progress")`)
	b.do(chromedp.Evaluate(`window.seen = []; window.heard = []; 0`, nil))
	id := f.press("hubs")
	b.until("the second run", fmt.Sprintf(`window.marker == 1 && !!document.querySelector('a[href="/runs/%s"]')`, id))
	f.ended(id)
	b.until("its end is announced", `window.heard.includes("hubs: succeeded")`)
	b.until("the job's rest", `!document.querySelector("progress")`)
	b.sawProgress()
	b.look("job")
	b.do(chromedp.Navigate(f.url + "/runs/" + id))
	b.until("the drawing", `document.querySelectorAll("svg.chart").length >= 4`)
	b.look("run")
	b.do(chromedp.Navigate(f.url + "/"))
	b.until("buttons", `!!document.getElementById("run-hubs")`)
	b.look("jobs")
	b.complaints(f.url)
}

func TestCancelInABrowser(t *testing.T) {
	server := fill(t, 6000)
	f := start(t, configText(server.URI(), "token: "+token, jobText("long", ""))).ready()
	b := openBrowser(t)
	b.do(chromedp.Navigate(f.url+"/login"), chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#run-long"))
	id := f.press("long")
	b.do(chromedp.WaitVisible("#cancel-long"), chromedp.Click("#cancel-long"))
	if run := f.ended(id); run.Status != "cancelled" && run.Status != "unfinished" {
		t.Errorf("%s: %s", run.Status, run.Error)
	}
	b.complaints(f.url)
}
