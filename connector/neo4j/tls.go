package neo4j

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"sync"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"github.com/linchpin-graph/linchpin/connector"
)

// secured returns what tells the driver whom to trust and who we are. The scheme decides whether TLS is spoken at all.
func secured(o Options) (func(*driver.Config), error) {
	var trust *tls.Config
	if o.CA != "" {
		pool, err := authorities(o.CA)
		if err != nil {
			return nil, &connector.Error{Kind: connector.Unreachable, Msg: "cannot use the authorities in " + o.CA, Err: err,
				Hint: "check neo4j.ca"}
		}
		trust = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	pair := &keyPair{certificate: o.Certificate, key: o.Key}
	if o.Certificate != "" {
		if err := pair.load(); err != nil {
			return nil, &connector.Error{Kind: connector.Unreachable,
				Msg: "cannot use the client's certificate " +
					o.Certificate, Err: err, Hint: "check neo4j.certificate and neo4j.key"}
		}
	}
	return func(c *driver.Config) {
		c.TlsConfig = trust
		if o.Certificate != "" {
			c.ClientCertificateProvider = pair
		}
	}, nil
}

// authorities returns those of the system and those of a PEM file.
func authorities(file string) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pem, err := os.ReadFile(file)
	if err == nil && !pool.AppendCertsFromPEM(pem) {
		err = errors.New("no certificate in PEM form")
	}
	return pool, err
}

// keyPair is a client certificate that is read from its files for every connection.
type keyPair struct {
	certificate, key string

	mu   sync.Mutex
	last *tls.Certificate
}

func (p *keyPair) load() error {
	pair, err := tls.LoadX509KeyPair(p.certificate, p.key)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = &pair
	return nil
}

// GetCertificate returns what the files hold; in the moment in which they do not fit each other, what they held before.
func (p *keyPair) GetCertificate() *tls.Certificate {
	_ = p.load() // the last pair serves as well
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}
