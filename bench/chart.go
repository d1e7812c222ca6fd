package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The chart shows all ratios between peers that the pages have, as SVG. In this file: what it reads from the pages, and its lines. Not in
// this file: the pages (page.go). A dot is a row: how many times as fast as the peer; hollow and red where its limit is missed.

// dot is one row of a page with a limit against a peer.
type dot struct {
	what   string
	speed  float64 // how many times as fast as the peer
	missed bool
}

// strip is the rows of a page against one peer.
type strip struct {
	peer string
	dots []dot
}

// plate is a page: its title and its strips.
type plate struct {
	title  string
	where  string // the machine and the day
	strips []strip
}

var (
	ratioRow = regexp.MustCompile(`(?m)^\| ([^|]*): (time, )?(?:of|(?:(?:Arrays|Records|handles) )?against) ([^|]+?) \| ([0-9.]+)x \| ([0-9.]+)x \| (holds|\*\*MISSES\*\*) \|$`)
	factRow  = regexp.MustCompile(`(?m)^- (.*)$`)
)

// chartTitles are the titles of the plates, by page.
var chartTitles = []struct{ page, title string }{
	{"benchmarks.md", "Pool"}, {"launch-benchmarks.md", "Launches, arrays, algorithms"}, {"loop-benchmarks.md", "Loops converted by portablef"}}

// plateOf reads a page.
func plateOf(title, page string) (plate, error) {
	facts := partOf(page, "machine")
	var told []string
	for _, fact := range factRow.FindAllStringSubmatch(facts, -1) {
		if len(told) == 0 || strings.HasPrefix(fact[1], "measured on ") {
			memory := strings.LastIndex(fact[1]+", ", ", ")
			if len(told) == 0 {
				memory = max(strings.LastIndex(fact[1], ","), 0) // the processor and its cores are enough
			}
			told = append(told, fact[1][:memory])
		}
	}
	if len(told) != 2 {
		return plate{}, fmt.Errorf("the page of %q does not tell its machine and its day", title)
	}
	p := plate{title: title, where: strings.ReplaceAll(strings.Join(told, ", "), "(R)", "")}
	for _, row := range ratioRow.FindAllStringSubmatch(page, -1) {
		ratio, err := strconv.ParseFloat(row[5], 64)
		if err != nil || ratio <= 0 {
			return plate{}, fmt.Errorf("the page of %q has no ratio in %q", title, row[0])
		}
		if row[2] != "" {
			ratio = 1 / ratio
		}
		peer := strings.TrimSuffix(strings.TrimSuffix(row[3], "'"), "'s")
		if strings.HasSuffix(row[1], ", checked") {
			peer += ", races checked"
		}
		i := slices.IndexFunc(p.strips, func(s strip) bool { return s.peer == peer })
		if i < 0 {
			i = len(p.strips)
			p.strips = append(p.strips, strip{peer: peer})
		}
		p.strips[i].dots = append(p.strips[i].dots, dot{row[1], ratio, row[6] != holdsVerdict})
	}
	if len(p.strips) == 0 {
		return plate{}, fmt.Errorf("the page of %q has no row with a ratio", title)
	}
	return p, nil
}

// Points of the picture: the axis has the speed of the peer, 1x, one fifth from its left.
const (
	chartWidth, axisFrom, axisTo = 900, 330, 880
	slowest, fastest             = 0.25, 64.0
	lineHeight                   = 22
)

// along is where a speed lies on the axis; what is beyond it lies on its end.
func along(speed float64) float64 {
	at := math.Log2(min(max(speed, slowest), fastest)/slowest) / math.Log2(fastest/slowest)
	return axisFrom + at*(axisTo-axisFrom)
}

// chart draws the plates.
func chart(plates []plate) string {
	w := &strings.Builder{}
	height := 92
	for _, p := range plates {
		height += 34 + lineHeight*len(p.strips)
	}
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", chartWidth, height)
	fmt.Fprintf(w, "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", "How many times as fast as the peers", chartWidth, height)
	text := func(x, y float64, anchor, attributes, say string) {
		fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, attributes)
		_ = xml.EscapeText(w, []byte(say))
		w.WriteString("</text>\n")
	}
	text(16, 24, "start", " font-size=\"16\" font-weight=\"bold\"", "How many times as fast as the peers")
	text(16, 42, "start", " fill=\"#555\"", "Each dot is a row of the pages of benchmarks. Right of 1x Portable is faster. A hollow red dot misses its limit.")
	for speed := slowest; speed <= fastest; speed *= 2 {
		color := "#ddd"
		if speed == 1 {
			color = "#333"
		}
		fmt.Fprintf(w, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"68\" y2=\"%d\" stroke=\"%s\"/>\n", along(speed), along(speed), height-16, color)
		text(along(speed), 62, "middle", " fill=\"#555\"", number(speed)+"x")
	}
	y := 68.0
	for _, p := range plates {
		y += 26
		text(16, y, "start", " font-weight=\"bold\"", p.title)
		text(axisFrom, y, "start", " font-size=\"11\" fill=\"#555\"", p.where)
		y += 8
		for _, s := range p.strips {
			y += lineHeight
			text(axisFrom-10, y-7, "end", "", s.peer)
			slices.SortStableFunc(s.dots, func(a, b dot) int { return cmp.Compare(a.speed, b.speed) })
			for _, d := range s.dots {
				look := "fill=\"#1769aa\" fill-opacity=\"0.6\""
				if d.missed {
					look = "fill=\"#fff\" stroke=\"#c62828\" stroke-width=\"2\""
				}
				fmt.Fprintf(w, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" %s><title>", along(d.speed), y-11, look)
				_ = xml.EscapeText(w, []byte(fmt.Sprintf("%s: %sx", d.what, number(d.speed))))
				w.WriteString("</title></circle>\n")
			}
		}
	}
	w.WriteString("</svg>\n")
	return w.String()
}

// writeChart draws the pages of a folder into a file.
func writeChart(folder, file string) error {
	var plates []plate
	for _, c := range chartTitles {
		page, err := os.ReadFile(filepath.Join(folder, c.page))
		if err != nil {
			return err
		}
		p, err := plateOf(c.title, string(page))
		if err != nil {
			return err
		}
		plates = append(plates, p)
	}
	return os.WriteFile(file, []byte(chart(plates)), 0o666)
}
