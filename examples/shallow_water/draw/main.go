// Command draw makes a PNG picture of a field file of the shallow-water example: a view of the
// water surface in perspective, or, where the file holds an exact solution, profiles of both along
// x.
//
// In this room: the reader of the file (field.go), a canvas with lines and text (canvas.go,
// font.go), the colours (colours.go) and the two pictures (surface.go, profile.go). Not in this
// room: the solver. The standard library only.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: draw FIELD.swe PICTURE.png")
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func run(source, target string) error {
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := readField(file)
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	return writePNG(target, picture(f))
}

// picture chooses by what the file holds.
func picture(f *field) image.Image {
	if f.values["h_exact"] != nil && f.values["u_exact"] != nil {
		return profilePicture(f)
	}
	return surfacePicture(f)
}

func writePNG(path string, img image.Image) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	return png.Encode(file, img)
}
