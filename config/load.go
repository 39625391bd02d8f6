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
	for key, p := range map[string]*string{"state": &c.State, "neo4j.passwordFile": &c.Neo4j.PasswordFile} {
		if *p != "" && !filepath.IsAbs(*p) && d.at[key].variable == "" {
			*p = filepath.Join(folder, *p)
		}
	}
}

// readPassword takes the password from its file.
func (d *decoder) readPassword(n *Neo4j) {
	const inline, file = "neo4j.password", "neo4j.passwordFile"
	if n.PasswordFile == "" {
		return
	}
	if !n.Password.IsZero() {
		d.mistake(file, fmt.Sprintf("%q, and password is set too", n.PasswordFile), "keep one of password and passwordFile")
		return
	}
	data, err := os.ReadFile(n.PasswordFile)
	if err != nil {
		d.mistake(file, fmt.Sprintf("%q cannot be read: %s", n.PasswordFile, reason(err)), "")
		return
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if secret == "" {
		d.mistake(file, fmt.Sprintf("%q is empty", n.PasswordFile), "put the password into it")
		return
	}
	n.Password = NewPassword(secret)
}
