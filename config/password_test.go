package config

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

func TestPasswordNeverPrints(t *testing.T) {
	const secret = "swordfish"
	p := NewPassword(secret)
	neo4j := Neo4j{Password: p}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%T", "%08.3f"} {
		fmt.Fprintf(&out, verb+"\n", p)
		fmt.Fprintf(&out, verb+"\n", &p)
		fmt.Fprintf(&out, verb+"\n", neo4j)
		fmt.Fprintf(&out, verb+"\n", &neo4j)
		fmt.Fprintf(&out, verb+"\n", Config{Neo4j: neo4j})
		fmt.Fprintf(&out, verb+"\n", []Password{p})
		fmt.Fprintf(&out, verb+"\n", map[string]Password{"x": p})
		fmt.Fprintf(&out, verb+"\n", struct{ hidden Password }{p}) // fmt cannot ask methods of unexported fields
	}
	j, err := json.Marshal(Config{Neo4j: neo4j})
	if err != nil {
		t.Fatal(err)
	}
	y, err := yaml.Marshal(Config{Neo4j: neo4j})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(j)
	out.Write(y)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "p", p, "n", neo4j)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "p", p, "n", neo4j)
	if err := gob.NewEncoder(&out).Encode(neo4j); err != nil {
		t.Log("gob:", err)
	}
	for _, bad := range []string{secret, fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret),
		fmt.Sprintf("%d", []byte(secret))} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%s printed in:\n%s", bad, out.String())
		}
	}
	if !strings.Contains(string(j), `"***"`) || !strings.Contains(string(y), "***") {
		t.Errorf("no *** in %s\n%s", j, y)
	}
	if p.Reveal() != secret || p.IsZero() || !(Password{}).IsZero() || (Password{}).Reveal() != "" {
		t.Error("Reveal or IsZero")
	}
}
