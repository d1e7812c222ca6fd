package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"libportable/examples/draw"
)

// fieldFile is a field file as the solver writes it, each value made by value(name, i, j).
func fieldFile(t *testing.T, nx, ny int, names string, order binary.ByteOrder, value func(string, int, int) float64) []byte {
	t.Helper()
	orders := map[binary.ByteOrder]string{binary.LittleEndian: "little", binary.BigEndian: "big"}
	var out bytes.Buffer
	out.WriteString("swefield 1\ntitle A test\nproblem radial\n")
	out.WriteString("size " + format(float64(nx), 0) + " " + format(float64(ny), 0) + "\n")
	out.WriteString("length  1.0000000000000000E+01  5.0000000000000000E+00\ntime  1.5000000000000000E+00\n")
	out.WriteString("order " + orders[order] + "\nfields " + names + "\nend\n")
	for _, name := range strings.Fields(names) {
		for j := 0; j < ny; j++ {
			for i := 0; i < nx; i++ {
				if err := binary.Write(&out, order, value(name, i, j)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return out.Bytes()
}

func wave(name string, i, j int) float64 {
	switch name {
	case "h", "h_exact":
		return 1 + 0.5*math.Sin(float64(i+j)/3)
	case "b":
		return 0.2 * math.Exp(-math.Pow(float64(i)-8, 2)/8)
	}
	return 0.1 * float64(i)
}

func TestReadField(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		f, err := readField(bytes.NewReader(fieldFile(t, 7, 3, "h hu hv b", order, wave)))
		if err != nil {
			t.Fatalf("%v: %v", order, err)
		}
		if f.title != "A test" || f.nx != 7 || f.ny != 3 || f.lx != 10 || f.ly != 5 || f.time != 1.5 {
			t.Errorf("%v: header read as %+v", order, f)
		}
		if got, want := f.at("h", 4, 2), wave("h", 4, 2); got != want {
			t.Errorf("%v: h(4,2) = %v, want %v", order, got, want)
		}
	}
}

func TestReadFieldRefuses(t *testing.T) {
	good := fieldFile(t, 7, 3, "h hu hv b", binary.LittleEndian, wave)
	replaced := func(from, to string) []byte { return bytes.Replace(good, []byte(from), []byte(to), 1) }
	cases := map[string]struct {
		file   []byte
		format bool // the header is refused, not the data
	}{
		"empty":       {nil, true},
		"other file":  {[]byte("P6\n3 3\n255\n"), true},
		"version":     {replaced("swefield 1", "swefield 2"), true},
		"no end":      {replaced("end\n", "ned\n"), true},
		"size":        {replaced("size 7 3", "size 7"), true},
		"huge size":   {replaced("size 7 3", "size 999999999 999999999"), true},
		"order":       {replaced("order little", "order middle"), true},
		"cut short":   {good[:len(good)-1], false},
		"field names": {replaced("fields h hu hv b", "fields h hu hv c"), false},
		"not finite": {fieldFile(t, 7, 3, "h hu hv b", binary.LittleEndian,
			func(string, int, int) float64 { return math.NaN() }), false},
	}
	for name, c := range cases {
		_, err := readField(bytes.NewReader(c.file))
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if errors.Is(err, errFormat) != c.format {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPictures draws both kinds, level water included, and wants a picture that is not all one colour.
func TestPictures(t *testing.T) {
	level := func(name string, i, j int) float64 {
		if name == "h" || name == "h_exact" {
			return 1
		}
		return 0
	}
	dir := t.TempDir()
	for name, file := range map[string][]byte{
		"surface": fieldFile(t, 20, 12, "h hu hv b", binary.LittleEndian, wave),
		"level":   fieldFile(t, 20, 12, "h hu hv b", binary.LittleEndian, level),
		"profile": fieldFile(t, 20, 12, "h hu hv b h_exact u_exact", binary.LittleEndian, wave),
		"still":   fieldFile(t, 20, 12, "h hu hv b h_exact u_exact", binary.LittleEndian, level),
	} {
		source, target := filepath.Join(dir, name+".swe"), filepath.Join(dir, name+".png")
		if err := os.WriteFile(source, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := draw.File(source, target, state); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		picture, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		colours := map[any]bool{}
		for y := 0; y < img.Bounds().Dy(); y += 3 {
			for x := 0; x < img.Bounds().Dx(); x += 3 {
				colours[img.At(x, y)] = true
			}
		}
		if len(colours) < 20 {
			t.Errorf("%s: only %d colours", name, len(colours))
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		count     int
		want      string
	}{
		{0, 50, 5, "0 10 20 30 40 50"},
		{0, 10, 10, "0 1 2 3 4 5 6 7 8 9 10"},
		{-0.0001, 0.0057, 5, "0.000 0.002 0.004"},
		{0.93, 4.4, 6, "1 2 3 4"},
	} {
		values, digits := ticks(c.low, c.high, c.count)
		var words []string
		for _, v := range values {
			words = append(words, format(v, digits))
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("ticks(%v, %v, %d) = %s, want %s", c.low, c.high, c.count, got, c.want)
		}
	}
}

func TestFontHoldsWellFormedStrokes(t *testing.T) {
	for ch, g := range strokes {
		for _, p := range strings.FieldsFunc(g, func(r rune) bool { return r == ' ' || r == '|' }) {
			if len(p) != 2 || p[0] < '0' || p[0] > '4' || p[1] < '0' || p[1] > '8' {
				t.Errorf("%q: point %q", ch, p)
			}
		}
	}
}
