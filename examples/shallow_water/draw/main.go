// Command draw makes a PNG picture of a field file of the shallow-water example: a view of the
// water surface in perspective, or, where the file holds an exact solution, profiles of both along
// x.
//
// In this room: the reader of the file (field.go), a canvas with lines and text (canvas.go,
// font.go), the colours (colours.go) and the two pictures (surface.go, profile.go). Not in this
// room: the solver; arguments and files (examples/draw).
package main

import (
	"image"
	"io"

	"libportable/examples/draw"
)

func main() { draw.Main("FIELD.swe", state) }

func state(from io.Reader) (image.Image, error) {
	f, err := readField(from)
	if err != nil {
		return nil, err
	}
	return picture(f), nil
}

// picture chooses by what the file holds.
func picture(f *field) image.Image {
	if f.values["h_exact"] != nil && f.values["u_exact"] != nil {
		return profilePicture(f)
	}
	return surfacePicture(f)
}
