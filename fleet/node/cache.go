package node

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/filehash"
	"github.com/linchpin-graph/linchpin/internal/process"
)

// cache is a folder of files by their hashes, which nodes of one machine share. Each process has a folder of its own in
// it, for what is not complete, locked while the process runs.
type cache struct {
	dir, own string
	lock     *os.File
	most     int64
}

const ownPrefix = "node-"

// openCache makes the folder, and removes what killed processes have left in it.
func openCache(dir string, most int64) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	left, _ := filepath.Glob(filepath.Join(dir, ownPrefix+"*")) // the pattern is well formed
	for _, path := range left {
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) < time.Second {
			continue // it may not have its lock yet
		}
		if lock := process.LockFolder(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
	own, err := os.MkdirTemp(dir, ownPrefix)
	if err != nil {
		return nil, err
	}
	return &cache{dir: dir, own: own, lock: process.LockFolder(own), most: most}, nil
}

func (c *cache) close() {
	os.RemoveAll(c.own)
	if c.lock != nil {
		c.lock.Close()
	}
}

// path is the name of a file that is not complete.
func (c *cache) path(name string) string { return filepath.Join(c.own, name) }

// errAltered is the error of a file that is not what its hash says.
var errAltered = errors.New("what was received does not have the hash that was asked for")

// fetch returns the path of a file, which it downloads unless it is there. A download that is cut off goes on where it
// stopped.
func (c *cache) fetch(ctx context.Context, from *client, hash string) (string, error) {
	if len(hash) != 2*sha256.Size || strings.Trim(hash, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is not a hash", hash)
	}
	path := filepath.Join(c.dir, hash)
	if verify(path, hash) == nil {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // it is in use: others go first
		return path, nil
	}
	part := c.path(hash)
	err := c.download(ctx, from, hash, part)
	if export.IsDiskFull(err) && c.bound(hash, 0) > 0 {
		err = c.download(ctx, from, hash, part) // in the room of earlier graphs
	}
	if export.IsDiskFull(err) {
		os.Remove(part)
	}
	if err != nil {
		return "", err
	}
	if err := verify(part, hash); err != nil {
		os.Remove(part)
		return "", err
	}
	if err := os.Rename(part, path); err != nil {
		return "", err
	}
	c.bound(hash, c.most)
	return path, nil
}

func verify(path, hash string) error {
	sum, _, err := filehash.OfFile(path)
	if err == nil && sum != hash {
		err = errAltered
	}
	return err
}

// mostDownloads is how often a download is begun, or goes on, before its shard is given back.
const mostDownloads = 5

func (c *cache) download(ctx context.Context, from *client, hash, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	wait := backoff{}
	for try := range mostDownloads {
		if try > 0 {
			wait.pause(ctx)
		}
		if err = goOn(ctx, from, hash, f); err == nil {
			return nil
		}
		refused := (*Refused)(nil)
		if ctx.Err() != nil || export.IsDiskFull(err) || errors.As(err, &refused) && refused.Status < 500 {
			return err
		}
	}
	return err
}

// goOn downloads what a file lacks.
func goOn(ctx context.Context, from *client, hash string, f *os.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	at, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	answer, err := from.get(ctx, hash, at)
	if err != nil {
		if refused := (*Refused)(nil); errors.As(err, &refused) && refused.Status == http.StatusRequestedRangeNotSatisfiable {
			return nil // it is complete
		}
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusPartialContent {
		if _, err = f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := f.Truncate(0); err != nil {
			return err
		}
	}
	watch := time.AfterFunc(stalled, func() { cancel(errStalled) })
	defer watch.Stop()
	n, err := io.Copy(f, &watched{answer.Body, watch})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	if err == nil && answer.ContentLength >= 0 && n < answer.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// stalled is how long a download may stand still.
const stalled = 20 * time.Second

var errStalled = errors.New("the download stands still")

// watched puts a timer off with every piece.
type watched struct {
	io.Reader
	timer *time.Timer
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	w.timer.Reset(stalled)
	return n, err
}

// bound removes the files that have not been used for longest until all take at most so many bytes, but keeps one. It
// returns the bytes that it removed.
func (c *cache) bound(keep string, most int64) (removed int64) {
	type kept struct {
		path string
		size int64
		used time.Time
	}
	var all []kept
	var sum int64
	entries, _ := os.ReadDir(c.dir) // what cannot be listed cannot be removed
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
			if e.Name() != keep {
				all = append(all, kept{filepath.Join(c.dir, e.Name()), info.Size(), info.ModTime()})
			}
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(a.used.UnixNano(), b.used.UnixNano()) })
	for _, f := range all {
		if sum <= most {
			break
		}
		if os.Remove(f.path) == nil {
			sum -= f.size
			removed += f.size
		}
	}
	return removed
}
