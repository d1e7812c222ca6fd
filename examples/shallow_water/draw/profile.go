package main

import (
	"fmt"
	"image"
	"math"
)

// panel is a rectangle of the picture with its own axes.
type panel struct {
	c                        *canvas
	left, right, top, bottom float64 // pixels
	x0, x1, y0, y1           float64 // values at the edges
}

func (p *panel) place(x, y float64) point {
	return point{
		p.left + (x-p.x0)/(p.x1-p.x0)*(p.right-p.left),
		p.bottom - (y-p.y0)/(p.y1-p.y0)*(p.bottom-p.top),
	}
}

// axes draws frame, grid lines and numbers; the x numbers only where there is a label for them.
func (p *panel) axes(xLabel, yLabel string) {
	values, digits := ticks(p.y0, p.y1, 5)
	for _, v := range values {
		q := p.place(p.x0, v)
		p.c.line(q, point{p.right, q.y}, 1, greyLine)
		p.c.text(format(v, digits), p.left-12, q.y+6, 12, 1, ink)
	}
	values, digits = ticks(p.x0, p.x1, 10)
	for _, v := range values {
		q := p.place(v, p.y0)
		p.c.line(q, point{q.x, p.top}, 1, greyLine)
		if xLabel != "" {
			p.c.text(format(v, digits), q.x, p.bottom+26, 12, 0.5, ink)
		}
	}
	p.c.text(yLabel, p.left, p.top-12, 13, 0, ink)
	p.c.text(xLabel, (p.left+p.right)/2, p.bottom+54, 13, 0.5, ink)
}

func (p *panel) frame() {
	a, b := point{p.left, p.top}, point{p.right, p.bottom}
	p.c.polyline([]point{a, {b.x, a.y}, b, {a.x, b.y}, a}, 1.5, ink)
}

// profilePicture shows depth and velocity along the middle row against the exact solution.
func profilePicture(f *field) image.Image {
	c := newCanvas(1200, 860, white)
	row := f.ny / 2
	h, u, hExact, uExact := make([]float64, f.nx), make([]float64, f.nx), make([]float64, f.nx), make([]float64, f.nx)
	sum, reference := 0.0, 0.0
	for i := range h {
		h[i], hExact[i], uExact[i] = f.at("h", i, row), f.at("h_exact", i, row), f.at("u_exact", i, row)
		if h[i] > 0 {
			u[i] = f.at("hu", i, row) / h[i]
		}
		sum += math.Abs(h[i] - hExact[i])
		reference += hExact[i]
	}
	c.text(f.title, 90, 48, 22, 0, ink)
	c.text(fmt.Sprintf("t = %s s, %d x %d cells, L1 error of the depth %.2e (relative)",
		short(f.time), f.nx, f.ny, sum/reference), 90, 80, 13, 0, ink)
	legend(c, 900, 76)

	depth := &panel{c: c, left: 90, right: 1160, top: 130, bottom: 440, x1: f.lx, y1: 1.15 * largest(h, hExact)}
	fillWater(depth, f.lx, h)
	depth.axes("", "depth [m]")
	curves(depth, f.lx, h, hExact)
	speed := &panel{c: c, left: 90, right: 1160, top: 500, bottom: 780, x1: f.lx, y1: 1.15 * largest(u, uExact)}
	speed.axes("x [m]", "velocity [m/s]")
	curves(speed, f.lx, u, uExact)
	return c.image()
}

func legend(c *canvas, x, y float64) {
	c.line(point{x, y - 6}, point{x + 40, y - 6}, 2, ink)
	c.text("exact", x+50, y, 13, 0, ink)
	c.line(point{x + 150, y - 6}, point{x + 150, y - 6}, 8, accentRed)
	c.text("computed", x+164, y, 13, 0, ink)
}

// curves draws the exact solution as a line and the computed one as dots over it, so many that they can
// still be distinguished.
func curves(p *panel, length float64, computed, exact []float64) {
	p.frame()
	n := len(computed)
	x := func(i int) float64 { return (float64(i) + 0.5) / float64(n) * length }
	line := make([]point, n)
	for i := range line {
		line[i] = p.place(x(i), exact[i])
	}
	p.c.polyline(line, 2, ink)
	step := max(1, n/125)
	for i := step / 2; i < n; i += step {
		q := p.place(x(i), computed[i])
		p.c.line(q, q, 5, accentRed)
	}
}

func fillWater(p *panel, length float64, h []float64) {
	for px := int(p.left); px < int(p.right); px++ {
		i := int((float64(px) + 0.5 - p.left) / (p.right - p.left) * float64(len(h)))
		p.c.column(px, p.place(0, h[min(i, len(h)-1)]).y, p.bottom, paleWater)
	}
}

// largest is the greatest value of all lists, or 1 where that is not above 0: an axis needs a length.
func largest(lists ...[]float64) float64 {
	top := 0.0
	for _, list := range lists {
		for _, v := range list {
			top = math.Max(top, v)
		}
	}
	if top <= 0 {
		return 1
	}
	return top
}
