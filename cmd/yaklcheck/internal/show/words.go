package show

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file puts sizes and times into words.

// Size is a number of bytes in a suitable unit, in powers of 1024 as everywhere in the library.
func Size(bytes uint64) string {
	switch {
	case bytes < 10_000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return figures(float64(bytes)/(1<<10)) + " KB"
	case bytes < 1<<30:
		return figures(float64(bytes)/(1<<20)) + " MB"
	}
	return figures(float64(bytes)/(1<<30)) + " GB"
}

// Span is a number of nanoseconds in a suitable unit.
func Span(ns uint64) string {
	switch {
	case ns < 1000:
		return fmt.Sprintf("%d ns", ns)
	case ns < 1_000_000:
		return figures(float64(ns)/1e3) + " us"
	case ns < 1_000_000_000:
		return figures(float64(ns)/1e6) + " ms"
	}
	return figures(float64(ns)/1e9) + " s"
}

// figures prints three significant figures, or all figures before the point.
func figures(v float64) string {
	if v >= 100 || v == 0 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	digits := max(2-int(math.Floor(math.Log10(v))), 0)
	text := strconv.FormatFloat(v, 'f', digits, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// ticks returns round numbers from 0 to `to`, about count of them.
func ticks(to float64, count int) (values []float64) {
	if !(to > 0) {
		return []float64{0}
	}
	raw := to / float64(count)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= raw*0.999 {
			step *= m
			break
		}
	}
	for k := 0.0; k*step <= to*1.0001; k++ {
		values = append(values, k*step)
	}
	return values
}
