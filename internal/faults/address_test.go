package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/internal/testcert"
)

// with changes a job's file: what it says of the server begins with the settings given.
func (r *rig) with(file, settings string, values ...any) string {
	r.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		r.t.Fatal(err)
	}
	changed := strings.Replace(string(text), "neo4j: {", "neo4j: {"+fmt.Sprintf(settings, values...)+", ", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return file
}

// addresses asks for the server where it is not.
func (r *rig) addresses(g *golden, j job) {
	g.says("an address where nobody listens", r.config(j, "bolt://127.0.0.1:1", soon), j)
	g.says("the same with routing", r.config(j, "neo4j://127.0.0.1:1", soon), j)
	g.says("a host that does not exist", r.config(j, "bolt://no-such-host.invalid", soon), j)
	g.says("a scheme that is not Bolt's", r.config(j, "http://127.0.0.1:7474", soon), j)
	g.says("an address without a scheme", r.config(j, "127.0.0.1:7687", soon), j)
	g.says("a port where something else answers", r.config(j,
		"bolt://"+neo4jtest.Speaking(r.t, "HTTP/1.1 400 Bad Request\r\n\r\n"), soon), j)
	g.says("TLS to a port that speaks plainly", r.config(j, r.secure(), soon), j)
	g.says("a database that does not exist", r.with(r.config(j, r.direct(), soon), "database: neo5j"), j)
}

// secure is the server's address with a scheme that demands TLS.
func (r *rig) secure() string { return strings.Replace(r.direct(), "bolt:", "bolt+s:", 1) }

// certificates are the server's and its clients', and the authorities of both.
type certificates struct {
	folder           string // of the server's
	servers, clients *testcert.Authority
}

const tlsPolicy = "dbms.ssl.policy.bolt."

// newCertificates makes them, and the settings of a server that has its own, knows its clients' authority, and does not
// ask for theirs.
func (r *rig) newCertificates() (c certificates, conf map[string]string) {
	r.t.Helper()
	c = certificates{filepath.Join(r.dir, "tls"), testcert.New(r.t, "authority of servers"),
		testcert.New(r.t, "authority of clients")}
	trusted := filepath.Join(c.folder, "trusted")
	if err := os.MkdirAll(trusted, 0o700); err != nil {
		r.t.Fatal(err)
	}
	text, err := os.ReadFile(c.clients.File)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(trusted, "clients.crt"), text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	certificate, key := c.servers.Pair(r.t, c.folder, "server")
	return c, map[string]string{
		tlsPolicy + "enabled": "true", tlsPolicy + "base_directory": c.folder, tlsPolicy + "client_auth": "NONE",
		tlsPolicy + "public_certificate": certificate, tlsPolicy + "private_key": key,
		"server.bolt.tls_level": "OPTIONAL", // the other cases speak plainly
	}
}

// strangers speaks TLS with a server whose authority it does not know.
func (r *rig) strangers(g *golden, j job, c certificates) {
	g.says("a server's certificate of an authority that is not known", r.config(j, r.secure(), soon), j)
	g.says("neo4j.ca is another authority", r.with(r.config(j, r.secure(), soon), "ca: %q", c.clients.File), j)
	g.says("neo4j.ca is no certificate", r.with(r.config(j, r.secure(), soon), "ca: %q",
		filepath.Join(c.folder, "server.key")), j)
	g.says("neo4j.ca does not exist", r.with(r.config(j, r.secure(), soon), "ca: %q", filepath.Join(r.dir, "nowhere.pem")),
		j)
}

// askForClients is the setting of a server that asks its clients for their certificates.
func askForClients(o *neo4jtest.Options) { o.Conf[tlsPolicy+"client_auth"] = "REQUIRE" }

// clients speaks TLS with a server that asks for a certificate.
func (r *rig) clients(g *golden, j job, c certificates) {
	file := func(certificate, key string) string {
		return r.with(r.config(j, r.secure(), soon), "ca: %q, certificate: %q, key: %q", c.servers.File, certificate, key)
	}
	g.says("no client's certificate where the server asks for one",
		r.with(r.config(j, r.secure(), soon), "ca: %q", c.servers.File), j)
	ours := filepath.Join(r.dir, "client")
	if err := os.Mkdir(ours, 0o700); err != nil {
		r.t.Fatal(err)
	}
	stranger, strangersKey := c.servers.Pair(r.t, ours, "stranger")
	g.says("a client's certificate that the server does not trust", file(stranger, strangersKey), j)
	certificate, key := c.clients.Pair(r.t, ours, "client")
	g.says("a client's certificate that does not exist", file(filepath.Join(ours, "nowhere.crt"), key), j)
	g.says("a key that does not fit the client's certificate", file(certificate, strangersKey), j)
	g.says("the right certificates on both sides", file(certificate, key), j)
}
