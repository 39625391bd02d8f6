package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/linchpin-graph/linchpin/internal/browsertest"
)

// looks are those of a reader on a phone, of paper, at night, and at a desk. The last one stays.
var looks = []browsertest.Look{
	{Name: "phone", Scheme: "light", Media: "screen", Width: 360},
	{Name: "print", Scheme: "dark", Media: "print", Width: 760},
	{Name: "dark", Scheme: "dark", Media: "screen", Width: 1280},
	{Name: "light", Scheme: "light", Media: "screen", Width: 1280},
}

// look takes every look at the page that is open, and reports what is cut off in one.
func look(t *testing.T, b *browsertest.Browser, name string) {
	t.Helper()
	for _, l := range looks {
		b.See(name, l)
		whole(t, b, name+", "+l.Name)
	}
}

// cutOff finds elements whose content does not fit into them. What is unseen on purpose has a path that clips it.
const cutOff = `[...document.querySelectorAll("body *:not(svg *)")].filter(e => e.offsetParent &&
	e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != "visible" &&
	getComputedStyle(e).clipPath == "none").map(e => e.outerHTML.slice(0, 120)).concat(
	[...document.querySelectorAll("main *:not(svg *)")]
		.filter(e => e.offsetParent && !e.closest(".unseen, thead") && e.getBoundingClientRect().right > innerWidth + 1)
		.map(e => "beyond the screen: " + e.outerHTML.slice(0, 120)))`

// whole reports what is cut off.
func whole(t *testing.T, b *browsertest.Browser, where string) {
	t.Helper()
	var bad []string
	b.Do(chromedp.Evaluate(cutOff, &bad))
	if len(bad) > 0 {
		t.Errorf("%s: cut off: %q", where, bad)
	}
}

// complaints fails the test for everything that the browser said, and for requests that left the service.
func complaints(t *testing.T, b *browsertest.Browser, url string) {
	t.Helper()
	for _, p := range b.Problems() {
		t.Errorf("the browser says: %s", p)
	}
	for _, r := range b.Requests() {
		if !strings.HasPrefix(r, url) && !strings.HasPrefix(r, "data:") && r != "about:blank" {
			t.Errorf("a request to %s", r)
		}
	}
}

// watchProgress notes what a person sees of a run under way, and how often the page was fetched anew until then. The
// marker is gone when the page itself is loaded anew. It also fetches the page every two seconds and delays the
// answer, so that the page is older than the events heard by then.
const watchProgress = `window.marker = 1; window.seen = []; window.heard = [];
setInterval(() => refresh(), 2000);
const load = window.fetch;
window.fetch = async (...of) => {
	const page = await load(...of);
	await new Promise((later) => setTimeout(later, 500));
	return page;
};
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

// sawProgress checks what watchProgress noted of a whole run: the steps in their order (the first may be over before
// the page is told of the run), and a count and a bar that never go back while it computes, and grow by events alone:
// between two fetches of the page.
func sawProgress(t *testing.T, b *browsertest.Browser) {
	t.Helper()
	var seen []struct {
		Step, Count  string
		Bar, Fetched float64
	}
	b.Do(chromedp.Evaluate(`window.seen`, &seen))
	var steps []string
	most, grown, done, bar, fetched := 0, 0, -1, -1.0, -1.0
	for _, now := range seen {
		if len(steps) == 0 || steps[len(steps)-1] != now.Step {
			steps = append(steps, now.Step)
		}
		var n, of int
		if _, err := fmt.Sscanf(strings.ReplaceAll(now.Count, "\u202f", ""),
			"%d of %d betweenness sources", &n, &of); err != nil {
			continue
		}
		if now.Fetched != fetched {
			grown, fetched = 0, now.Fetched
		}
		if n < done || now.Bar < bar-1 || of != 8000 { // the bar of a page is a whole number
			t.Errorf("after %d sources and a bar at %g: %+v", done, bar, now)
		}
		grown, done, bar = grown+1, n, now.Bar
		most = max(most, grown)
	}
	if order := strings.Join(steps, " "); !strings.Contains(order, "compute write") {
		t.Errorf("steps seen: %s", order)
	}
	if most < 3 {
		t.Errorf("progress of the computation was seen %d times: %+v", most, seen)
	}
}

func TestPageInABrowser(t *testing.T) {
	server := fill(t, 8000-18)
	server.Query(t,
		"MATCH (a:V) WHERE 3988 <= a.i < 3994 UNWIND range(1, 3) AS k CREATE (a)-[:E]->(:V {name: 'leaf ' + k})", nil)
	f := start(t, configText(server.URI(), "token: "+token, jobText("hubs", "    schedule: \"0 3 * * *\"\n"),
		jobText("after-hubs", "    after: hubs\n"))).ready()
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(f.url + "/"))
	b.Until("the jobs", `document.querySelectorAll("#jobs tbody tr").length == 2`)
	// By the keyboard alone: the first thing to reach skips to the content, then on to signing in.
	b.Do(chromedp.KeyEvent(kb.Tab))
	b.Until("a link that skips", `document.activeElement.textContent == "Skip to the content"`)
	b.Do(chromedp.Click(`nav a[href="/login"]`), chromedp.WaitVisible("#token"))
	look(t, b, "login")
	b.Do(chromedp.SendKeys("#token", "wrong"), chromedp.KeyEvent(kb.Enter))
	b.Until("refused", `document.body.textContent.includes("This is not the token")`)
	b.Forgive() // the browser reports the 401 itself
	b.Do(chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#run-hubs"))
	// A marker shows that the page is never loaded anew: all that follows comes through the stream.
	b.Do(chromedp.Focus("#run-hubs"), chromedp.KeyEvent(kb.Enter))
	b.Until("on the job's page", `location.pathname == "/jobs/hubs"`)
	b.Do(chromedp.Evaluate(watchProgress, nil))
	b.Until("the new run", `!!document.querySelector(".status.succeeded") && !document.querySelector("progress")`)
	b.Do(chromedp.Evaluate(`window.seen = []; window.heard = []; 0`, nil))
	id := f.press("hubs")
	b.Until("the second run", fmt.Sprintf(`window.marker == 1 && !!document.querySelector('a[href="/runs/%s"]')`, id))
	f.ended(id)
	b.Until("its end is announced", `window.heard.includes("hubs: succeeded")`)
	b.Until("the job's rest", `!document.querySelector("progress")`)
	sawProgress(t, b)
	look(t, b, "job")
	b.Do(chromedp.Navigate(f.url + "/runs/" + id))
	b.Until("the drawing", `document.querySelectorAll("svg.chart").length >= 4`)
	look(t, b, "run")
	b.Do(chromedp.Navigate(f.url + "/"))
	b.Until("buttons", `!!document.getElementById("run-hubs")`)
	look(t, b, "jobs")
	complaints(t, b, f.url)
}

func TestCancelInABrowser(t *testing.T) {
	server := fill(t, 6000)
	f := start(t, configText(server.URI(), "token: "+token, jobText("long", ""))).ready()
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(f.url+"/login"), chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible("#run-long"))
	id := f.press("long")
	b.Do(chromedp.WaitVisible("#cancel-long"), chromedp.Click("#cancel-long"))
	if run := f.ended(id); run.Status != "cancelled" && run.Status != "unfinished" {
		t.Errorf("%s: %s", run.Status, run.Error)
	}
	complaints(t, b, f.url)
}
