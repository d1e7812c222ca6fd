package show

import (
	"fmt"
	"html"
	"strings"
)

// This file writes pieces of SVG: many rectangles as one path, axes.

// svg is a picture under construction. All pictures have the same width.
type svg struct {
	b      strings.Builder
	height float64
}

// The layout of a picture: names at the left, columns in the middle.
const (
	leftRoom  = 190
	plotWidth = 900
	rightRoom = 20
	allWidth  = leftRoom + plotWidth + rightRoom
)

func newSVG(height float64, title string) *svg {
	s := &svg{height: height}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" role="img" aria-label="%s" font-family="sans-serif" font-size="11">`+"\n",
		allWidth, num(height), html.EscapeString(title))
	return s
}

func (s *svg) String() string { return s.b.String() + "</svg>\n" }

// num is a number with at most one digit after the point.
func num(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// x is the left edge of a column out of `of`.
func x(column, of int) float64 { return leftRoom + float64(column)/float64(of)*plotWidth }

func (s *svg) text(x, y float64, anchor, class, text string) {
	fmt.Fprintf(&s.b, `<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`+"\n", num(x), num(y), anchor, class, html.EscapeString(text))
}

func (s *svg) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&s.b, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`+"\n", num(x1), num(y1), num(x2), num(y2), class)
}

// path is a shape with one colour and a text that a pointer shows.
func (s *svg) path(d, fill, opacity, title string) {
	if d == "" {
		return
	}
	fmt.Fprintf(&s.b, `<path d="%s" fill="%s"`, d, fill)
	if opacity != "" {
		fmt.Fprintf(&s.b, ` opacity="%s"`, opacity)
	}
	if title == "" {
		s.b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(&s.b, "><title>%s</title></path>\n", html.EscapeString(title))
}

// box is a rectangle as part of a path.
func box(x, y, width, height float64) string {
	return "M" + num(x) + " " + num(y) + "h" + num(width) + "v" + num(height) + "h" + num(-width) + "z"
}

// times draws the time axis below a picture from top to bottom.
func (s *svg) times(length uint64, top, bottom float64) {
	for _, t := range ticks(float64(length), 8) {
		at := leftRoom + t/float64(max(length, 1))*plotWidth
		s.line(at, top, at, bottom+4, "grid")
		s.text(at, bottom+16, "middle", "tick", Span(uint64(t)))
	}
	s.line(leftRoom, bottom, leftRoom+plotWidth, bottom, "axis")
}

// colours are the colours of the bands. Readers with a red-green deficiency can distinguish them (after Okabe and Ito).
// Paler and darker ones follow; the last one is for all others.
var colours = [bands + 1]string{
	"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#6f4fa0", "#8c6d46",
	"#7fb8d8", "#f2cf80", "#7fcfb9", "#e5bcd3", "#2a7ca8", "#ea9f70", "#dcd380", "#b7a7cf", "#5a4a32", "#24554a", "#a0a4a8",
}

// colour is that of band number i of m.
func (m *Memory) colour(i int) string {
	if m.Bands[i] < 0 {
		return colours[bands]
	}
	return colours[i]
}
