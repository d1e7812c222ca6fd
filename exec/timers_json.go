package exec

// This file writes timers as JSON, by hand: encoding/json would be the largest part of the archive.

import (
	"fmt"
	"strconv"
	"strings"

	"libportable/internal/outside"
)

// TimerJSON gives the tree of each thread. rank below 0: unknown.
func TimerJSON(timers []Timer, rank int) string {
	below := map[int][]int{} // the timers in a timer; those in none are in -1
	for i, t := range timers {
		if t.known() {
			p := parent(timers, i)
			below[p] = append(below[p], i)
		}
	}
	w := &jsonWriter{timers: timers, below: below}
	number := "null"
	if rank >= 0 {
		number = strconv.Itoa(rank)
	}
	fmt.Fprintf(w, "{\n  \"rank\": %s,\n  \"threads\": [", number)
	for i, thread := range threads(timers) {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "\n    {\n      \"thread\": %d,\n      \"timers\": ", thread)
		var top []int
		for _, t := range below[-1] {
			if timers[t].Thread == thread {
				top = append(top, t)
			}
		}
		w.list(top, "      ")
		w.WriteString("\n    }")
	}
	w.WriteString("\n  ]\n}\n")
	return w.String()
}

type jsonWriter struct {
	strings.Builder
	timers []Timer
	below  map[int][]int
}

func (w *jsonWriter) list(list []int, indent string) {
	if len(list) == 0 {
		w.WriteString("[]")
		return
	}
	w.WriteByte('[')
	for i, n := range list {
		if i > 0 {
			w.WriteByte(',')
		}
		t := w.timers[n]
		count, total, least, most := t.seen()
		fmt.Fprintf(w, "\n%s  {\"label\": %s, \"calls\": %d, \"total\": %s, \"last\": %s, \"min\": %s, \"max\": %s, \"running\": %d, \"timers\": ",
			indent, quote(t.Label), count, decimal(total), decimal(t.Last), decimal(least), decimal(most), t.Active)
		w.list(w.below[n], indent+"  ")
		w.WriteByte('}')
	}
	w.WriteString("\n" + indent + "]")
}

// decimal is a time in seconds, exactly.
func decimal(ns int64) string { return fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9) }

// quote gives a text in the form of JSON.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text { // what is no UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case outside.Acts(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
