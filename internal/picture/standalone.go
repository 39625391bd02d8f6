package picture

import (
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// theme are the colours that CSS takes from a page. A file of its own has no page.
const theme = `svg { --card: #ffffff; --line: #dfe2ec; --text: #171a26; --quiet: #565d75; --accent: #2f4fcf; font-family: system-ui, "Open Sans", sans-serif; }
@media (prefers-color-scheme: dark) { svg { --card: #1a1d29; --line: #303548; --text: #e9ebf4; --quiet: #a3abc4; --accent: #9db1ff; } }
.ground { fill: var(--card); }
`

// NewFile begins a drawing that is a file of its own, with the colours of light and dark and the style css. Its class
// ground is the colour of the page.
func NewFile(width, height float64, title, css string) *Canvas {
	c := open("chart drawing", width, height, `xmlns="http://www.w3.org/2000/svg" `+named(title))
	c.Add("<style>%s</style>", theme+css)
	return c
}

// File is a Drawing as an SVG file of its own, in light and dark, with the legend below. It is "" when there is nothing
// to show.
func File(p *connector.Picture) string {
	if p == nil || len(p.Nodes) == 0 {
		return ""
	}
	const margin, below = 16, 56
	s := newSheet(p)
	c := NewFile(drawWidth+2*margin, s.height+below+margin, s.describe(), CSS)
	c.Add(`<rect class="ground" width="100%%" height="100%%" rx="14"/><g transform="translate(%d %d)">`, margin, margin/2)
	s.draw(c)
	c.Add(`</g><svg x="%d" y="%.1f" width="%g" height="%d">`, margin, s.height+8, drawWidth, below)
	for i, row := range s.legendRows() {
		row(c, float64(i)*drawWidth/2+4, below/2, small)
	}
	c.Add("</svg>")
	return strings.ReplaceAll(string(c.HTML()), "</svg><svg", "</svg>\n<svg") + "\n"
}
