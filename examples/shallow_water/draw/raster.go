package main

import (
	"math"
)

// triangle paints a triangle with colours that change evenly between its corners, where nothing nearer
// stands already.
func (s *scene) triangle(v [3]vertex, col [3]rgb) {
	var p [3]point
	var far [3]float64
	for k := range v {
		p[k], far[k] = s.project(v[k])
	}
	area := (p[1].x-p[0].x)*(p[2].y-p[0].y) - (p[2].x-p[0].x)*(p[1].y-p[0].y)
	if area == 0 {
		return
	}
	x0, x1 := s.c.pixelRange(min(p[0].x, p[1].x, p[2].x), max(p[0].x, p[1].x, p[2].x)+1, s.c.width)
	y0, y1 := s.c.pixelRange(min(p[0].y, p[1].y, p[2].y), max(p[0].y, p[1].y, p[2].y)+1, s.c.height)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			q := point{float64(x) + 0.5, float64(y) + 0.5}
			w1 := ((q.x-p[0].x)*(p[2].y-p[0].y) - (p[2].x-p[0].x)*(q.y-p[0].y)) / area
			w2 := ((p[1].x-p[0].x)*(q.y-p[0].y) - (q.x-p[0].x)*(p[1].y-p[0].y)) / area
			w0 := 1 - w1 - w2
			const edge = -1e-6 // neighbours overlap by a hair, so that no gap shows
			if w0 < edge || w1 < edge || w2 < edge {
				continue
			}
			distance := w0*far[0] + w1*far[1] + w2*far[2]
			if distance > s.depth[y*s.c.width+x] {
				continue
			}
			s.depth[y*s.c.width+x] = distance
			s.c.pixels[y*s.c.width+x] = rgb{
				w0*col[0].r + w1*col[1].r + w2*col[2].r,
				w0*col[0].g + w1*col[1].g + w2*col[2].g,
				w0*col[0].b + w1*col[1].b + w2*col[2].b,
			}
		}
	}
}

// surfaceLine draws a line that lies on the water, where nothing hides it.
func (s *scene) surfaceLine(a, b vertex, width float64, col rgb) {
	p, near := s.project(a)
	q, far := s.project(b)
	x, y := int((p.x+q.x)/2), int((p.y+q.y)/2)
	if x < 0 || y < 0 || x >= s.c.width || y >= s.c.height {
		return
	}
	allowance := 0.01 * math.Max(s.f.lx, s.f.ly)
	if (near+far)/2 <= s.depth[y*s.c.width+x]+allowance {
		s.c.line(p, q, width, col)
	}
}

// drawBedContours shows where the bed rises, as lines on the water above it: 4 levels between the lowest
// and the highest bed.
func (s *scene) drawBedContours() {
	f := s.f
	bed := f.values["b"]
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range bed {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	for k := 1; k <= 4; k++ {
		level := low + (high-low)*float64(k)/5
		for j := 0; j+1 < f.ny; j++ {
			for i := 0; i+1 < f.nx; i++ {
				s.contourInCell(i, j, level)
			}
		}
	}
}

// contourInCell joins the points where the level crosses the sides of the square between four cells.
func (s *scene) contourInCell(i, j int, level float64) {
	f := s.f
	corners := [5][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}, {i, j}}
	var crossings []vertex
	for k := 0; k < 4; k++ {
		a, b := corners[k], corners[k+1]
		ka, kb := a[1]*f.nx+a[0], b[1]*f.nx+b[0]
		za, zb := f.values["b"][ka], f.values["b"][kb]
		if (za < level) == (zb < level) {
			continue
		}
		t := (level - za) / (zb - za)
		p, q := s.onGrid(a[0], a[1], s.eta[ka]), s.onGrid(b[0], b[1], s.eta[kb])
		crossings = append(crossings, vertex{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y), p.z + t*(q.z-p.z)})
	}
	for k := 0; k+1 < len(crossings); k += 2 {
		s.surfaceLine(crossings[k], crossings[k+1], 2.2, ink)
	}
}

// drawAxisText puts numbers along the two near edges of the block's foot; c has half the scene's size.
func (s *scene) drawAxisText(c *canvas) {
	foot := s.base * s.stretch
	mark := func(v, outwards vertex, text string, align float64) {
		p, _ := s.project(v)
		q, _ := s.project(vertex{v.x + outwards.x, v.y + outwards.y, v.z})
		c.line(point{p.x / 2, p.y / 2}, point{q.x / 2, q.y / 2}, 1.3, ink)
		c.text(text, q.x/2, q.y/2+18, 12, align, ink)
	}
	tick := 0.02 * math.Max(s.f.lx, s.f.ly)
	values, digits := ticks(0, s.f.lx, 5)
	for _, x := range values {
		mark(vertex{x, 0, foot}, vertex{0, -tick, 0}, format(x, digits), 0.3)
	}
	values, digits = ticks(0, s.f.ly, 5)
	for _, y := range values {
		mark(vertex{0, y, foot}, vertex{-tick, 0, 0}, format(y, digits), 1)
	}
	p, _ := s.project(vertex{s.f.lx / 2, -6 * tick, foot})
	c.text("x [m]", p.x/2, p.y/2+18, 13, 0.3, ink)
	p, _ = s.project(vertex{-6 * tick, s.f.ly / 2, foot})
	c.text("y [m]", p.x/2, p.y/2+18, 13, 1, ink)
}

func (s *scene) drawColourBar(c *canvas) {
	const left, right, top, bottom = 1080.0, 1104.0, 180.0, 620.0
	for y := top; y < bottom; y++ {
		t := (bottom - y - 0.5) / (bottom - top)
		c.line(point{left, y + 0.5}, point{right, y + 0.5}, 1, levelColour(t))
	}
	c.polyline([]point{{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, 1.2, ink)
	values, digits := ticks(s.low, s.high, 6)
	for _, v := range values {
		y := bottom - (v-s.low)/(s.high-s.low)*(bottom-top)
		c.line(point{right, y}, point{right + 6, y}, 1.2, ink)
		c.text(format(v, digits), right+14, y+6, 12, 0, ink)
	}
	c.text("surface level [m]", right+30, top-22, 13, 0.7, ink)
}
