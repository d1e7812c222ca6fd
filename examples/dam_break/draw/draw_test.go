package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"libportable/examples/draw"
)

// Two moments over a floor of four particles: water at rest on the left, then fast water on the right.
const twoMoments = "5\n0 0 0 1\n1 0 0 1\n2 0 0 1\n3 0 0 1\n0 1 0 0\n5\n0 0 0 1\n1 0 0 1\n2 0 0 1\n3 0 0 1\n3 1 2 0\n"

func TestPicture(t *testing.T) {
	folder := t.TempDir()
	source, target := filepath.Join(folder, "particles"), filepath.Join(folder, "dam_break.png")
	if err := os.WriteFile(source, []byte(twoMoments), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := draw.File(source, target, water); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(target)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	const side = (width - 2*margin) / 3 // between two particles
	const panel = side + 2*margin
	if got := img.Bounds().Dy(); got < 2*panel || got > 2*panel+margin+2 {
		t.Errorf("%d rows", got)
	}
	at := func(x, y int) [3]uint32 { r, g, b, _ := img.At(x, y).RGBA(); return [3]uint32{r >> 8, g >> 8, b >> 8} }
	first, second := margin+panel-margin-side+2, img.Bounds().Dy()-margin-side+2
	if got := at(margin+5, first); got != [3]uint32{0x08, 0x30, 0x6b} {
		t.Errorf("water at rest is %x", got)
	}
	if got := at(width-margin-5, second); got != [3]uint32{0xff, 0xe0, 0x8a} {
		t.Errorf("fast water is %x", got)
	}
	if got := at(margin+5, second); got != [3]uint32{0xff, 0xff, 0xff} {
		t.Errorf("the place without water is %x", got)
	}
	if got := at(margin+side, img.Bounds().Dy()-margin-2); got != [3]uint32{0x70, 0x70, 0x70} {
		t.Errorf("the floor is %x", got)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{"": "moment 1 begins", "-3": "moment 1 begins", "2\n0 0 0 1\n0 0": "particle 2 of 2 of moment 1",
		"1\n0 0 NaN 0": "not finite", "1\n0 1e300 0 0": "not finite", "1\n0 0 0 0\nx": "moment 2 begins", strings.Repeat("1\n0 0 0 0\n", 17): "more than 16"} {
		if _, err := read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
	// All particles in one point are a picture, too.
	if moments, err := read(strings.NewReader("2\n5 5 0 0\n5 5 0 0")); err != nil || picture(moments) == nil {
		t.Error(err)
	}
}
