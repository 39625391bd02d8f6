package neo4jtest

import (
	"archive/zip"
	"errors"
	"os"
	"path"
	"slices"
)

// unsign removes the signatures from the jars of a folder. Maven has checked them. Java checks a signed jar again,
// class by class, at each start: that is a third of the time of a start.
func unsign(folder string) error {
	for _, jar := range jarsIn(folder) {
		if err := unsignJar(jar); err != nil {
			return err
		}
	}
	return nil
}

func unsignJar(name string) error {
	jar, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer jar.Close()
	if !slices.ContainsFunc(jar.File, isSignature) {
		return nil
	}
	out, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	w := zip.NewWriter(out)
	for _, f := range jar.File {
		switch {
		case isSignature(f):
		case f.FileInfo().IsDir(): // which some write with content, and Copy refuses
			_, copyErr := w.CreateHeader(&zip.FileHeader{Name: f.Name, Modified: f.Modified})
			err = errors.Join(err, copyErr)
		default:
			err = errors.Join(err, w.Copy(f))
		}
	}
	if err := errors.Join(err, w.Close(), out.Close()); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// isSignature reports whether a file of a jar is one that makes it a signed one.
func isSignature(f *zip.File) bool {
	dir, base := path.Split(f.Name)
	return dir == "META-INF/" && slices.Contains([]string{".SF", ".RSA", ".DSA", ".EC"}, path.Ext(base))
}
