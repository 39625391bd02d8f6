// Landgen writes land.txt: the outlines of the world's land, by Natural Earth (1:110m, public domain), as the npm
// package world-atlas has them in TopoJSON. generate.sh fetches the package and calls it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// topology is what is used of a TopoJSON file.
type topology struct {
	Objects struct {
		Land struct {
			Geometries []struct {
				Arcs [][][]int `json:"arcs"`
			} `json:"geometries"`
		} `json:"land"`
	} `json:"objects"`
	Arcs      [][][2]float64 `json:"arcs"`
	Transform struct {
		Scale, Translate [2]float64
	} `json:"transform"`
}

func main() {
	if err := convert(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "landgen:", err)
		os.Exit(1)
	}
}

func convert(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var t topology
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriter(out)
	for _, g := range t.Objects.Land.Geometries {
		for _, polygon := range g.Arcs {
			for _, ring := range polygon {
				writeRing(w, t.ring(ring))
			}
		}
	}
	return w.Flush()
}

// ring joins arcs; one with a negative number is reversed.
func (t *topology) ring(arcs []int) [][2]float64 {
	var out [][2]float64
	for _, a := range arcs {
		points := t.arc(max(a, ^a))
		if a < 0 {
			for i, k := 0, len(points)-1; i < k; i, k = i+1, k-1 {
				points[i], points[k] = points[k], points[i]
			}
		}
		if len(out) > 0 {
			points = points[1:]
		}
		out = append(out, points...)
	}
	return out
}

// arc returns the points of an arc in degrees. In the file each is the difference to the one before.
func (t *topology) arc(i int) [][2]float64 {
	var out [][2]float64
	var at [2]float64
	for _, d := range t.Arcs[i] {
		at[0], at[1] = at[0]+d[0], at[1]+d[1]
		out = append(out, [2]float64{at[0]*t.Transform.Scale[0] + t.Transform.Translate[0],
			at[1]*t.Transform.Scale[1] + t.Transform.Translate[1]})
	}
	return out
}

// writeRing writes one line: the differences of longitudes and latitudes, in tenths of a degree.
func writeRing(w *bufio.Writer, ring [][2]float64) {
	var x, y int
	sep := ""
	for _, p := range ring {
		px, py := int(math.Round(p[0]*10)), int(math.Round(p[1]*10))
		if sep != "" && px == x && py == y {
			continue
		}
		fmt.Fprintf(w, "%s%d %d", sep, px-x, py-y)
		x, y, sep = px, py, " "
	}
	fmt.Fprintln(w)
}
