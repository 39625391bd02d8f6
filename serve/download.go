package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/jobs"
)

// wanted is a request for a file of scores.
type wanted struct {
	job        config.Job
	of         connector.Entity
	format     string // an extension
	properties []string
}

// download sends the scores of a job's last run: GET /jobs/JOB/scores.csv?of=nodes&properties=code,city, or
// scores.parquet.
func (s *Service) download(format string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		want := wanted{of: connector.Entity(cmp.Or(q.Get("of"), string(connector.OnNodes))), format: format}
		if want.of != connector.OnNodes && want.of != connector.OnRelationships {
			s.refuse(w, r, http.StatusBadRequest, fmt.Sprintf("of=%s: nodes or relationships", want.of))
			return
		}
		name, known := r.PathValue("job"), false
		if want.job, known = s.configured(name); !known {
			s.refuse(w, r, http.StatusNotFound, fmt.Sprintf("no job %q in the config", name))
			return
		}
		for _, p := range strings.Split(q.Get("properties"), ",") {
			if p = strings.TrimSpace(p); p != "" {
				want.properties = append(want.properties, p)
			}
		}
		control := http.NewResponseController(w)
		// the file may take long, and over HTTP/2 a deadline that has passed ends the answer
		_ = control.SetWriteDeadline(time.Time{})
		path, err := s.scoresFile(r.Context(), want)
		_ = control.SetWriteDeadline(time.Now().Add(answerTime))
		if err != nil {
			s.refuseDownload(w, r, err)
			return
		}
		defer os.RemoveAll(filepath.Dir(path))
		s.send(w, r, path, name+"-"+string(want.of)+format)
	})
}

// downloadLink is the address of a file of scores, without its extension's dot.
type downloadLink struct {
	Of, Format, Address string
}

// downloadLinks are the files of a job's scores. They have the properties that its outputs have.
func downloadLinks(j config.Job) []downloadLink {
	var out []downloadLink
	nodes, relationships := jobs.Properties(j)
	for _, of := range []struct {
		name   string
		scores []string
	}{{config.OfNodes, nodes}, {config.OfRelationships, relationships}} {
		for _, format := range []string{"CSV", "Parquet"} {
			if len(of.scores) > 0 {
				q := url.Values{"of": {of.name}}
				if p := outputProperties(j, of.name); len(p) > 0 {
					q.Set("properties", strings.Join(p, ","))
				}
				out = append(out, downloadLink{of.name, format,
					"/jobs/" + j.Name + "/scores." + strings.ToLower(format) + "?" + q.Encode()})
			}
		}
	}
	return out
}

// outputProperties are those that the job's outputs of nodes or relationships ask for.
func outputProperties(j config.Job, of string) []string {
	var out []string
	for _, o := range j.Outputs {
		for _, p := range o.Properties {
			if slices.Contains(o.Targets(&j), of) && p.Of == "" && !slices.Contains(out, p.Property) {
				out = append(out, p.Property)
			}
		}
	}
	return out
}

// refuseDownload answers with the hint, too: it says where the scores are.
func (s *Service) refuseDownload(w http.ResponseWriter, r *http.Request, err error) {
	if hint := connector.HintOf(err); hint != "" {
		s.refuse(w, r, http.StatusNotFound, err.Error()+": "+hint)
		return
	}
	s.refuseFor(w, r, err)
}

// scoresFile writes the scores to a file in a folder of its own, one request at a time: scores can take much memory.
func (s *Service) scoresFile(ctx context.Context, want wanted) (string, error) {
	name := want.job.Name
	run, err := lookUp(ctx, s, func(ctx context.Context, db Database) (*connector.Run, error) {
		return db.LastSuccess(ctx, name)
	})
	if err != nil {
		return "", err
	}
	if run == nil {
		return "", &connector.Error{Kind: connector.UnknownName, Msg: "job " + name + " has no scores yet",
			Hint: "run it first"}
	}
	if err := s.downloads.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.downloads.Release(1)
	db, done := s.borrow()
	defer done()
	kept, err := jobs.LoadKept(s.config.Load().State, name, want.of, run.ID)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(s.config.Load().State, "download-*")
	if err != nil {
		return "", err
	}
	out := kept.Output(db, want.of, want.job.Graph.Caption, want.properties)
	out.Path, out.Job = filepath.Join(dir, "scores"+want.format), name
	if err := writeOutput(ctx, out); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return out.Path, nil
}

func writeOutput(ctx context.Context, out *file.Output) error {
	p, err := out.Prepare(ctx, nil)
	if err != nil {
		return err
	}
	defer p.Discard()
	return p.Commit()
}

// send sends a file part by part. The client has answerTime for each.
func (s *Service) send(w http.ResponseWriter, r *http.Request, path, name string) {
	f, err := os.Open(path)
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", "application/vnd.apache.parquet")
	if filepath.Ext(path) == ".csv" {
		h.Set("Content-Type", "text/csv; charset=utf-8")
	}
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	h.Set("Cache-Control", "no-store")
	if info, err := f.Stat(); err == nil {
		h.Set("Content-Length", fmt.Sprint(info.Size()))
	}
	control := http.NewResponseController(w)
	for r.Context().Err() == nil {
		_ = control.SetWriteDeadline(time.Now().Add(answerTime))
		if _, err := io.CopyN(w, f, 1<<20); err != nil {
			return // the end, or the client is gone
		}
	}
}
