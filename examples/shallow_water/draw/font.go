package main

import "strings"

// strokes is a small font of straight strokes. A point is two digits, x then y, on a grid where y = 0 is
// the top of a capital letter, 2 the top of a small one, 6 the line they stand on; strokes are parted by a
// bar. A lone point is a dot.
var strokes = map[rune]string{
	'A': "06 20 46|14 34", 'B': "06 00 30 41 42 33 03|33 44 45 36 06", 'C': "41 30 10 01 05 16 36 45",
	'D': "00 06 26 44 42 20 00", 'E': "40 00 06 46|03 33", 'F': "40 00 06|03 33",
	'G': "41 30 10 01 05 16 36 45 43 23", 'H': "00 06|40 46|03 43", 'I': "00 06", 'J': "30 35 26 16 05",
	'K': "00 06|40 03 46", 'L': "00 06 46", 'M': "06 00 23 40 46", 'N': "06 00 46 40",
	'O': "10 30 41 45 36 16 05 01 10", 'P': "06 00 30 41 42 33 03",
	'Q': "10 30 41 45 36 16 05 01 10|34 47", 'R': "06 00 30 41 42 33 03|23 46",
	'S': "41 30 10 01 02 13 33 44 45 36 16 05", 'T': "00 40|20 26", 'U': "00 05 16 36 45 40",
	'V': "00 26 40", 'W': "00 16 23 36 40", 'X': "00 46|40 06", 'Y': "00 23 40|23 26", 'Z': "00 40 06 46",
	'a': "33 22 12 03 05 16 26 35|32 36", 'b': "00 06|03 12 22 33 35 26 16 05",
	'c': "33 22 12 03 05 16 26 35", 'd': "30 36|33 22 12 03 05 16 26 35",
	'e': "04 34 33 22 12 03 05 16 26 35", 'f': "30 20 11 16|02 22",
	'g': "33 22 12 03 05 16 26 35|32 37 28 18 07", 'h': "00 06|03 12 22 33 36", 'i': "02 06|00",
	'j': "12 17 08|10", 'k': "00 06|32 04 36", 'l': "00 06", 'm': "02 06|03 12 23 26|23 32 43 46",
	'n': "02 06|03 12 22 33 36", 'o': "12 22 33 35 26 16 05 03 12", 'p': "02 08|03 12 22 33 35 26 16 05",
	'q': "32 38|33 22 12 03 05 16 26 35", 'r': "02 06|03 12 22", 's': "33 22 12 03 14 24 35 26 16 05",
	't': "10 15 26|02 22", 'u': "02 05 16 26 35|32 36", 'v': "02 16 22", 'w': "02 16 23 36 42",
	'x': "02 36|32 06", 'y': "02 05 16 26 35|32 37 28 18 07", 'z': "02 32 06 36",
	'0': "10 20 31 35 26 16 05 01 10", '1': "11 20 26|16 36", '2': "01 10 20 31 32 06 36",
	'3': "01 10 20 31 32 23 34 35 26 16 05|13 23", '4': "26 20 04 34", '5': "30 00 02 22 33 35 26 16 05",
	'6': "31 20 10 01 05 16 26 35 34 23 13 04", '7': "00 30 16",
	'8': "10 20 31 32 23 13 02 01 10|13 04 05 16 26 35 34 23", '9': "05 16 26 35 31 20 10 01 02 13 23 32",
	'.': "06", ',': "16 07", ':': "03|06", '-': "04 24", '+': "04 24|13 15", '=': "03 33|05 35",
	'[': "10 00 07 17", ']': "00 10 17 07", '(': "10 01 06 17", ')': "00 11 16 07", '/': "30 06",
	'\'': "00 01", '_': "07 37", '|': "00 07",
}

// unknown is drawn for a character that the font has not: a box.
const unknown = "00 30 36 06 00"

// advance is a character's width with the gap behind it, in grid units.
func advance(ch rune) float64 {
	if ch == ' ' {
		return 3
	}
	widest := byte('0')
	for k, digit := range []byte(glyph(ch)) {
		if k%3 == 0 && digit > widest {
			widest = digit
		}
	}
	return float64(widest-'0') + 1.8
}

func glyph(ch rune) string {
	if s, ok := strokes[ch]; ok {
		return s
	}
	return unknown
}

// textWidth is in pixels; size is the height of a capital letter in pixels.
func textWidth(s string, size float64) float64 {
	width := 0.0
	for _, ch := range s {
		width += advance(ch) * size / 6
	}
	return width
}

// text writes s standing on y; align is the part of its width that lies left of x: 0 left, 0.5 centred, 1
// right.
func (c *canvas) text(s string, x, y, size, align float64, col rgb) {
	unit := size / 6
	x -= align * textWidth(s, size)
	for _, ch := range s {
		if ch != ' ' {
			c.glyph(glyph(ch), point{x, y - size}, unit, col)
		}
		x += advance(ch) * unit
	}
}

func (c *canvas) glyph(g string, corner point, unit float64, col rgb) {
	for _, stroke := range strings.Split(g, "|") {
		var points []point
		for _, p := range strings.Fields(stroke) {
			points = append(points, point{
				corner.x + float64(p[0]-'0')*unit,
				corner.y + float64(p[1]-'0')*unit,
			})
		}
		if len(points) == 1 {
			points = append(points, points[0])
		}
		c.polyline(points, 0.75*unit+0.35, col)
	}
}
