package main

import (
	"math"
	"strconv"
)

var (
	white     = rgb{1, 1, 1}
	ink       = rgb{0.13, 0.16, 0.20}
	greyLine  = rgb{0.80, 0.82, 0.85}
	waterBlue = rgb{0.10, 0.42, 0.66}
	paleWater = rgb{0.80, 0.90, 0.96}
	bedBrown  = rgb{0.55, 0.45, 0.34}
	accentRed = rgb{0.80, 0.22, 0.16}
)

// levels are the stops of the surface colours, evenly spaced from the lowest to the highest.
var levels = []rgb{
	{0.04, 0.12, 0.32}, {0.06, 0.30, 0.55}, {0.10, 0.52, 0.70}, {0.32, 0.72, 0.74},
	{0.65, 0.86, 0.76}, {0.93, 0.94, 0.78}, {0.98, 0.82, 0.55},
}

// levelColour is the colour at t from 0 to 1.
func levelColour(t float64) rgb {
	t = math.Max(0, math.Min(1, t)) * float64(len(levels)-1)
	k := int(math.Min(t, float64(len(levels)-2)))
	return levels[k].towards(levels[k+1], t-float64(k))
}

// ticks are round numbers from low to high, about count of them, with the digits to print behind the point.
func ticks(low, high float64, count int) (values []float64, digits int) {
	if !(high > low) {
		return []float64{low}, 2
	}
	raw := (high - low) / float64(count)
	power := math.Floor(math.Log10(raw))
	step := math.Pow(10, power)
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= raw*0.999 {
			step *= m
			break
		}
	}
	digits = int(math.Max(0, -math.Floor(math.Log10(step)+1e-9)))
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		values = append(values, k*step)
	}
	return values, digits
}

// format never gives a minus sign to what rounds to zero.
func format(v float64, digits int) string {
	if math.Abs(v) < 0.5*math.Pow(10, -float64(digits)) {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// short is a number without needless zeros.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
