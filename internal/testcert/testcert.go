// Package testcert makes certificates for tests: an authority, and pairs that it has signed for this machine.
package testcert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates.
type Authority struct {
	// File is its own certificate, in PEM form.
	File string

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// New makes an authority with a certificate in a folder of the test.
func New(t testing.TB, name string) *Authority {
	t.Helper()
	a := &Authority{key: newKey(t), certificate: template(name)}
	a.certificate.IsCA, a.certificate.KeyUsage = true, x509.KeyUsageCertSign
	a.certificate.BasicConstraintsValid = true
	der := sign(t, a.certificate, a.certificate, &a.key.PublicKey, a.key)
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	a.certificate = parsed
	a.File = write(t, t.TempDir(), "authority.pem", "CERTIFICATE", der)
	return a
}

// Pair writes a certificate for localhost and 127.0.0.1, and its key, into a folder.
func (a *Authority) Pair(t testing.TB, folder, name string) (certificate, key string) {
	t.Helper()
	return a.PairUntil(t, folder, name, time.Now().Add(24*time.Hour))
}

// PairUntil is Pair with a certificate that ends at a time.
func (a *Authority) PairUntil(t testing.TB, folder, name string, end time.Time) (certificate, key string) {
	t.Helper()
	private := newKey(t)
	c := template(name)
	c.NotAfter = end
	c.DNSNames, c.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	c.KeyUsage = x509.KeyUsageDigitalSignature
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, folder, name+".crt", "CERTIFICATE", sign(t, c, a.certificate, &private.PublicKey, a.key)),
		write(t, folder, name+".key", "PRIVATE KEY", der)
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
	}
}

func sign(t testing.TB, c, parent *x509.Certificate, public *ecdsa.PublicKey, private *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, parent, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func write(t testing.TB, folder, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
