package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
)

// merging is one run of merge.
type merging struct {
	*app
	options *mergeOptions
	session *engine.Session
	begun   time.Time
	files   []*parts.File
	// unreadable are why files were left out, whose parts are computed here.
	unreadable []error
}

// collect finds the parts, and checks that they belong together.
func (o *mergeOptions) collect(ctx context.Context, a *app, paths []string) (*merging, error) {
	program, err := thisProgram()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	deadline, found := begun.Add(o.wait), &partFiles{open: map[string]*parts.File{}, complete: o.complete}
	for {
		files, err := found.look(paths)
		if err != nil && !(errors.Is(err, fs.ErrNotExist) && time.Now().Before(deadline)) {
			return nil, err
		}
		if len(files) > 0 {
			missing, err := parts.Check(program, files, o.mixed)
			if err == nil {
				err = o.checkJob(files[0])
			}
			if err != nil {
				return nil, err
			}
			if len(missing) == 0 || !time.Now().Before(deadline) {
				m := &merging{app: a, options: o, session: engine.NewSession(), begun: begun, files: files,
					unreadable: found.unreadable}
				return m, o.checkMissing(files[0], missing)
			}
		}
		if err := pause(ctx, deadline); err != nil {
			return nil, err
		}
	}
}

// partFiles are the files of parts that were found.
type partFiles struct {
	open map[string]*parts.File
	// complete leaves out those that cannot be read.
	complete   bool
	unreadable []error
}

// look opens the files of parts, unless they are open already. The error is that of the first one that cannot be read,
// if that one is not to be left out, or if there is no other.
func (p *partFiles) look(paths []string) (files []*parts.File, err error) {
	p.unreadable = nil
	for _, path := range paths {
		names, err := partsIn(path)
		if err != nil && !p.leaveOut(err) {
			return files, err
		}
		for _, name := range names {
			f := p.open[name]
			if f == nil {
				if f, err = parts.Open(name); err != nil && p.leaveOut(err) {
					continue
				} else if err != nil {
					return files, err
				}
				p.open[name] = f
			}
			files = append(files, f)
		}
	}
	if len(files) == 0 && len(p.unreadable) > 0 {
		return nil, p.unreadable[0]
	}
	return files, nil
}

// leaveOut leaves out what cannot be read, if parts are to be completed.
func (p *partFiles) leaveOut(err error) bool {
	if refused := (*parts.Error)(nil); !p.complete || errors.As(err, &refused) {
		return false
	}
	p.unreadable = append(p.unreadable, err)
	return true
}

// noteUnreadable names the files that were left out.
func (m *merging) noteUnreadable(note func(string)) {
	for _, err := range m.unreadable {
		note(err.Error())
	}
}

// partsIn returns a file, or the files of parts in a folder.
func partsIn(path string) (names []string, err error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil
	}
	inside, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range inside {
		if filepath.Ext(e.Name()) == partSuffix {
			names = append(names, filepath.Join(path, e.Name()))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: there are no parts (*%s): %w", path, partSuffix, fs.ErrNotExist)
	}
	return names, nil
}
