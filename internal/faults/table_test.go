package faults

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// form says how many cases to run, and from which seed: LINCHPIN_FAULTS and LINCHPIN_FAULTS_SEED.
func form(t *testing.T, short int) (cases int, seed uint64) {
	t.Helper()
	cases, seed = short, 1
	for name, set := range map[string]func(uint64){
		"LINCHPIN_FAULTS":      func(n uint64) { cases, seed = int(n), uint64(time.Now().UnixNano())%1e6 },
		"LINCHPIN_FAULTS_SEED": func(n uint64) {},
	} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			set(n)
		}
	}
	if text := os.Getenv("LINCHPIN_FAULTS_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("%d cases, LINCHPIN_FAULTS_SEED=%d", cases, seed)
	return cases, seed
}

// table counts cases by kind, step and how the run that the fault fell into ended.
type table map[[2]string]map[string]int

func (t table) count(kind, step, outcome string) {
	key := [2]string{kind, step}
	if t[key] == nil {
		t[key] = map[string]int{}
	}
	t[key][outcome]++
}

func (t table) String() string {
	var keys [][2]string
	for key := range t {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tSTEP\tCASES\tHOW THE RUN ENDED")
	for _, key := range keys {
		total := 0
		var parts []string
		for outcome, n := range t[key] {
			total += n
			parts = append(parts, fmt.Sprintf("%s: %d", outcome, n))
		}
		slices.Sort(parts)
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", key[0], key[1], total, strings.Join(parts, ", "))
	}
	_ = w.Flush()
	return b.String()
}
