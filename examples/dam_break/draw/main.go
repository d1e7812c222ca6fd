// Command draw makes a PNG picture of the particles that dam_break wrote: one panel for each moment,
// from the side; walls are grey, water is blue where it rests and white-yellow where it is fast.
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

// particle has its place in widths of the column and its speed in m/s.
type particle struct {
	x, y, speed float64
	wall        int
}

func main() { draw.Main("PARTICLES", water) }

func water(from io.Reader) (image.Image, error) {
	moments, err := read(from)
	if err != nil {
		return nil, err
	}
	return picture(moments), nil
}

// read gives the particles of each moment of a file: at least one moment, all numbers finite.
func read(from io.Reader) (moments [][]particle, err error) {
	r := bufio.NewReader(from)
	for {
		var count int
		if _, err := fmt.Fscan(r, &count); err == io.EOF && len(moments) > 0 {
			return moments, nil
		} else if err != nil || count < 1 || count > 10_000_000 {
			return nil, fmt.Errorf("moment %d begins with no number of particles", len(moments)+1)
		}
		if len(moments) == most {
			return nil, errors.New("there are more than 16 moments")
		}
		var list []particle
		for n := range count {
			var p particle
			if _, err := fmt.Fscan(r, &p.x, &p.y, &p.speed, &p.wall); err != nil {
				return nil, fmt.Errorf("particle %d of %d of moment %d: %w", n+1, count, len(moments)+1, err)
			}
			for _, v := range []float64{p.x, p.y, p.speed} {
				if math.IsNaN(v) || math.Abs(v) > 1e6 {
					return nil, fmt.Errorf("particle %d of moment %d has a number that is not finite, or above 1e6", n+1, len(moments)+1)
				}
			}
			list = append(list, p)
		}
		moments = append(moments, list)
	}
}

const width, margin, most = 1200, 20, 16

// picture has the moments below each other, all with one scale and one range of colours.
func picture(moments [][]particle) image.Image {
	left, right, bottom, fastest := math.Inf(1), math.Inf(-1), math.Inf(1), 1e-9
	for _, list := range moments {
		for _, p := range list {
			left, right, bottom, fastest = min(left, p.x), max(right, p.x), min(bottom, p.y), max(fastest, p.speed)
		}
	}
	scale := (width - 2*margin) / max(right-left, 1e-9)
	tops, rows := make([]int, len(moments)), margin // each panel is as high as its water
	for m, list := range moments {
		highest := bottom
		for _, p := range list {
			if p.wall == 0 {
				highest = max(highest, p.y)
			}
		}
		tops[m] = rows
		rows += min(int(scale*(highest-bottom))+2*margin, 2*width)
	}
	img := image.NewRGBA(image.Rect(0, 0, width, rows))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	for m, list := range moments {
		end := rows
		if m+1 < len(moments) {
			end = tops[m+1]
		}
		radius := scale * spacing(list) / 2
		for _, p := range list {
			dot(img.SubImage(image.Rect(0, tops[m], width, end)).(*image.RGBA), margin+scale*(p.x-left), float64(end-margin)-scale*(p.y-bottom), radius, shade(p, fastest))
		}
	}
	return img
}

// spacing is the distance of particles on the lattice, 0.02 where nothing tells: the shortest way between two that follow each other
// in the file and are walls.
func spacing(list []particle) float64 {
	least := math.Inf(1)
	for n := 1; n < len(list); n++ {
		if a, b := list[n-1], list[n]; a.wall == 1 && b.wall == 1 {
			if d := math.Hypot(a.x-b.x, a.y-b.y); d > 0 {
				least = min(least, d)
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0.02
	}
	return least
}

// shade is dark blue at rest, light blue, then pale yellow at the fastest; walls are grey.
func shade(p particle, fastest float64) color.RGBA {
	if p.wall == 1 {
		return color.RGBA{0x70, 0x70, 0x70, 0xff}
	}
	stops := [...][3]float64{{0x08, 0x30, 0x6b}, {0x42, 0x92, 0xc6}, {0xff, 0xe0, 0x8a}}
	at := 2 * math.Sqrt(min(max(p.speed, 0)/fastest, 1))
	k := min(int(at), 1)
	mix := func(c int) uint8 { return uint8(stops[k][c] + (at-float64(k))*(stops[k+1][c]-stops[k][c])) }
	return color.RGBA{mix(0), mix(1), mix(2), 0xff}
}

// dot fills the pixels whose centres are in a disc; one pixel at least.
func dot(img *image.RGBA, x, y, radius float64, fill color.RGBA) {
	img.SetRGBA(int(x), int(y), fill)
	b := img.Bounds()
	for j := max(int(y-radius), b.Min.Y); j <= min(int(y+radius), b.Max.Y-1); j++ {
		for i := max(int(x-radius), b.Min.X); i <= min(int(x+radius), b.Max.X-1); i++ {
			if math.Hypot(float64(i)+0.5-x, float64(j)+0.5-y) <= radius {
				img.SetRGBA(i, j, fill)
			}
		}
	}
}
