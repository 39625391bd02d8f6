package picture

import "html/template"

// Figure is a picture that can be a part of a page, or a file of its own: SVG or PNG.
type Figure struct {
	title         string
	width, height float64
	draw          func(surface)
}

// HTML is the picture as a part of a page, in the colours of its style.
func (f Figure) HTML() template.HTML {
	c := open("figure", f.width, f.height, named(f.title))
	f.on(c)
	return `<figure class="picture">` + c.HTML() + "</figure>"
}

// SVG is the picture as a file of its own, in light and dark.
func (f Figure) SVG() string {
	c := open("figure", f.width, f.height, `xmlns="http://www.w3.org/2000/svg" `+named(f.title))
	c.Add("<style>%s</style>", theme+CSS)
	c.Add(`<rect class="ground" width="100%%" height="100%%" rx="14"/>`)
	f.on(c)
	return string(c.HTML()) + "\n"
}

func (f Figure) on(c *Canvas) {
	d := &drawn{Canvas: c}
	f.draw(d)
	d.end()
}
