// Package draw is the frame of the examples' commands that make a PNG picture of a file: arguments,
// files and errors.
//
// In this room: Main and File. Not in this room: readers and pictures (room draw of each example).
// The standard library only.
package draw

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
)

// Picture reads a file and draws it.
type Picture func(io.Reader) (image.Image, error)

// Main is the command: two arguments, of which the first is called source in the line of usage. An error is written to standard error and ends
// the process with status 1, other arguments with status 2.
func Main(source string, picture Picture) {
	if len(os.Args) != 3 {
		fmt.Fprintf(os.Stderr, "usage: draw %s PICTURE.png\n", source)
		os.Exit(2)
	}
	if err := File(os.Args[1], os.Args[2], picture); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// File draws the file source into the file target, which it makes once source has been read.
func File(source, target string, picture Picture) (err error) {
	from, err := os.Open(source)
	if err != nil {
		return err
	}
	defer from.Close()
	img, err := picture(from)
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	to, err := os.Create(target)
	if err != nil {
		return err
	}
	defer func() {
		if closed := to.Close(); err == nil {
			err = closed
		}
	}()
	return png.Encode(to, img)
}
