package serve

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/browsertest"
)

// galleryStart is when the first of the invented runs began.
var galleryStart = time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)

// airports are the highest nodes of the demonstration, with their places.
var airports = []connector.Dot{
	{ID: "1", Name: "Ted Stevens Anchorage International Airport", Score: 2087341.25,
		Place: &connector.Place{Latitude: 61.17, Longitude: -150}},
	{ID: "2", Name: "Paris Charles de Gaulle", Score: 1610877, Place: &connector.Place{Latitude: 49, Longitude: 2.55}},
	{ID: "3", Name: "Los Angeles", Score: 1300412.5, Place: &connector.Place{Latitude: 33.94, Longitude: -118.4}},
	{ID: "4", Name: "Dubai", Score: 1101001, Place: &connector.Place{Latitude: 25.25, Longitude: 55.36}},
	{ID: "5", Name: "Singapore Changi", Score: 998001, Place: &connector.Place{Latitude: 1.36, Longitude: 103.99}},
	{ID: "6", Name: "São Paulo–Guarulhos", Score: 870111, Place: &connector.Place{Latitude: -23.43, Longitude: -46.47}},
	{ID: "7", Name: "Sydney Kingsford Smith", Score: 640222, Place: &connector.Place{Latitude: -33.95, Longitude: 151.18}},
}

// invented is the record of a run that never was.
func invented(job string, n int, dots []connector.Dot) connector.Run {
	rank := 0.998 - float64(n%3)*.002
	at := galleryStart.AddDate(0, 0, n)
	s := connector.ScoreSummary{On: connector.OnNodes, Property: "betweenness", Count: 3504, Max: dots[0].Score,
		Mean: dots[0].Score / 40, Rank: &rank, Compared: 3500, Digest: strings.Repeat("4f", 16),
		Histogram:  []int64{3100, 300, 90, 14},
		Logarithms: &connector.LogHistogram{Zeros: 1421, Low: 0, High: 7, Counts: []int64{40, 180, 420, 600, 520, 260, 63}}}
	r := connector.ScoreSummary{On: connector.OnRelationships, Property: "edge_betweenness", Count: 37042,
		Max: 300000, Mean: 1200, Digest: strings.Repeat("a1", 16), Histogram: []int64{36000, 900, 142}}
	around := &connector.Picture{NodeProperty: s.Property, RelationshipProperty: r.Property}
	for i, d := range dots {
		d.Top = true
		around.Nodes = append(around.Nodes, d)
		s.Top = append(s.Top, connector.Ranked{ID: d.ID, Name: d.Name, Score: d.Score * (1 + float64(n%2)*.01*float64(i))})
		if i > 0 {
			around.Links = append(around.Links, connector.Link{From: i - 1, To: i, Score: 1000 * float64(i)})
			r.Top = append(r.Top, connector.Ranked{ID: fmt.Sprint(100 + i), Source: dots[i-1].Name, Target: d.Name,
				Score: 300000 / float64(i)})
		}
		s.Movers = append(s.Movers, connector.Mover{ID: d.ID, Name: d.Name, Before: d.Score * .9, After: d.Score})
	}
	return connector.Run{ID: fmt.Sprintf("%s-%s-%03d", at.Format("20060102T150405Z"), job, n), Job: job,
		Status: connector.Succeeded, Started: at, Finished: at.Add(4 * time.Second), Step: "write", Nodes: 3504,
		Relationships: 37042, Edges: 18859, Trigger: "schedule", Host: "db-7.example.org", Version: "test", Device: "cpu",
		Reason: "no GPU; 8 threads", Config: "c1", Graph: fmt.Sprintf("g%d", n/2),
		Seconds: map[string]float64{"export": .8 + .1*float64(n%4), "plan": .01, "compute": 2.2, "check": .01,
			"write": .6},
		Write:          connector.WriteStats{Written: 40546},
		NodeProperties: []string{"betweenness"}, RelationshipProperties: []string{"edge_betweenness"},
		Scores: []connector.ScoreSummary{s, r}, Around: around}
}

// broken makes a record one of a run that failed, with a hint.
func broken(r connector.Run) connector.Run {
	r.Status, r.Step, r.Scores, r.Around = connector.Failed, "export", nil, nil
	r.Error = "property name `distanceInKilometresAlongTheGreatCircleBetweenBothAirports` has no value on 12 relationships"
	r.Hint = "give them one, or set defaultWeight: 1 below relationships"
	return r
}

// galleryJob is the text of a job that asks for both scores.
func galleryJob(name, label, relationship, weight string) string {
	return fmt.Sprintf(`  - name: %s
    schedule: "0 4 * * *"
    misfire: skip
    graph: {nodes: [%s], relationships: [{type: %s, orientation: undirected%s}]}
    measures: [{measure: betweenness, nodes: %s_b, relationships: %s_e}]
`, name, label, relationship, weight, strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "-", "_"))
}

// gallery starts a service on 30 jobs with invented records: some failed, one drifted, some never ran.
func gallery(t *testing.T) (f *fixture, demo []connector.Run) {
	t.Helper()
	server := fill(t, 3)
	texts := []string{jobText("long", ""), galleryJob("airports", "Airport", "ROUTE", ", weight: distance"),
		galleryJob("movies", "Movie", "ACTED_IN", "")}
	films := make([]connector.Dot, len(airports))
	for i, d := range airports {
		films[i] = connector.Dot{ID: d.ID, Name: []string{"Tom Hanks", "Cloud Atlas", "Keanu Reeves", "The Matrix",
			"Hugo Weaving", "Meg Ryan", "Jerry Maguire"}[i], Score: math.Round(d.Score / 1e4)}
	}
	var records []connector.Run
	for n := range 12 {
		records = append(records, invented("airports", n, airports))
	}
	low := .41
	records[11].Scores[0].Rank = &low
	demo = records[10:12]
	records = append(records, invented("movies", 0, films))
	for n := range 27 {
		name := fmt.Sprintf("job-%02d-of-a-department", n)
		texts = append(texts, galleryJob(name, fmt.Sprintf("Label%02d", n), fmt.Sprintf("TYPE_%02d", n), ""))
		switch {
		case n%9 == 4:
			records = append(records, invented(name, 0, films), broken(invented(name, 1, films)))
		case n%9 != 8:
			records = append(records, invented(name, 0, films))
		}
	}
	db, err := open(t.Context(), &config.Config{Neo4j: config.Neo4j{URI: server.URI()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	if err := db.SaveRuns(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
	return start(t, configText(server.URI(), "token: "+token, texts...)).ready(), demo
}

func TestGallery(t *testing.T) {
	f, demo := gallery(t)
	f.await("the last runs are loaded", func() bool {
		all := f.states()
		return all[len(all)-2].Last != nil && all[1].Last != nil
	})
	status, text := f.get("/?state=failed&sort=name&dir=down&q=hanks")
	if last := strings.Index(text, "/jobs/job-04"); status != http.StatusOK ||
		strings.Count(text, "<tr role=\"row\" data-job") != 3 || last < strings.Index(text, "/jobs/job-22") {
		t.Errorf("%d: the table is not filtered and sorted without script", status)
	}
	if status, text := f.get("/jobs/movies/scores.csv"); status != http.StatusNotFound ||
		!strings.Contains(text, "linchpin jobs --cypher") {
		t.Errorf("scores of another host: %d %s", status, text)
	}
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(f.url+"/login"), chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible("#run-airports"))
	b.Until("failed ones come first",
		`document.querySelectorAll("#jobs tbody tr").length == 30 && document.querySelector("#jobs tbody tr .status.failed") != null`)
	look(t, b, "jobs-30")
	b.Do(chromedp.SendKeys("#filter-q", "anchorage"))
	b.Until("one job is left",
		`[...document.querySelectorAll("#jobs tbody tr")].filter(r => !r.hidden).length == 1 && location.search == "?q=anchorage"`)
	b.Do(chromedp.Navigate(f.url+"/?sort=name"), chromedp.Click("#sort-name"))
	b.Until("the order is turned round",
		`document.querySelector("#jobs tbody tr").dataset.name == "movies" && location.search.includes("dir=down")`)
	// A phone has no heads of columns to click at: a list sorts there.
	b.Do(browsertest.As(looks[0]), chromedp.SetValue("#filter-sort", "last"),
		chromedp.Evaluate(`document.getElementById("filter-sort").dispatchEvent(new Event("input", {bubbles: true}))`, nil))
	b.Until("the last run is first",
		`document.querySelector("#jobs tbody tr").dataset.name == "airports" && location.search == "?sort=last"`)
	for name, path := range map[string]string{
		"demo": "/jobs/airports", "movies": "/jobs/movies", "failed": "/jobs/job-04-of-a-department",
		"compare": fmt.Sprintf("/jobs/airports/compare?a=%s&b=%s", demo[0].ID, demo[1].ID), "never-ran": "/jobs/long",
		"failed-run": "/runs/" + invented("job-04-of-a-department", 1, airports).ID,
	} {
		b.Do(chromedp.Navigate(f.url+path), chromedp.WaitVisible("main h1"))
		look(t, b, name)
	}
	complaints(t, b, f.url)
}

// TestRunningInABrowser looks at a run under way, on the pages of the run and of its job, and cancels it there.
func TestRunningInABrowser(t *testing.T) {
	server := fill(t, 30000)
	f := start(t, configText(server.URI(), "token: "+token, jobText("long", ""))).ready()
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(f.url+"/login"), chromedp.SendKeys("#token", token), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible("#run-long"))
	id := f.press("long")
	b.Do(chromedp.Navigate(f.url+"/runs/"+id), chromedp.WaitVisible("#cancel-long"))
	b.Until("rate and time left", `/\/s, about .* left/.test(document.querySelector("[data-pace]")?.textContent)`)
	look(t, b, "running-run")
	b.Do(chromedp.Navigate(f.url + "/"))
	b.Until("progress in the table", `!!document.querySelector("#jobs progress")`)
	look(t, b, "running-jobs")
	b.Do(chromedp.Navigate(f.url+"/runs/"+id), chromedp.WaitVisible("#cancel-long"), chromedp.Click("#cancel-long"))
	if run := f.ended(id); run.Status != connector.Cancelled && run.Status != connector.Unfinished {
		t.Errorf("%s: %s", run.Status, run.Error)
	}
	complaints(t, b, f.url)
}
