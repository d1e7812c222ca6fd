package main

import (
	"fmt"
	"image"
	"math"
)

// vertex is a point in space: x and y in metres, z the height as drawn.
type vertex struct{ x, y, z float64 }

// scene is the water surface seen in perspective from above the corner (0,0), drawn at twice the size of
// the final picture with a depth buffer.
type scene struct {
	f                *field
	c                *canvas
	depth            []float64 // distance of what each pixel shows
	stretch          float64   // height as drawn / height
	base             float64   // height of the block's foot [m]
	low, high        float64   // surface levels at the ends of the colours [m]
	eta              []float64
	eye              vertex
	right, up, ahead vertex // axes of the camera
	focal            float64
	centre           point
}

const (
	surfaceWidth  = 1200
	surfaceHeight = 900
)

func surfacePicture(f *field) image.Image {
	s := newScene(f)
	s.drawWater()
	s.drawWalls()
	s.drawBedContours()
	c := s.c.halved()
	c.text(f.title, 50, 56, 22, 0, ink)
	c.text(fmt.Sprintf("t = %s s, %d x %d cells, heights drawn %s times, bed contours in black",
		short(f.time), f.nx, f.ny, format(s.stretch, 1)), 50, 90, 13, 0, ink)
	s.drawAxisText(c)
	s.drawColourBar(c)
	return c.image()
}

func newScene(f *field) *scene {
	s := &scene{f: f, c: newCanvas(2*surfaceWidth, 2*surfaceHeight, white)}
	s.depth = make([]float64, 4*surfaceWidth*surfaceHeight)
	for k := range s.depth {
		s.depth[k] = math.Inf(1)
	}
	s.eta = make([]float64, f.nx*f.ny)
	s.low, s.high = math.Inf(1), math.Inf(-1)
	bed := math.Inf(1)
	for k := range s.eta {
		s.eta[k] = f.values["h"][k] + f.values["b"][k]
		s.low, s.high = math.Min(s.low, s.eta[k]), math.Max(s.high, s.eta[k])
		bed = math.Min(bed, f.values["b"][k])
	}
	if s.high-s.low < 1e-9 {
		s.low, s.high = s.low-0.5, s.high+0.5 // level water: one colour in the middle
	}
	size := math.Max(f.lx, f.ly)
	s.stretch = 0.22 * size / math.Max(s.high-bed, 1e-9)
	s.base = bed - 0.035*size/s.stretch
	s.lookAt(vertex{f.lx / 2, f.ly / 2, 0.04 * size}, size)
	return s
}

// lookAt puts the camera above the corner (0,0), a little nearer to the x side.
func (s *scene) lookAt(target vertex, size float64) {
	azimuth, elevation, distance := -118*math.Pi/180, 33*math.Pi/180, 2.6*size
	s.ahead = vertex{-math.Cos(azimuth) * math.Cos(elevation), -math.Sin(azimuth) * math.Cos(elevation), -math.Sin(elevation)}
	s.eye = vertex{target.x - distance*s.ahead.x, target.y - distance*s.ahead.y, target.z - distance*s.ahead.z}
	flat := math.Hypot(s.ahead.x, s.ahead.y)
	s.right = vertex{s.ahead.y / flat, -s.ahead.x / flat, 0}
	s.up = cross(s.right, s.ahead)
	s.fit(point{170, 190}, point{2070, 1660})
}

// fit chooses focal length and centre so that the block just fills the rectangle, in pixels of the scene.
func (s *scene) fit(corner, opposite point) {
	s.focal, s.centre = 1, point{}
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, x := range []float64{0, s.f.lx} {
		for _, y := range []float64{0, s.f.ly} {
			for _, z := range []float64{s.base, s.high} {
				p, _ := s.project(vertex{x, y, z * s.stretch})
				low = point{math.Min(low.x, p.x), math.Min(low.y, p.y)}
				high = point{math.Max(high.x, p.x), math.Max(high.y, p.y)}
			}
		}
	}
	s.focal = math.Min((opposite.x-corner.x)/(high.x-low.x), (opposite.y-corner.y)/(high.y-low.y))
	s.centre = point{
		(corner.x+opposite.x)/2 - s.focal*(low.x+high.x)/2,
		(corner.y+opposite.y)/2 - s.focal*(low.y+high.y)/2,
	}
}

func cross(a, b vertex) vertex {
	return vertex{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

func dot(a, b vertex) float64 { return a.x*b.x + a.y*b.y + a.z*b.z }

func unit(a vertex) vertex {
	n := math.Sqrt(dot(a, a))
	return vertex{a.x / n, a.y / n, a.z / n}
}

// project gives the pixel of a point and its distance along the view.
func (s *scene) project(v vertex) (point, float64) {
	d := vertex{v.x - s.eye.x, v.y - s.eye.y, v.z - s.eye.z}
	far := dot(d, s.ahead)
	return point{s.centre.x + s.focal*dot(d, s.right)/far, s.centre.y - s.focal*dot(d, s.up)/far}, far
}

// onGrid is the point above the centre of cell (i,j) at a height in metres; the outermost cells are drawn
// out to the walls.
func (s *scene) onGrid(i, j int, height float64) vertex {
	edge := func(k, n int, length float64) float64 {
		switch k {
		case 0:
			return 0
		case n - 1:
			return length
		}
		return (float64(k) + 0.5) / float64(n) * length
	}
	return vertex{edge(i, s.f.nx, s.f.lx), edge(j, s.f.ny, s.f.ly), height * s.stretch}
}

// shade is the light that the surface sends to the eye from cell (i,j).
func (s *scene) shade(i, j int) rgb {
	f := s.f
	slope := func(a, b int, span float64) float64 { return (s.eta[b] - s.eta[a]) * s.stretch / span }
	// over four cells, so that a steep front does not show the steps of the grid
	i0, i1, j0, j1 := max(i-2, 0), min(i+2, f.nx-1), max(j-2, 0), min(j+2, f.ny-1)
	normal := unit(vertex{
		-slope(j*f.nx+i0, j*f.nx+i1, float64(i1-i0)*f.lx/float64(f.nx)),
		-slope(j0*f.nx+i, j1*f.nx+i, float64(j1-j0)*f.ly/float64(f.ny)),
		1,
	})
	light := unit(vertex{-0.75, 0.15, 0.75})
	k := j*f.nx + i
	col := levelColour((s.eta[k] - s.low) / (s.high - s.low))
	col = col.scaled(0.42 + 0.72*math.Max(0, dot(normal, light)))
	half := unit(vertex{light.x - s.ahead.x, light.y - s.ahead.y, light.z - s.ahead.z})
	return col.towards(white, 0.35*math.Pow(math.Max(0, dot(normal, half)), 40))
}

func (s *scene) drawWater() {
	f := s.f
	colours := make([]rgb, f.nx*f.ny)
	corners := make([]vertex, f.nx*f.ny)
	for j := 0; j < f.ny; j++ {
		for i := 0; i < f.nx; i++ {
			colours[j*f.nx+i] = s.shade(i, j)
			corners[j*f.nx+i] = s.onGrid(i, j, s.eta[j*f.nx+i])
		}
	}
	for j := 0; j+1 < f.ny; j++ {
		for i := 0; i+1 < f.nx; i++ {
			a, b, c, d := j*f.nx+i, j*f.nx+i+1, (j+1)*f.nx+i, (j+1)*f.nx+i+1
			s.triangle([3]vertex{corners[a], corners[b], corners[d]}, [3]rgb{colours[a], colours[b], colours[d]})
			s.triangle([3]vertex{corners[a], corners[d], corners[c]}, [3]rgb{colours[a], colours[d], colours[c]})
		}
	}
}

// drawWalls closes the block on the two sides that the camera sees: water down to the bed, then ground.
func (s *scene) drawWalls() {
	f := s.f
	strip := func(i0, j0, i1, j1 int, light float64) {
		level := func(i, j int, of func(k int) float64) vertex { return s.onGrid(i, j, of(j*f.nx+i)) }
		eta := func(k int) float64 { return s.eta[k] }
		bed := func(k int) float64 { return f.values["b"][k] }
		base := func(int) float64 { return s.base }
		quad := func(top, bottom func(int) float64, upper, lower rgb) {
			a, b, c, d := level(i0, j0, top), level(i1, j1, top), level(i0, j0, bottom), level(i1, j1, bottom)
			s.triangle([3]vertex{a, b, d}, [3]rgb{upper, upper, lower})
			s.triangle([3]vertex{a, d, c}, [3]rgb{upper, lower, lower})
		}
		water := waterBlue.scaled(light)
		quad(eta, bed, water.towards(white, 0.25), water.scaled(0.8))
		ground := bedBrown.scaled(light)
		quad(bed, base, ground, ground)
	}
	for i := 0; i+1 < f.nx; i++ {
		strip(i, 0, i+1, 0, 0.85)
	}
	for j := 0; j+1 < f.ny; j++ {
		strip(0, j, 0, j+1, 1.05)
	}
}
