package communities

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

// Journal is a file with the cuts of a clustering, from which it goes on after an interruption. The cuts are all of its
// state: scores are the same, to the bit, however they came about.
type Journal struct {
	file    *os.File
	out     *bufio.Writer
	flushed time.Time
}

// flushEvery bounds how much work an interruption costs.
const flushEvery = 200 * time.Millisecond

// journalHead is the first line of a journal.
type journalHead struct {
	Journal string `json:"journal"`
	Of      string `json:"of"`
}

const journalVersion = "linchpin communities 1"

// OpenJournal opens a journal, and returns the cuts that it has. Of names the graph and how paths are measured: a
// journal of something else is begun again. What follows the last cut that can be read is cut off: the end of a line,
// or what a disk lost.
func OpenJournal(path, of string) (*Journal, []Cut, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	cuts, end, err := readJournal(f, of)
	if err == nil && end == 0 {
		f, err = replaced(f, path)
	}
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	j := &Journal{file: f, out: bufio.NewWriter(f)}
	if err == nil && end == 0 {
		err = j.line(journalHead{journalVersion, of})
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return j, cuts, nil
}

// replaced replaces a journal of something else by a new file: a worker whose run was killed may still write to the old
// one for a moment.
func replaced(old *os.File, path string) (*os.File, error) {
	old.Close()
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// readJournal returns the cuts of a journal, and the end of the last that can be read; 0 where it is of something else.
func readJournal(f io.Reader, of string) (cuts []Cut, end int64, err error) {
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return cuts, end, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if end == 0 {
			var head journalHead
			if json.Unmarshal(line, &head) != nil || head != (journalHead{journalVersion, of}) {
				return nil, 0, nil
			}
		} else {
			var cut Cut
			if json.Unmarshal(line, &cut) != nil {
				return cuts, end, nil
			}
			cuts = append(cuts, cut)
		}
		end += int64(len(line))
	}
}

func (j *Journal) line(x any) error {
	text, err := json.Marshal(x)
	if err == nil {
		_, err = j.out.Write(append(text, '\n'))
	}
	return err
}

// Made adds a cut.
func (j *Journal) Made(cut Cut) error {
	err := j.line(cut)
	if now := time.Now(); err == nil && now.Sub(j.flushed) > flushEvery {
		j.flushed = now
		err = j.out.Flush()
	}
	return err
}

// Close writes what is left.
func (j *Journal) Close() error { return errors.Join(j.out.Flush(), j.file.Close()) }
