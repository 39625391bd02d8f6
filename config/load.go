package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Checks are checks that other rooms make on values of the config.
type Checks struct {
	// Schedule checks a cron line in a timezone; nil leaves schedules unchecked.
	Schedule func(line, timezone string) error
	// Properties returns the names that a score takes under a mode of publication; nil stands for its own name alone.
	Properties func(mode, score string) []string
	// Output checks that the name of a file says in what format scores are to be written, and returns a hint if it does
	// not; nil leaves it unchecked.
	Output func(file string) (hint string, err error)
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
		return nil, &Error{Mistakes: d.mistakes}
	}
	d.applyEnvironment(&c, environment)
	resolvePaths(&c, d, filepath.Dir(path))
	d.check(&c, checks)
	sortMistakes(d.warnings)
	for _, w := range d.warnings {
		if i, ok := jobOf(w.Path); ok {
			c.Warnings = append(c.Warnings, Warning{Mistake: w, Job: c.Jobs[i].Name})
		}
	}
	if len(d.mistakes) > 0 {
		sortMistakes(d.mistakes)
		rest := withoutBroken(c, d.mistakes)
		if rest != nil {
			rest.splitRanges()
		}
		return nil, &Error{d.mistakes, rest}
	}
	c.splitRanges()
	return &c, nil
}

var inJob = regexp.MustCompile(`^jobs\[(\d+)\]`)

// jobOf returns the number of the job that a path is in.
func jobOf(path string) (int, bool) {
	found := inJob.FindStringSubmatch(path)
	if found == nil {
		return 0, false
	}
	i, err := strconv.Atoi(found[1])
	return i, err == nil
}

// WarningsOf returns the warnings about the jobs of these names.
func (c *Config) WarningsOf(names []string) []Warning {
	var out []Warning
	for _, w := range c.Warnings {
		if slices.Contains(names, w.Job) {
			out = append(out, w)
		}
	}
	return out
}

// withoutBroken returns the config without the jobs that have mistakes, or nil when one is in no job.
func withoutBroken(c Config, mistakes []Mistake) *Config {
	of := map[int]*Error{}
	for _, m := range mistakes {
		i, ok := jobOf(m.Path)
		if !ok || i >= len(c.Jobs) {
			return nil
		}
		if of[i] == nil {
			of[i] = &Error{}
		}
		of[i].Mistakes = append(of[i].Mistakes, m)
	}
	whole := c.Jobs
	c.Jobs, c.Broken = nil, map[string]*Error{}
	for i, job := range whole {
		if of[i] == nil {
			c.Jobs = append(c.Jobs, job)
			continue
		}
		c.Broken[job.Name] = of[i]
	}
	c.Warnings = slices.DeleteFunc(slices.Clone(c.Warnings), func(w Warning) bool { return c.Broken[w.Job] != nil })
	return &c
}

func failure(path, message, hint string) *Error {
	return &Error{Mistakes: []Mistake{{File: path, Message: message, Hint: hint}}}
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
	for i := range c.Jobs {
		if asked := c.Jobs[i].Distances; asked != nil {
			paths[fmt.Sprintf("jobs[%d].distances.file", i)] = &asked.File
		}
		if asked := c.Jobs[i].Dendrogram; asked != nil {
			paths[fmt.Sprintf("jobs[%d].dendrogram.file", i)] = &asked.File
		}
		for k := range c.Jobs[i].Outputs {
			paths[fmt.Sprintf("jobs[%d].outputs[%d].file", i, k)] = &c.Jobs[i].Outputs[k].File
		}
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
		d.mistake(file, fmt.Sprintf("%q, and %s is set too", path, short),
			fmt.Sprintf("keep one of %s and %sFile", short, short))
		return
	}
	text, err := secretIn(path)
	if err != nil {
		d.mistake(file, err.Error(), fmt.Sprintf("name a file that holds the %s and that this user may read", what))
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
