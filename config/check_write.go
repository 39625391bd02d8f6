package config

import "fmt"

// checkWrite finds settings that the mode of publication cannot follow.
func (d *decoder) checkWrite(w *Write, path string) {
	if d.failed[path+".mode"] {
		return
	}
	if w.Mode == NoMode {
		for _, key := range []string{"onlyChanged", "clearStale", "drain", "batch"} {
			if _, given := d.at[path+"."+key]; given {
				d.mistake(path+"."+key, "it has no effect: mode none writes no scores to the database", "remove it")
			}
		}
		return
	}
	if _, given := d.at[path+".onlyChanged"]; given && w.Mode == "stamp" {
		d.mistake(path+".onlyChanged", fmt.Sprintf("%v has no effect: stamp writes every score, with its run",
			*w.OnlyChanged), "remove it")
	}
	if w.Mode != "inplace" && w.ClearStale != nil && !*w.ClearStale {
		d.mistake(path+".clearStale", fmt.Sprintf("false does not go with %s: readers would see scores of earlier runs",
			w.Mode),
			"remove it, or choose mode: inplace")
	}
}
