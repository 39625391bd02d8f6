package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/bench"
)

// page is a Markdown page in the making.
type page struct {
	text  strings.Builder
	notes []string
}

func (p *page) title(text string) { fmt.Fprintf(&p.text, "# %s\n\n", text) }

func (p *page) section(text string) { fmt.Fprintf(&p.text, "## %s\n\n", text) }

func (p *page) paragraph(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n\n", args...) }

func (p *page) picture(file, what string) { fmt.Fprintf(&p.text, "![%s](%s)\n\n", what, file) }

// table writes rows under a header; columns of numbers stand at the right.
func (p *page) table(header []string, rows [][]string) {
	p.row(header)
	for i := range header {
		p.text.WriteString(map[bool]string{true: "|---:", false: "|---"}[numeric(rows, i)])
	}
	p.text.WriteString("|\n")
	for _, row := range rows {
		p.row(row)
	}
	p.text.WriteString("\n")
	p.flushNotes()
}

// numeric says whether a column, not the first, has numbers and what stands for a number.
func numeric(rows [][]string, column int) bool {
	for _, row := range rows {
		cell := strings.TrimLeft(row[column], "*-> ")
		word, _, _ := strings.Cut(cell, "<")
		if cell == "" || word == missing || word == "all" || word == string(bench.Wrong) || word == string(bench.Failed) {
			continue
		}
		if cell[0] < '0' || cell[0] > '9' {
			return false
		}
	}
	return column > 0
}

func (p *page) row(cells []string) {
	for _, c := range cells {
		p.text.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	p.text.WriteString("|\n")
}

// note returns the mark of a footnote, which stands under the next table; the same text keeps its mark.
func (p *page) note(text string) string {
	for i, known := range p.notes {
		if known == text {
			return noteMark(i)
		}
	}
	p.notes = append(p.notes, text)
	return noteMark(len(p.notes) - 1)
}

func noteMark(i int) string { return fmt.Sprintf("<sup>%d</sup>", i+1) }

func (p *page) flushNotes() {
	for i, text := range p.notes {
		fmt.Fprintf(&p.text, "%s %s  \n", noteMark(i), text)
	}
	if len(p.notes) > 0 {
		p.text.WriteString("\n")
	}
	p.notes = nil
}

// missing stands in a cell that nothing is known for.
const missing = "–"

// number writes x with three significant digits, without an exponent; missing for 0.
func number(x float64) string {
	switch {
	case x == 0:
		return missing
	case math.Abs(x) >= 100:
		return grouped(int64(math.Round(x)))
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', min(digits, 9), 64)
}

// grouped writes a whole number with commas.
func grouped(x int64) string {
	text := strconv.FormatInt(x, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// short writes a count in four characters or so.
func short(x int) string {
	switch {
	case x >= 1e6:
		return strconv.FormatFloat(float64(x)/1e6, 'g', 3, 64) + "M"
	case x >= 1e4:
		return strconv.FormatFloat(float64(x)/1e3, 'g', 3, 64) + "k"
	}
	return strconv.Itoa(x)
}

// times writes a ratio: 3.2x.
func times(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return missing
	}
	return number(x) + "x"
}
