package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// file is one entry of an archive. A folder has no data, and a name that ends in a slash.
type file struct {
	name  string
	mode  int64
	owner int
	data  []byte
}

// contents lists the files of the image, parents first.
func contents(binary string) ([]file, error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	return []file{
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, data: []byte("root:x:0:\nlinchpin:x:65532:\n")},
		{name: "etc/linchpin/", mode: 0o755},
		{name: "etc/passwd", mode: 0o644,
			data: []byte("root:x:0:0:root:/:/sbin/nologin\nlinchpin:x:65532:65532::/var/lib/linchpin:/sbin/nologin\n")},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: certificates()},
		{name: "tmp/", mode: 0o1777},
		{name: "usr/", mode: 0o755},
		{name: "usr/bin/", mode: 0o755},
		{name: "usr/bin/linchpin", mode: 0o755, data: program},
		{name: "var/", mode: 0o755},
		{name: "var/lib/", mode: 0o755},
		{name: "var/lib/linchpin/", mode: 0o755, owner: nobody},
		{name: "var/lib/linchpin/state/", mode: 0o700, owner: nobody},
	}, nil
}

// certificates is the bundle of Mozilla's roots. Roots that are trusted under conditions only are left out, since a
// file cannot express those.
func certificates() []byte {
	var all bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&all, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a Buffer takes all
		}
	}
	return all.Bytes()
}

func newLayer(files []file, modified time.Time) (v1.Layer, error) {
	var all bytes.Buffer
	if err := writeTar(&all, files, modified); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(all.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
}

func writeTar(w io.Writer, files []file, modified time.Time) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		kind := byte(tar.TypeReg)
		if f.name[len(f.name)-1] == '/' {
			kind = tar.TypeDir
		}
		header := &tar.Header{
			Typeflag: kind, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner,
			Size: int64(len(f.data)), ModTime: modified, Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return t.Close()
}
