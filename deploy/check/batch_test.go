package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestBatchIsWhatKubernetesKnows decodes every object strictly into the API's own types, and looks at what the steps
// share.
func TestBatchIsWhatKubernetesKnows(t *testing.T) {
	text, err := os.ReadFile("../batch/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	checkBatch(t, string(text), "")
	checkBatch(t, strings.ReplaceAll(string(text), "# nvidia.com/gpu", "nvidia.com/gpu"), "1")
}

// checkBatch checks the steps, each of whose pods that compute has so many GPUs.
func checkBatch(t *testing.T, text, gpus string) {
	t.Helper()
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	jobs := map[string]*batch.Job{}
	for i, one := range strings.Split(text, "\n---\n") {
		object, _, err := decoder.Decode([]byte(one), nil, nil)
		if err != nil {
			t.Fatalf("object %d: %v", i, err)
		}
		if j, ok := object.(*batch.Job); ok {
			jobs[j.Name] = j
		}
	}
	if len(jobs) != 3 {
		t.Fatalf("%d jobs", len(jobs))
	}
	checkParts(t, jobs["hubs-parts"])
	for name, count := range map[string]string{"hubs-export": "", "hubs-parts": gpus, "hubs-merge": gpus} {
		asked := ""
		if q, ok := jobs[name].Spec.Template.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"]; ok {
			asked = q.String()
		}
		if asked != count {
			t.Errorf("%s asks for %q GPUs, not %q", name, asked, count)
		}
	}
	args := strings.Join(jobs["hubs-merge"].Spec.Template.Spec.Containers[0].Args, " ")
	if !strings.Contains(args, "--job hubs") || !strings.HasSuffix(args, "/work/run-1/") {
		t.Errorf("merge is given %s", args)
	}
}

// checkParts finds a number of parts that is not the number of pods, and retries that Kubernetes would refuse.
func checkParts(t *testing.T, job *batch.Job) {
	t.Helper()
	s, c := job.Spec, job.Spec.Template.Spec.Containers[0]
	if *s.CompletionMode != batch.IndexedCompletion || s.BackoffLimitPerIndex == nil ||
		s.Template.Spec.RestartPolicy != "Never" {
		t.Errorf("not an Indexed Job whose indices fail by themselves: %+v", s)
	}
	args := strings.Join(c.Args, " ")
	if !strings.Contains(args, "--index $(INDEX)") || !strings.Contains(args, fmt.Sprintf("--of %d ", *s.Completions)) {
		t.Errorf("%d pods, and shard is given %s", *s.Completions, args)
	}
	for _, e := range c.Env {
		if e.Name == "INDEX" && strings.Contains(e.ValueFrom.FieldRef.FieldPath, batch.JobCompletionIndexAnnotation) {
			return
		}
	}
	t.Error("no variable has the index of the pod")
}

// The programs that a batch system has, for the scripts: each starts the processes that it would start, one after
// another, on this machine.
const (
	fakeSbatch = `#!/bin/bash
set -eu
script="${!#}" array="$(sed -n 's/^#SBATCH --array=0-//p' "${!#}")"
echo "$*" >>"$SBATCH_LOG"
if [ -z "$array" ]; then bash "$script" >&2; else
  for i in $(seq 0 "$array"); do
    SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$((array + 1)) bash "$script" >&2
  done
fi
echo 4711
`
	fakeMpirun = `#!/bin/bash
set -eu
[ "$1" = -n ] && size=$2 && shift 2
for i in $(seq 0 $((size - 1))); do OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_LOCAL_RANK=$((i % 2)) OMPI_COMM_WORLD_SIZE=$size "$@"; done
`
)

// batchMachine makes this machine one with linchpin and a batch system, and returns a folder for its files.
func batchMachine(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	bin := filepath.Join(folder, "bin")
	command(t, "../..", "go", "build", "-o", filepath.Join(bin, "linchpin"), "./cmd/linchpin")
	for name, text := range map[string]string{"sbatch": fakeSbatch, "mpirun": fakeMpirun} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("SBATCH_LOG", filepath.Join(folder, "sbatch.log"))
	return folder
}

// TestBatchScriptsGiveTheScoresOfOneMachine runs the scripts for Slurm and mpirun as these would.
func TestBatchScriptsGiveTheScoresOfOneMachine(t *testing.T) {
	folder := batchMachine(t)
	scripts, err := filepath.Abs("../batch")
	if err != nil {
		t.Fatal(err)
	}
	do := func(name string, args ...string) {
		t.Helper()
		command(t, folder, name, args...)
	}
	for _, name := range []string{"part.sbatch", "merge.sbatch", "submit.sh", "mpi.sh"} {
		do("bash", "-n", filepath.Join(scripts, name))
	}
	do("linchpin", "generate", "ba", "--nodes", "100", "--out", "graph.csv")
	do("linchpin", "compute", "graph.csv", "--measure", "betweenness", "--device", "cpu", "--nodes-out", "want.csv")
	do(filepath.Join(scripts, "submit.sh"), "graph.csv", "slurm.csv")
	do("cmp", "slurm.csv", "want.csv")
	do("grep", "-q", "--", "--dependency=afterok:4711", "sbatch.log")
	do("env", "LINCHPIN_DEVICE=auto", "LINCHPIN_GRES=gpu:h100:1", filepath.Join(scripts, "submit.sh"),
		"graph.csv", "gres.csv")
	do("cmp", "gres.csv", "want.csv")
	for _, script := range []string{"part", "merge"} {
		do("grep", "-q", "--", "--gres=gpu:h100:1 .*/"+script+".sbatch$", "sbatch.log")
	}
	do(filepath.Join(scripts, "mpi.sh"), "5", "graph.csv", "mpi.csv")
	do("cmp", "mpi.csv", "want.csv")
}
