// Command draw makes a PNG picture of the flood that river wrote: its triangles from above, the bed
// by its height, water by its depth, and below a part of it with the edges of the mesh.
//
// In this room: the reader and the picture. Not in this room: the solver; arguments and files (examples/draw).
package main

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"libportable/examples/draw"
)

// triangle is a cell: its corners in metres, its bed and its depth of water.
type triangle struct {
	x, y     [3]float64
	bed, wet float64
}

func main() { draw.Main("FLOOD", flood) }

func flood(from io.Reader) (image.Image, error) {
	cells, err := read(from)
	if err != nil {
		return nil, err
	}
	return picture(cells), nil
}

// read gives the triangles of a file; all numbers are finite.
func read(from io.Reader) ([]triangle, error) {
	r := bufio.NewReader(from)
	var count int
	if _, err := fmt.Fscan(r, &count); err != nil || count < 1 || count > 10_000_000 {
		return nil, errors.New("the first line is no number of triangles")
	}
	var cells []triangle
	for n := range count {
		var t triangle
		if _, err := fmt.Fscan(r, &t.x[0], &t.y[0], &t.x[1], &t.y[1], &t.x[2], &t.y[2], &t.bed, &t.wet); err != nil {
			return nil, fmt.Errorf("triangle %d of %d: %w", n+1, count, err)
		}
		for _, v := range append(append([]float64{t.bed, t.wet}, t.x[:]...), t.y[:]...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("triangle %d has a number that is not finite", n+1)
			}
		}
		cells = append(cells, t)
	}
	return cells, nil
}

// box is a part of the plane, in metres.
type box struct{ left, bottom, right, top float64 }

func around(cells []triangle) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, t := range cells {
		for k := range 3 {
			b = box{min(b.left, t.x[k]), min(b.bottom, t.y[k]), max(b.right, t.x[k]), max(b.top, t.y[k])}
		}
	}
	return b
}

const width, margin = 1200, 20

// picture has the whole flood above, and below the part of a fifth of its width around the deepest cell, with edges.
func picture(cells []triangle) image.Image {
	whole := around(cells)
	low, high, deep := math.Inf(1), math.Inf(-1), 0
	for n, t := range cells {
		low, high = min(low, t.bed), max(high, t.bed)
		if t.wet > cells[deep].wet {
			deep = n
		}
	}
	colour := func(t triangle) color.RGBA { return shade(t, low, high, cells[deep].wet) }
	scale := (width - 2*margin) / max(whole.right-whole.left, 1e-9)
	rows := min(max(int(scale*(whole.top-whole.bottom)), 1), 4*width)
	part := whole
	if w := (whole.right - whole.left) / 5; w > 0 {
		middle := (cells[deep].x[0] + cells[deep].x[1] + cells[deep].x[2]) / 3
		part.left = min(max(middle-w/2, whole.left), whole.right-w)
		part.right = part.left + w
		h := min(w*float64(rows)/(width-2*margin), whole.top-whole.bottom)
		at := (cells[deep].y[0] + cells[deep].y[1] + cells[deep].y[2]) / 3
		part.bottom = min(max(at-h/2, whole.bottom), whole.top-h)
		part.top = part.bottom + h
	}
	img := image.NewRGBA(image.Rect(0, 0, width, 2*rows+3*margin))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	fill(img, image.Rect(margin, margin, width-margin, margin+rows), whole, cells, colour, false)
	fill(img, image.Rect(margin, 2*margin+rows, width-margin, 2*margin+2*rows), part, cells, colour, true)
	return img
}

// shade is sand to green by height, and light to dark blue by depth.
func shade(t triangle, low, high, deepest float64) color.RGBA {
	mix := func(a, b color.RGBA, f float64) color.RGBA {
		one := func(x, y uint8) uint8 { return uint8(float64(x) + f*(float64(y)-float64(x))) }
		return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 0xff}
	}
	if t.wet > 1e-3 {
		return mix(color.RGBA{0xa8, 0xd8, 0xf0, 0xff}, color.RGBA{0x08, 0x30, 0x6b, 0xff}, math.Sqrt(t.wet/max(deepest, 1e-3)))
	}
	return mix(color.RGBA{0xf2, 0xe3, 0xb3, 0xff}, color.RGBA{0x4d, 0x7c, 0x3f, 0xff}, (t.bed-low)/max(high-low, 1e-9))
}

// fill fills each triangle that the part of the plane has, and with edges its sides.
func fill(img *image.RGBA, into image.Rectangle, part box, cells []triangle, colour func(triangle) color.RGBA, edges bool) {
	sx := float64(into.Dx()) / max(part.right-part.left, 1e-9)
	sy := float64(into.Dy()) / max(part.top-part.bottom, 1e-9)
	for _, t := range cells {
		var x, y [3]float64
		for k := range 3 {
			x[k] = float64(into.Min.X) + (t.x[k]-part.left)*sx
			y[k] = float64(into.Max.Y) - (t.y[k]-part.bottom)*sy
		}
		bounds := image.Rect(int(math.Floor(min(x[0], x[1], x[2]))), int(math.Floor(min(y[0], y[1], y[2]))),
			int(math.Ceil(max(x[0], x[1], x[2])))+1, int(math.Ceil(max(y[0], y[1], y[2])))+1).Intersect(into)
		fill := colour(t)
		for j := bounds.Min.Y; j < bounds.Max.Y; j++ {
			for i := bounds.Min.X; i < bounds.Max.X; i++ {
				in, near := place(x, y, float64(i)+0.5, float64(j)+0.5)
				if in && edges && near < 0.7 {
					img.SetRGBA(i, j, color.RGBA{fill.R / 2, fill.G / 2, fill.B / 2, 0xff})
				} else if in {
					img.SetRGBA(i, j, fill)
				}
			}
		}
	}
}

// place says whether a point lies in a triangle, and how far from its nearest side.
func place(x, y [3]float64, px, py float64) (in bool, near float64) {
	near = math.Inf(1)
	left, right := true, true
	for k := range 3 {
		n := (k + 1) % 3
		side := (x[n]-x[k])*(py-y[k]) - (y[n]-y[k])*(px-x[k])
		left, right = left && side >= 0, right && side <= 0
		near = min(near, math.Abs(side)/max(math.Hypot(x[n]-x[k], y[n]-y[k]), 1e-9))
	}
	return left || right, near
}
