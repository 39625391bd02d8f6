package serve

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/testcert"
)

// certified writes a certificate and its key, tls.crt and tls.key, and returns a pool that trusts it.
func certified(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	authority := testcert.New(t, "authority")
	authority.Pair(t, folder, "tls")
	public, err := os.ReadFile(authority.File)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

// The service speaks TLS, and takes a renewed certificate without a restart. No database is needed for that.
func TestTLS(t *testing.T) {
	folder := t.TempDir()
	certificate, key := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	pool := certified(t, folder)
	f := start(t, configText("bolt://127.0.0.1:1",
		fmt.Sprintf("token: %s, certificate: %q, key: %q", token, certificate, key), jobText("a", "")))
	look := func() {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		response, err := client.Get(strings.Replace(f.url, "http:", "https:", 1) + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 || response.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s", response.Status)
		}
	}
	look()
	pool = certified(t, folder)
	look()
	// One that cannot be used is not: the one before stays.
	if err := os.WriteFile(certificate, []byte("half a certif"), 0o600); err != nil {
		t.Fatal(err)
	}
	look()
	if !strings.Contains(f.log.String(), "the certificate on disk cannot be used") {
		t.Errorf("nothing in the log:\n%s", f.log.String())
	}
}

// A state folder that cannot be written makes the service unready, and says so.
func TestReadyTellsOfTheStateFolder(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	state := filepath.Join(filepath.Dir(f.file), "state")
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, nil, 0o600); err != nil { // a file stands in the way
		t.Fatal(err)
	}
	if status, text := f.get("/readyz"); status != 503 || !strings.Contains(text, "not a directory") {
		t.Errorf("%d %s", status, text)
	}
	if run := f.ended(f.press("a")); run.Status != "failed" || !strings.Contains(run.Error, "state") {
		t.Errorf("%s: %s", run.Status, run.Error)
	}
}
