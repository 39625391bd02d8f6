package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/internal/process"
)

const smallest = `version: 1
neo4j: {uri: "bolt://file:1", username: fileuser, password: filesecret, connections: 2}
jobs: [{name: a, graph: {nodes: [A], relationships: [{type: R}]}, measures: [{measure: betweenness, nodes: bc}]}]
`

func TestEnvironmentWinsOverFile(t *testing.T) {
	c, err := Parse("conf/linchpin.yml", []byte(smallest), map[string]string{
		"LINCHPIN_NEO4J_URI": "neo4j+s://env:2", "LINCHPIN_NEO4J_PASSWORD": "envsecret", "LINCHPIN_NEO4J_CONNECTIONS": "7",
		"LINCHPIN_NEO4J_TIMEOUT": "90s", "LINCHPIN_NEO4J_RETRY": "1m", "LINCHPIN_STATE": "here",
		"LINCHPIN_NEO4J_DATABASE": "",
	}, Checks{})
	if err != nil {
		t.Fatal(err)
	}
	want := Neo4j{
		URI: "neo4j+s://env:2", Database: "neo4j", Username: "fileuser", Password: NewPassword("envsecret"),
		Connections: 7, Timeout: 90 * time.Second, Retry: time.Minute,
	}
	if diff := cmp.Diff(want, c.Neo4j, comparePasswords); diff != "" {
		t.Error(diff)
	}
	if c.State != "here" {
		t.Errorf("state %q: a path of the environment starts where the process does", c.State)
	}
}

func TestEnvironmentPasswordFileReplacesFilePassword(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("\ufeffrotated \r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Parse("linchpin.yml", []byte(smallest), map[string]string{"LINCHPIN_NEO4J_PASSWORD_FILE": path}, Checks{})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Neo4j.Password.Reveal(); got != "rotated " {
		t.Errorf("password %q: one line break goes, blanks stay", got)
	}
}

func TestEnvironmentMistakes(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"LINCHPIN_NEO4J_CONNECTIONS", "0", "environment LINCHPIN_NEO4J_CONNECTIONS: neo4j.connections: 0 is less than 1"},
		{"LINCHPIN_NEO4J_CONNECTIONS", "two",
			`environment LINCHPIN_NEO4J_CONNECTIONS: neo4j.connections: "two" is not a whole number`},
		{"LINCHPIN_NEO4J_TIMEOUT", "7",
			`environment LINCHPIN_NEO4J_TIMEOUT: neo4j.timeout: "7" is not a duration such as 30s`},
		{"LINCHPIN_NEO4J_URI", "http://x", `environment LINCHPIN_NEO4J_URI: neo4j.uri: unknown scheme "http" (one of`},
		{"LINCHPIN_NEO4J_PASSWORD_FILE", "/nowhere/at/all",
			`environment LINCHPIN_NEO4J_PASSWORD_FILE: neo4j.passwordFile: "/nowhere/at/all" cannot be read`},
	} {
		_, err := Parse("linchpin.yml", []byte(smallest), map[string]string{c.variable: c.value}, Checks{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: got %v", c.variable, c.value, err)
		}
	}
}

func TestBothPasswordVariables(t *testing.T) {
	_, err := Parse("linchpin.yml", []byte(smallest), map[string]string{
		"LINCHPIN_NEO4J_PASSWORD": "hunter2", "LINCHPIN_NEO4J_PASSWORD_FILE": "testdata/secret.txt",
	}, Checks{})
	if err == nil || !strings.Contains(err.Error(), "password is set too") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestUnknownVariables(t *testing.T) {
	for variable, want := range map[string]string{
		"LINCHPIN_NEO4J_USER":                  `environment LINCHPIN_NEO4J_USER: no setting has this variable (did you mean "LINCHPIN_NEO4J_USERNAME"?)`,
		"LINCHPIN_NEO4J_URL":                   `environment LINCHPIN_NEO4J_URL: no setting has this variable (did you mean "LINCHPIN_NEO4J_URI"?)`,
		"LINCHPIN_SERVE_TOKENFILE":             `environment LINCHPIN_SERVE_TOKENFILE: no setting has this variable (did you mean "LINCHPIN_SERVE_TOKEN_FILE"?)`,
		"LINCHPIN_NEO4J_SERVICE_HOST":          "", // Kubernetes, for a service linchpin-neo4j
		"LINCHPIN_NEO4J_PORT_7687_TCP_ADDR":    "",
		"LINCHPIN_NEO4J_SERVICE_PORT_TCP_BOLT": "",
		"LINCHPIN_NEO4J_PORT":                  "",
		"LINCHPIN_WORKER":                      "", // not of the config
	} {
		_, err := Parse("linchpin.yml", []byte(smallest), map[string]string{variable: "x"}, Checks{})
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%s: got %v, want %s", variable, err, want)
		}
	}
}

// No program that linchpin starts gets a secret of the environment.
func TestSecretsAreNotInherited(t *testing.T) {
	var all []string
	for _, b := range bindings(reflect.TypeFor[Config](), envPrefix, "", nil) {
		if reflect.TypeFor[Config]().FieldByIndex(b.index).Type == reflect.TypeFor[Password]() {
			t.Setenv(b.variable, "swordfish")
			all = append(all, b.variable)
		}
	}
	if len(all) < 2 {
		t.Fatalf("the secrets are %q", all)
	}
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		t.Setenv(variable, "authorization=Bearer swordfish")
	}
	for _, entry := range process.Environment() {
		if strings.Contains(entry, "swordfish") {
			t.Errorf("inherited: %s", entry)
		}
	}
}
