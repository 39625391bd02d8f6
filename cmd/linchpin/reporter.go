package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/linchpin-graph/linchpin/jobs"
)

// reporter tells a person on a terminal, or a log, how a run goes. It writes to standard error.
type reporter struct {
	app     *app
	bar     *progressbar.ProgressBar
	job     string
	step    jobs.Step
	started time.Time
	spoke   time.Time
	pace    *jobs.Pace
	// logEvery is the time between two lines of progress in a log; a program that shows progress wants them often.
	logEvery time.Duration
}

// logEvery is the time between two lines of progress in a log, unless the environment gives another.
const logEvery = 10 * time.Second

func newReporter(a *app) *reporter {
	r := &reporter{app: a, logEvery: logEvery}
	if d, err := time.ParseDuration(os.Getenv("LINCHPIN_PROGRESS")); err == nil && d > 0 {
		r.logEvery = d
	}
	return r
}

// Begin implements jobs.Reporter.
func (r *reporter) Begin(job string, step jobs.Step) {
	r.job, r.step, r.started, r.bar = job, step, time.Now(), nil
	r.spoke, r.pace = r.started, jobs.NewPace(r.started)
	if r.app.verbose {
		r.app.logger().Debug("begin", "job", job, "step", step)
	}
}

// Progress implements jobs.Reporter.
func (r *reporter) Progress(done, expected int64, unit string) {
	if r.app.quiet {
		return
	}
	r.pace.Report(time.Now(), done, expected, unit)
	if isTerminal(r.app.stderr) {
		r.draw(done, expected)
		return
	}
	if time.Since(r.spoke) < r.logEvery {
		return
	}
	r.spoke = time.Now()
	left := "unknown"
	if d := r.pace.Left(); d > 0 {
		left = d.String()
	}
	r.app.logger().Info("progress", "job", r.job, "step", r.step, "done", done, "of", expected, "unit", unit,
		"rate", fmt.Sprintf("%.0f/s", r.pace.Rate()), "left", left)
}

// draw draws the bar. It shows our own rate: the library's counts from the first report, which comes with much done
// already.
func (r *reporter) draw(done, expected int64) {
	if expected <= 0 {
		expected = -1
	}
	if r.bar == nil || r.bar.GetMax64() != expected && expected > 0 {
		r.bar = progressbar.NewOptions64(expected, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(24), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionFullWidth())
	}
	description := fmt.Sprintf("%s: %s", r.job, r.step)
	if text := r.pace.String(); text != "" {
		description += ", " + text
	}
	r.bar.Describe(description)
	_ = r.bar.Set64(done) // a bar that cannot be drawn is no reason to fail
}

// Forecast implements jobs.Forecaster.
func (r *reporter) Forecast(d time.Duration) { r.pace.Plan(d) }

// End implements jobs.Reporter.
func (r *reporter) End(summary string) {
	if r.bar != nil {
		_ = r.bar.Clear() // as above
		r.bar = nil
	}
	if r.app.quiet {
		return
	}
	spent := time.Since(r.started)
	if isTerminal(r.app.stderr) {
		fmt.Fprintf(r.app.stderr, "%s: %-7s %6.1fs  %s\n", r.job, r.step, spent.Seconds(), summary)
		return
	}
	r.app.logger().Info(string(r.step), "job", r.job, "seconds", float64(spent.Milliseconds())/1000, "result", summary)
}

// Note implements jobs.Reporter.
func (r *reporter) Note(text string) {
	if r.app.quiet {
		return
	}
	if isTerminal(r.app.stderr) {
		fmt.Fprintf(r.app.stderr, "%s: note: %s\n", r.job, text)
		return
	}
	r.app.logger().Warn(text, "job", r.job)
}

// Warn implements jobs.Reporter. --quiet does not silence it.
func (r *reporter) Warn(text string) {
	if isTerminal(r.app.stderr) {
		fmt.Fprintf(r.app.stderr, "%s: warning: %s\n", r.job, text)
		return
	}
	r.app.logger().Warn(text, "job", r.job)
}
