// Package browsertest opens pages in a real Chromium, in the light, in the dark and on a phone, and has axe-core read
// them.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// missing is what to do about a browser or an axe-core that is not there.
const missing = "scripts/browser.sh .cache installs what the tests of pages need"

// Browser is a Chromium that notes what it complains about and what it asks for.
type Browser struct {
	t        *testing.T
	ctx      context.Context
	mu       sync.Mutex
	problems []string
	requests []string
}

// Open starts a browser, which ends with the test. A machine without one fails the test.
func Open(t *testing.T) *Browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(find(t)), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	b := &Browser{t: t, ctx: ctx}
	if err := chromedp.Run(ctx); err != nil { // the browser lives as long as the context of its first use
		t.Fatal(err)
	}
	chromedp.ListenTarget(ctx, b.note)
	// As if its window were in front: without it, nothing gets the focus.
	b.Do(log.Enable(), network.Enable(), emulation.SetFocusEmulationEnabled(true))
	return b
}

func find(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("LINCHPIN_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium: " + missing)
	return ""
}

func (b *Browser) note(event any) {
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
}

// errStuck is why Do gave up.
var errStuck = errors.New("the browser does not find it, or it is not visible")

// Do does the actions, and ends the test if they are not done within two minutes: what cannot be clicked waits forever.
func (b *Browser) Do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeoutCause(b.ctx, 2*time.Minute, errStuck)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatalf("%v: %v\nthe page: %s", err, context.Cause(ctx), b.text())
	}
}

// Until waits for an expression to be true in the page.
func (b *Browser) Until(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		err := chromedp.Run(b.ctx, chromedp.Evaluate(expression, &ok))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("never %s: %v\nthe page: %s", what, err, b.text())
		}
	}
}

// text is the beginning of what the page says, for the message of a test that fails.
func (b *Browser) text() string {
	var text string
	_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText.slice(0, 2000)`, &text))
	return text
}

// Problems returns what the browser has complained about so far.
func (b *Browser) Problems() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.problems...)
}

// Forgive forgets what the browser has complained about so far.
func (b *Browser) Forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = nil
}

// Requests returns the addresses that the browser has asked for so far.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.requests...)
}
