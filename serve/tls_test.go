package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned writes a certificate for 127.0.0.1 and its key, and returns a pool that trusts it.
func selfSigned(t *testing.T, certificate, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for path, data := range map[string][]byte{certificate: public, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

// The service speaks TLS, and takes a renewed certificate without a restart. No database is needed for that.
func TestTLS(t *testing.T) {
	folder := t.TempDir()
	certificate, key := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	pool := selfSigned(t, certificate, key)
	f := start(t, configText("bolt://127.0.0.1:1", fmt.Sprintf("token: %s, certificate: %q, key: %q", token, certificate, key), jobText("a", "")))
	for range 2 {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		response, err := client.Get(strings.Replace(f.url, "http:", "https:", 1) + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 || response.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s", response.Status)
		}
		pool = selfSigned(t, certificate, key)
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
