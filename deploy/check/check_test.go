// Package check runs the checkers of others on the files of deploy/.
package check

import (
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	promql "github.com/prometheus/prometheus/promql/parser"
	"helm.sh/helm/v3/pkg/chart"
	chartloader "helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

func TestAlertRules(t *testing.T) {
	groups, errs := rulefmt.ParseFile("../alerts.yml", false, model.UTF8Validation, promql.NewParser(promql.Options{}),
		slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil || len(groups.Groups) != 1 || len(groups.Groups[0].Rules) < 10 {
		t.Fatalf("%+v", groups)
	}
}

// source is where the names of metrics come from.
func metricNames(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../serve/metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?:counters|gauges|histograms|histogram|gauge)\("([a-z_]+)"|Name: "([a-z_]+)"`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, "linchpin_"+m[1]+m[2])
	}
	return names
}

// TestRulesAndDashboardNameMetricsThatExist also parses every expression of the dashboard.
func TestRulesAndDashboardNameMetricsThatExist(t *testing.T) {
	names := metricNames(t)
	for _, file := range []string{"../alerts.yml", "../dashboard.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`linchpin_[a-z_]+`).FindAllString(string(text), -1)
		for _, name := range found {
			if name = strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"); !slices.Contains(names, name) {
				t.Errorf("%s: no metric %s", file, name)
			}
		}
		if len(found) < 8 {
			t.Errorf("%s names %d metrics", file, len(found))
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile("../dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			expr := strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")
			if _, err := promql.NewParser(promql.Options{}).ParseExpr(expr); err != nil {
				t.Errorf("%s: %v", p.Title, err)
			}
		}
	}
}

func loadChart(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := chartloader.Load("../chart")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestChartPassesHelmsLint(t *testing.T) {
	result := lint.AllWithKubeVersion("../chart", nil, "default", nil)
	for _, m := range result.Messages {
		if m.Severity >= support.WarningSev {
			t.Error(m)
		}
	}
}

// TestChartIsWhatKubernetesKnows decodes every object strictly into the API's own types.
func TestChartIsWhatKubernetesKnows(t *testing.T) {
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, persistent := range []bool{true, false} {
		values, err := chartutil.ToRenderValues(loadChart(t),
			map[string]any{"persistence": map[string]any{"enabled": persistent}},
			chartutil.ReleaseOptions{Name: "scores", Namespace: "graphs", IsInstall: true}, chartutil.DefaultCapabilities)
		if err != nil {
			t.Fatal(err)
		}
		files, err := engine.Render(loadChart(t), values)
		if err != nil {
			t.Fatal(err)
		}
		kinds := 0
		for name, text := range files {
			if strings.HasSuffix(name, "NOTES.txt") || strings.TrimSpace(text) == "" {
				continue
			}
			if _, _, err := decoder.Decode([]byte(text), nil, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			kinds++
		}
		if persistent && kinds != 4 || !persistent && kinds != 3 {
			t.Errorf("%d objects", kinds)
		}
	}
}

func TestComposeFile(t *testing.T) {
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: "..", ConfigFiles: []types.ConfigFile{{Filename: "../compose.yml"}}, Environment: types.Mapping{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := project.GetService("linchpin")
	if err != nil {
		t.Fatal(err)
	}
	if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") || s.Ports[0].HostIP != "127.0.0.1" {
		t.Errorf("the service is not closed enough: %+v", s)
	}
}

// TestUnit lets systemd read the unit, with a program in place of linchpin that is there.
func TestUnit(t *testing.T) {
	text, err := os.ReadFile("../linchpin.service")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nKillMode=mixed\n") {
		t.Error("without KillMode=mixed a stop ends the GPU worker of a run that has the grace time")
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd on this machine to ask")
	}
	unit := filepath.Join(t.TempDir(), "linchpin.service")
	if err := os.WriteFile(unit,
		[]byte(strings.ReplaceAll(string(text), "/usr/bin/linchpin", "/bin/true")), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", "verify", unit).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v %s", err, out)
	}
}
