package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// writeArchive writes the image as an OCI layout in a tar, with the tag for podman and Docker.
func writeArchive(out string, image v1.Image, tag string, modified time.Time) error {
	folder, err := os.MkdirTemp("", "linchpin-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	l, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	names := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag,
		"io.containerd.image.name": "docker.io/library/" + tag})
	if err := l.AppendImage(image, names); err != nil {
		return err
	}
	if err := writeManifest(filepath.Join(folder, "manifest.json"), image, tag); err != nil {
		return err
	}
	files, err := read(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	w, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := writeTar(w, files, modified); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// writeManifest writes what `docker load` reads: where in the layout the config and the layers are.
func writeManifest(path string, image v1.Image, tag string) error {
	type entry struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	blob := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	config, err := image.ConfigName()
	if err != nil {
		return err
	}
	e := entry{Config: blob(config), RepoTags: []string{tag}}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	for _, l := range layers {
		digest, err := l.Digest()
		if err != nil {
			return err
		}
		e.Layers = append(e.Layers, blob(digest))
	}
	text, err := json.Marshal([]entry{e})
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// read lists the files below a folder, in the order of their names.
func read(folder string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			files = append(files, file{name: name + "/", mode: 0o755})
			return nil
		}
		data, err := os.ReadFile(path)
		files = append(files, file{name: name, mode: 0o644, data: data})
		return err
	})
	return files, err
}
