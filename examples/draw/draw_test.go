package draw

import (
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	folder := t.TempDir()
	source, target := filepath.Join(folder, "source"), filepath.Join(folder, "picture.png")
	if err := os.WriteFile(source, []byte("three"), 0o666); err != nil {
		t.Fatal(err)
	}
	wide := func(r io.Reader) (image.Image, error) {
		text, err := io.ReadAll(r)
		return image.NewRGBA(image.Rect(0, 0, len(text), 1)), err
	}
	if err := File(source, target, wide); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(target)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if img, err := png.Decode(file); err != nil || img.Bounds().Dx() != 5 {
		t.Error(img, err)
	}
	if err := File(source, filepath.Join(folder, "none", "picture.png"), wide); err == nil {
		t.Error("a folder that does not exist")
	}
	if err := File(filepath.Join(folder, "none"), target, wide); err == nil {
		t.Error("a file that does not exist")
	}
	bad := func(io.Reader) (image.Image, error) { return nil, errors.New("line 3") }
	other := filepath.Join(folder, "other.png")
	if err := File(source, other, bad); err == nil || !strings.Contains(err.Error(), source+": line 3") {
		t.Error(err)
	}
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Error("a picture of a file that cannot be read")
	}
}
