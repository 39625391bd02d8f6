// Command image writes the container image of linchpin as an archive, without a container engine:
//
//	image -binary linchpin -arch amd64 -version 0.1.0 -created 1700000000 -out linchpin.tar
//
// The archive is an OCI image layout, and has the manifest.json that `docker load` reads. The image holds the static
// binary, root certificates and the state folder. The same arguments give the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user of the image, by number: Kubernetes has no other way to see that it is not root.
const nobody = 65532

// order is what the command line asks for.
type order struct {
	binary, arch, version, commit, out string
	created                            time.Time
}

func main() {
	var o order
	var epoch int64
	flag.StringVar(&o.binary, "binary", "", "the static linchpin of Linux")
	flag.StringVar(&o.arch, "arch", "amd64", "its architecture")
	flag.StringVar(&o.version, "version", "", "its version, which is the tag too")
	flag.StringVar(&o.commit, "commit", "", "the commit it was built from")
	flag.StringVar(&o.out, "out", "", "the archive to write")
	flag.Int64Var(&epoch, "created", 0, "the time of all files, in seconds since 1970")
	flag.Parse()
	o.created = time.Unix(epoch, 0).UTC()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func (o order) run() error {
	tag, err := name.NewTag("linchpin:" + o.version)
	if err != nil {
		return fmt.Errorf("version %q cannot be a tag: %w", o.version, err)
	}
	files, err := contents(o.binary)
	if err != nil {
		return err
	}
	image, err := o.image(files)
	if err != nil {
		return err
	}
	return writeArchive(o.out, image, "linchpin:"+tag.TagStr(), o.created)
}

// image puts the files into one layer.
func (o order) image(files []file) (v1.Image, error) {
	layer, err := newLayer(files, o.created)
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON),
		types.OCIManifestSchema1),
		mutate.Addendum{Layer: layer, History: v1.History{CreatedBy: "deploy/image", Created: v1.Time{Time: o.created}}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config.OS, config.Architecture, config.Created = "linux", o.arch, v1.Time{Time: o.created}
	config.Config = o.config()
	return mutate.ConfigFile(image, config)
}

// config is how a container runs: as nobody, with what it writes in one volume.
func (o order) config() v1.Config {
	return v1.Config{
		User:       fmt.Sprintf("%d:%d", nobody, nobody),
		Entrypoint: []string{"/usr/bin/linchpin"},
		Cmd:        []string{"serve", "--log-format", "json"},
		Env: []string{
			"LINCHPIN_CONFIG=/etc/linchpin/linchpin.yml",
			"LINCHPIN_STATE=/var/lib/linchpin/state",
			"LINCHPIN_SERVE_LISTEN=0.0.0.0:7475",
		},
		Volumes:      map[string]struct{}{"/var/lib/linchpin": {}},
		ExposedPorts: map[string]struct{}{"7475/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "linchpin",
			"org.opencontainers.image.source":   "https://github.com/linchpin-graph/linchpin",
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.version":  o.version,
			"org.opencontainers.image.revision": o.commit,
			"org.opencontainers.image.created":  o.created.Format(time.RFC3339),
		},
	}
}
