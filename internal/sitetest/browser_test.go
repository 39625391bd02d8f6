package sitetest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/linchpin-graph/linchpin/internal/browsertest"
)

var looks = []browsertest.Look{
	{Name: "light", Scheme: "light", Media: "screen", Width: 1280},
	{Name: "dark", Scheme: "dark", Media: "screen", Width: 1280},
	{Name: "phone", Scheme: "light", Media: "screen", Width: 360},
}

// TestSiteInABrowser looks at three pages, searches, and goes where the search leads. Nothing comes from another host.
func TestSiteInABrowser(t *testing.T) {
	s := open(t)
	server := httptest.NewServer(http.StripPrefix(strings.TrimSuffix(s.base.Path, "/"),
		http.FileServer(http.Dir(s.folder))))
	defer server.Close()
	home := server.URL + s.base.Path
	b := browsertest.Open(t)
	for _, name := range []string{"", "gds/", "measures/"} {
		for _, l := range looks {
			b.Do(browsertest.As(l), chromedp.Navigate(home+name))
			b.See("site-"+strings.TrimSuffix(name, "/"), l)
		}
	}
	defer complaints(t, b, home)
	search(b, home)
}

// complaints reports what the browser complained about, and what it asked other hosts for.
func complaints(t *testing.T, b *browsertest.Browser, home string) {
	t.Helper()
	for _, problem := range b.Problems() {
		t.Errorf("the browser says: %s", problem)
	}
	for _, address := range b.Requests() {
		if !strings.HasPrefix(address, home) && !strings.HasPrefix(address, "data:") && address != "about:blank" {
			t.Errorf("a request to %s", address)
		}
	}
}

// search types a word that only the page about the service and few others have, and follows the first result.
func search(b *browsertest.Browser, home string) {
	const first = `document.querySelector("nav .search-results a")`
	b.Do(browsertest.As(looks[0]), chromedp.Navigate(home), chromedp.Focus("nav .search-input"))
	b.Until("an index", `!!window.pageIndex?.search("rollback")[0]`)
	b.Do(chromedp.SendKeys("nav .search-input", "rollback"))
	b.Until("a result", first+` !== null`)
	b.Do(chromedp.Evaluate(first+`.click()`, nil))
	b.Until("the page that was found", `location.href !== "`+home+`" && document.body.textContent.includes("rollback")`)
}
