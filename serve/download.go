package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/jobs"
)

// download sends the scores of a job's last run: GET /jobs/JOB/scores.csv?of=nodes, or scores.parquet.
func (s *Service) download(format string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of := connector.Entity(r.URL.Query().Get("of"))
		if of == "" {
			of = connector.OnNodes
		}
		if of != connector.OnNodes && of != connector.OnRelationships {
			s.refuse(w, r, http.StatusBadRequest, fmt.Sprintf("of=%s: nodes or relationships", of))
			return
		}
		job := r.PathValue("job")
		if _, known := s.configured(job); !known {
			s.refuse(w, r, http.StatusNotFound, fmt.Sprintf("no job %q in the config", job))
			return
		}
		path, err := s.scoresFile(r.Context(), job, of, format)
		if err != nil {
			s.refuseDownload(w, r, err)
			return
		}
		defer os.RemoveAll(filepath.Dir(path))
		s.send(w, r, path, job+"-"+string(of)+format)
	})
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
func (s *Service) scoresFile(ctx context.Context, job string, of connector.Entity, format string) (string, error) {
	run, err := lookUp(ctx, s, func(ctx context.Context, db Database) (*connector.Run, error) { return db.LastSuccess(ctx, job) })
	if err != nil {
		return "", err
	}
	if run == nil {
		return "", &connector.Error{Kind: connector.UnknownName, Msg: "job " + job + " has no scores yet", Hint: "run it first"}
	}
	if err := s.downloads.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.downloads.Release(1)
	kept, err := jobs.LoadKept(s.config.Load().State, job, of, run.ID)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(s.config.Load().State, "download-*")
	if err != nil {
		return "", err
	}
	sink := file.Sink{Nodes: filepath.Join(dir, "scores"+format)}
	if _, err := sink.Write(ctx, kept.Snapshot(), kept.Columns, connector.WriteOptions{}, nil); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return sink.Nodes, nil
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
