package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"libportable/examples/draw"
)

// A dry and a wet triangle make a square, half green or sand, half blue.
const square = "2\n0 0 10 0 10 10 1.5 0\n0 0 10 10 0 10 1.5 2\n"

func TestPicture(t *testing.T) {
	folder := t.TempDir()
	source, target := filepath.Join(folder, "flood"), filepath.Join(folder, "flood.png")
	if err := os.WriteFile(source, []byte(square), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := draw.File(source, target, flood); err != nil {
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
	const side = width - 2*margin
	if got := img.Bounds().Dy(); got != 2*side+3*margin {
		t.Errorf("%d rows", got)
	}
	blue := func(x, y int) bool { r, _, b, _ := img.At(x, y).RGBA(); return b > r }
	if blue(margin+side-10, margin+side-5) || !blue(margin+10, margin+5) {
		t.Error("the lower right half is dry, the upper left half is wet")
	}
	if r, g, b, _ := img.At(2, 2).RGBA(); r != 0xffff || g != 0xffff || b != 0xffff {
		t.Error("the margin is not white")
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{"": "no number of triangles", "-3": "no number of triangles", "2\n0 0 1 0 1 1 1 1\n0 0": "triangle 2 of 2",
		"1\n0 0 1 0 1 1 NaN 1": "not finite", "1\n0 0 1 0 1 Inf 1 1": "not finite", "1\n0 0 1 0 1 ***** 1 1": "triangle 1 of 1"} {
		if _, err := read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
	// Corners in one point are a picture, too.
	if cells, err := read(strings.NewReader("1\n5 5 5 5 5 5 0 0")); err != nil || picture(cells) == nil {
		t.Error(err)
	}
}
