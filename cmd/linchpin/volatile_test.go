package main

import "regexp"

// replacement stands for text that differs from run to run.
type replacement struct {
	pattern *regexp.Regexp
	stands  string
}

func volatile() []replacement {
	return []replacement{
		{regexp.MustCompile(`\d{8}T\d{6}Z-[A-Z2-7]{8}`), "RUN"},
		{regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?( UTC)?`), "TIME"},
		{regexp.MustCompile(`bolt://127\.0\.0\.1:\d+`), "URI"},
		{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDRESS"},
		{regexp.MustCompile(`\d+\.\d (GiB|MiB|KiB)`), "SIZE"},
		{regexp.MustCompile(`in \d+\.\d s`), "in SECONDS s"},
		{regexp.MustCompile(`\(process \d+\)`), "(process PID)"},
		{regexp.MustCompile(`(?m)(cpu +\d+) +\d+ +\d+ *$`), "$1 RATES"},
		{regexp.MustCompile(`(?m) +$`), ""},
		{regexp.MustCompile(`TIME +\d+\.\d`), "TIME SECONDS"},
	}
}
