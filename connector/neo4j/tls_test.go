package neo4j

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/internal/testcert"
)

// policy begins the names of the settings for TLS.
const policy = "dbms.ssl.policy.bolt."

// TestConnectionSettings shares a server between the tests of what is set for its connections.
func TestConnectionSettings(t *testing.T) {
	t.Parallel()
	authority := testcert.New(t, "authority of the server")
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "trusted"), 0o700); err != nil {
		t.Fatal(err)
	}
	serverCertificate, serverKey := authority.Pair(t, folder, "server")
	s := neo4jtest.StartFor(t, neo4jtest.Options{Conf: map[string]string{
		policy + "enabled": "true", policy + "base_directory": folder, policy + "client_auth": "NONE",
		policy + "public_certificate": serverCertificate, policy + "private_key": serverKey,
		"server.bolt.tls_level":             "OPTIONAL", // the test's own queries speak plainly
		"server.bolt.connection_keep_alive": "1s", "server.bolt.connection_keep_alive_probes": "3",
	}})
	t.Run("SignsOfLife", func(t *testing.T) { signsOfLife(t, s) })
	t.Run("TLS", func(t *testing.T) { speaksTLS(t, s, authority, folder) })
}

// speaksTLS speaks TLS with a real server whose certificate comes from an authority of its own, and which then asks for
// the client's certificate too. The server's settings are in the folder.
func speaksTLS(t *testing.T, s *neo4jtest.Server, authority *testcert.Authority, folder string) {
	at := func(scheme string) string { return strings.Replace(s.URI(), "bolt:", scheme+":", 1) }
	opens := func(what string, o Options) {
		t.Helper()
		db, err := Open(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		_ = db.Close(context.WithoutCancel(t.Context()))
	}
	wantRefused(t, "unknown authority", Options{URI: at("bolt+s")}, connector.Unreachable, "neo4j.ca", "bolt+ssc")
	wantRefused(t, "another authority", Options{URI: at("neo4j+s"), CA: testcert.New(t, "another").File},
		connector.Unreachable, "neo4j.ca")
	wantRefused(t, "no authority", Options{URI: at("neo4j+s"), CA: filepath.Join(folder, "server.key")},
		connector.Unreachable, "no certificate in PEM form")
	for _, scheme := range []string{"bolt+s", "neo4j+s"} {
		opens(scheme, Options{URI: at(scheme), CA: authority.File})
	}
	for _, scheme := range []string{"bolt+ssc", "neo4j+ssc", "bolt", "neo4j"} {
		opens(scheme, Options{URI: at(scheme)})
	}

	ours := testcert.New(t, "authority of clients")
	trusted, err := os.ReadFile(ours.File)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "trusted", "clients.crt"), trusted, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reconfigure(t.Context(), func(o *neo4jtest.Options) {
		o.Conf[policy+"client_auth"] =
			"REQUIRE"
	}); err != nil {
		t.Fatal(err)
	}
	o := Options{URI: at("bolt+s"), CA: authority.File}
	wantRefused(t, "no client certificate", o, connector.Unreachable, "neo4j.certificate")
	clients := t.TempDir()
	o.Certificate, o.Key = testcert.New(t, "stranger").Pair(t, clients, "client")
	wantRefused(t, "a stranger's certificate", o, connector.Unreachable)
	db, err := Open(t.Context(), Options{URI: o.URI, CA: o.CA, Certificate: clients + "/nowhere.crt", Key: o.Key})
	if err == nil || !strings.Contains(err.Error(), "nowhere.crt") {
		t.Errorf("%v, %v", db, err)
	}
	ours.Pair(t, clients, "client")
	opens("the client's certificate, renewed", o)
}

// TestUnixSocket reaches the server through a socket; a server of the Community edition does not offer one, so the test
// passes bytes on.
func TestUnixSocket(t *testing.T) {
	s := neo4jtest.Shared(t)
	path := filepath.Join(t.TempDir(), "bolt.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", strings.TrimPrefix(s.URI(), "bolt://"))
			if err != nil {
				client.Close()
				return
			}
			go func() { _, _ = io.Copy(server, client); server.Close() }()
			go func() { _, _ = io.Copy(client, server); client.Close() }()
		}
	}()
	db, err := Open(t.Context(), Options{URI: "bolt+unix://" + path})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	if db.Server().Version != neo4jtest.Version {
		t.Errorf("%+v", db.Server())
	}
}
