package main

import (
	"image"
	"image/color"
	"math"
)

// rgb is a colour with components from 0 to 1.
type rgb struct{ r, g, b float64 }

func (c rgb) scaled(s float64) rgb { return rgb{c.r * s, c.g * s, c.b * s} }

// towards goes the part t, 0 to 1, of the way to another colour.
func (c rgb) towards(d rgb, t float64) rgb {
	return rgb{c.r + (d.r-c.r)*t, c.g + (d.g-c.g)*t, c.b + (d.b-c.b)*t}
}

type point struct{ x, y float64 }

// canvas is a picture in pixels, x to the right, y downwards; drawing outside it does nothing.
type canvas struct {
	width, height int
	pixels        []rgb
}

func newCanvas(width, height int, background rgb) *canvas {
	c := &canvas{width, height, make([]rgb, width*height)}
	for i := range c.pixels {
		c.pixels[i] = background
	}
	return c
}

// blend lays a colour over a pixel, cover from 0 to 1.
func (c *canvas) blend(x, y int, col rgb, cover float64) {
	if x < 0 || y < 0 || x >= c.width || y >= c.height || cover <= 0 {
		return
	}
	p := &c.pixels[y*c.width+x]
	*p = p.towards(col, math.Min(cover, 1))
}

// line draws a straight line with round ends and smooth edges; a line to its own start is a dot.
func (c *canvas) line(a, b point, width float64, col rgb) {
	half := width / 2
	x0, x1 := c.pixelRange(math.Min(a.x, b.x)-half-1, math.Max(a.x, b.x)+half+1, c.width)
	y0, y1 := c.pixelRange(math.Min(a.y, b.y)-half-1, math.Max(a.y, b.y)+half+1, c.height)
	dx, dy := b.x-a.x, b.y-a.y
	length2 := dx*dx + dy*dy
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			px, py := float64(x)+0.5-a.x, float64(y)+0.5-a.y
			t := 0.0
			if length2 > 0 {
				t = math.Max(0, math.Min(1, (px*dx+py*dy)/length2))
			}
			c.blend(x, y, col, half+0.5-math.Hypot(px-t*dx, py-t*dy))
		}
	}
}

// pixelRange is the part of [from, to] that lies on the picture, as first pixel and the one after the last.
func (c *canvas) pixelRange(from, to float64, size int) (int, int) {
	limit := float64(size)
	return int(math.Max(0, math.Min(limit, from))), int(math.Ceil(math.Max(0, math.Min(limit, to))))
}

func (c *canvas) polyline(points []point, width float64, col rgb) {
	for i := 1; i < len(points); i++ {
		c.line(points[i-1], points[i], width, col)
	}
}

// column fills a vertical strip one pixel wide from y0 down to y1.
func (c *canvas) column(x int, y0, y1 float64, col rgb) {
	for y := int(math.Floor(y0)); y <= int(math.Floor(y1)); y++ {
		cover := math.Min(y1, float64(y+1)) - math.Max(y0, float64(y))
		c.blend(x, y, col, cover)
	}
}

// halved averages 2x2 pixels: pictures drawn at twice their size get smooth edges.
func (c *canvas) halved() *canvas {
	h := newCanvas(c.width/2, c.height/2, rgb{})
	for y := 0; y < h.height; y++ {
		for x := 0; x < h.width; x++ {
			i := 2*y*c.width + 2*x
			a := c.pixels[i].towards(c.pixels[i+1], 0.5)
			b := c.pixels[i+c.width].towards(c.pixels[i+c.width+1], 0.5)
			h.pixels[y*h.width+x] = a.towards(b, 0.5)
		}
	}
	return h
}

func (c *canvas) image() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, c.width, c.height))
	for i, p := range c.pixels {
		img.SetRGBA(i%c.width, i/c.width, color.RGBA{R: to8(p.r), G: to8(p.g), B: to8(p.b), A: 255})
	}
	return img
}

func to8(v float64) uint8 { return uint8(math.Round(255 * math.Max(0, math.Min(1, v)))) }
