package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// cannotJoin is the error of a node that a service refuses, or whose service it cannot trust. Other errors stay as they
// are.
func cannotJoin(address string, err error) error {
	refused, unverified, hint := (*node.Refused)(nil), (*tls.CertificateVerificationError)(nil), ""
	switch {
	case errors.As(err, &unverified):
		hint = distrust(unverified)
	case errors.Is(err, http.ErrSchemeMismatch):
		hint = "the service speaks plain HTTP: write http://, or give it a certificate (serve.certificate)"
	case errors.As(err, &refused) && refused.Status == http.StatusConflict:
		return withHint(usagef("cannot join %s: %v", address, err), "linchpin version shows the build")
	case errors.As(err, &refused):
		hint = refusal(refused)
	default:
		return err
	}
	return &connector.Error{Kind: connector.Unreachable, Msg: "cannot join " + address, Err: err, Hint: hint}
}

// distrust says what to do about a certificate that this machine does not trust.
func distrust(err error) string {
	invalid, name := x509.CertificateInvalidError{}, x509.HostnameError{}
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "renew the certificate of the service (serve.certificate), or set the clock of this machine"
	case errors.As(err, &name):
		return "--join takes a name that the certificate of the service has"
	}
	return "--ca names the file of an authority to trust"
}

// refusal says what to do about an answer of a service that refuses a node.
func refusal(r *node.Refused) string {
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return "--token-file must hold the token of the service (serve.tokenFile)"
	case http.StatusMisdirectedRequest:
		return "--join takes a name that the service knows (serve.hosts)"
	case http.StatusBadRequest:
		return "write https:// if the service has a certificate (serve.certificate)"
	}
	return "--join takes the address of linchpin serve, or of a run with --nodes, of this version"
}
