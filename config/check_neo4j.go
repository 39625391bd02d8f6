package config

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

func (d *decoder) checkNeo4j(n *Neo4j) {
	d.checkURI(n)
	d.checkTLS(n)
	if strings.EqualFold(n.Database, "system") {
		d.mistake("neo4j.database", "system is the server's own database, which holds no graph",
			"name another, or leave it out for the server's default")
	}
}

func (d *decoder) checkURI(n *Neo4j) {
	const path = "neo4j.uri"
	if d.failed[path] {
		return
	}
	schemes := []string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc", "bolt+unix"}
	u, err := url.Parse(n.URI)
	switch {
	case err == nil && u.User != nil: // without the value: it holds a password
		d.mistake(path, "the address holds a user name or password", "use username and passwordFile")
	case err == nil && u.Scheme == "bolt+unix":
		if u.Host != "" || u.Path == "" {
			d.mistake(path, "bolt+unix takes the path of a socket", "such as bolt+unix:///run/neo4j/bolt.sock")
		}
	case err != nil || u.Host == "":
		d.mistake(path, "not an address of a server", "such as neo4j://localhost:7687")
	case !slices.Contains(schemes, u.Scheme):
		d.mistake(path, fmt.Sprintf("unknown scheme %q", u.Scheme), nearest.DidYouMean(u.Scheme, schemes))
	case u.Path != "" && u.Path != "/":
		d.mistake(path, fmt.Sprintf("the path %q has no effect", u.Path), "name the database in neo4j.database")
	case u.Port() != "" && !isPort(u.Port()):
		d.mistake(path, fmt.Sprintf("%s is no port", u.Port()), "1 to 65535; Bolt's is 7687 unless changed")
	}
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n < 1<<16
}

// checkTLS finds files of TLS that the scheme makes no use of, or that hold something else.
func (d *decoder) checkTLS(n *Neo4j) {
	scheme, _, _ := strings.Cut(n.URI, ":")
	for _, f := range []struct{ path, value, schemes string }{
		{"neo4j.ca", n.CA, "neo4j+s bolt+s"},
		{"neo4j.certificate", n.Certificate, "neo4j+s bolt+s neo4j+ssc bolt+ssc"},
	} {
		if f.value != "" && !d.failed["neo4j.uri"] && !slices.Contains(strings.Fields(f.schemes), scheme) {
			d.mistake(f.path, fmt.Sprintf("%q has no effect with %s://", f.value, scheme),
				"it needs one of the schemes "+strings.ReplaceAll(f.schemes, " ", ", "))
			return
		}
	}
	if n.CA != "" {
		pem, err := os.ReadFile(n.CA)
		switch {
		case err != nil:
			d.mistake("neo4j.ca", fmt.Sprintf("%q cannot be read: %s", n.CA, reason(err)), "")
		case !x509.NewCertPool().AppendCertsFromPEM(pem):
			d.mistake("neo4j.ca", fmt.Sprintf("%q holds no certificate", n.CA), "a PEM file: -----BEGIN CERTIFICATE-----")
		}
	}
	d.checkPair("neo4j", n.Certificate, n.Key, "a client has a certificate and a key")
}

// checkPair finds a certificate without its key, a key without its certificate, and files that hold something else.
func (d *decoder) checkPair(section, certificate, key, both string) {
	switch {
	case certificate == "" && key != "":
		d.mistake(section+".key", both, "add certificate")
	case certificate != "" && key == "":
		d.mistake(section+".certificate", both, "add key")
	case certificate != "":
		if _, err := tls.LoadX509KeyPair(certificate, key); err != nil {
			d.mistake(section+".certificate", "cannot be used with its key: "+oneLine(err.Error()),
				"two PEM files, the key without a password")
		}
	}
}
