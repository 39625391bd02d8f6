package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Checks are checks that other rooms make on values of the config.
type Checks struct {
	// Schedule checks a cron line in a timezone; nil leaves schedules unchecked.
	Schedule func(line, timezone string) error
	// Properties returns the names that a score takes under a mode of publication; nil stands for its own name alone.
	Properties func(mode, score string) []string
}

// Load reads the config file at path and the LINCHPIN_ variables of the environment, which win over the file. An *Error
// holds every mistake at once.
func Load(path string, checks Checks) (*Config, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failure(path, "there is no such file", fmt.Sprintf("linchpin init %s writes one to start from", path))
	}
	if err != nil {
		return nil, failure(path, "cannot be read: "+reason(err), "")
	}
	return Parse(path, data, environ(os.Environ()), checks)
}

// Parse is Load for a file that is in memory. The path names it in messages, and relative paths start at its folder.
func Parse(path string, data []byte, environment map[string]string, checks Checks) (*Config, error) {
	c := Default()
	d := newDecoder(path)
	if d.decodeFile(data, &c); d.fatal {
		return nil, &Error{d.mistakes}
	}
	d.applyEnvironment(&c, environment)
	resolvePaths(&c, d, filepath.Dir(path))
	d.check(&c, checks)
	if len(d.mistakes) > 0 {
		sortMistakes(d.mistakes)
		return nil, &Error{d.mistakes}
	}
	return &c, nil
}

func failure(path, message, hint string) *Error {
	return &Error{[]Mistake{{File: path, Message: message, Hint: hint}}}
}

// reason strips the path that fs errors repeat.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// resolvePaths makes paths that the file gave relative to its folder; those of the environment start where the process
// does.
func resolvePaths(c *Config, d *decoder, folder string) {
	paths := map[string]*string{
		"state": &c.State, "neo4j.passwordFile": &c.Neo4j.PasswordFile, "serve.tokenFile": &c.Serve.TokenFile,
		"neo4j.ca": &c.Neo4j.CA, "neo4j.certificate": &c.Neo4j.Certificate, "neo4j.key": &c.Neo4j.Key,
		"serve.certificate": &c.Serve.Certificate, "serve.key": &c.Serve.Key,
	}
	for i := range c.Serve.Hooks {
		paths[fmt.Sprintf("serve.hooks[%d].secretFile", i)] = &c.Serve.Hooks[i].SecretFile
	}
	for key, p := range paths {
		if *p != "" && !filepath.IsAbs(*p) && d.at[key].variable == "" {
			*p = filepath.Join(folder, *p)
		}
	}
}

// readSecret takes a secret from its file. The keys are those of the secret and of its file; what names it in hints.
func (d *decoder) readSecret(secret *Password, path, inline, file, what string) {
	if path == "" {
		return
	}
	if !secret.IsZero() {
		short := inline[strings.LastIndex(inline, ".")+1:]
		d.mistake(file, fmt.Sprintf("%q, and %s is set too", path, short), fmt.Sprintf("keep one of %s and %sFile", short, short))
		return
	}
	text, err := secretIn(path)
	if err != nil {
		d.mistake(file, err.Error(), "")
		return
	}
	if text == "" {
		d.mistake(file, fmt.Sprintf("%q is empty", path), "put the "+what+" into it")
		return
	}
	*secret = NewPassword(text)
}

// secretIn returns the content of a file without a byte order mark at its start and the line break at its end.
func secretIn(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%q cannot be read: %s", path, reason(err))
	}
	text := strings.TrimPrefix(string(data), "\ufeff") // a byte order mark
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
}

// CurrentPassword returns the password as it is now: PasswordFile, if there is one, is read anew.
func (n Neo4j) CurrentPassword() (Password, error) {
	if n.PasswordFile == "" {
		return n.Password, nil
	}
	text, err := secretIn(n.PasswordFile)
	if err != nil {
		return Password{}, fmt.Errorf("neo4j.passwordFile: %w", err)
	}
	return NewPassword(text), nil
}
