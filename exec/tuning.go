package exec

// This file reads tuning files: rules for launches and arrays, by label. Main function:
// ParseTuning.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"libportable/arrays"
	"libportable/internal/outside"
)

// Tuning is the settings for launches and arrays of a label that leave them open; a zero field sets nothing.
type Tuning struct {
	Label    string  // with Prefix: how labels begin
	Prefix   bool    // written with a star at the end
	Tile     []int64 // most iterations in each dimension, in the order of the indices; 0: all iterations
	Chunk    int64   // approximate iterations of a part, if Tile is empty
	Schedule Schedule
	Block    int32         // threads of a block
	Layouts  []arrays.Rule // for arrays, one for each named device
	Where    string
}

// OfLaunches tests for settings of launches.
func (t *Tuning) OfLaunches() bool {
	return len(t.Tile) > 0 || t.Chunk > 0 || t.Schedule != 0 || t.Block > 0
}

// Unused warns of a rule for a whole label that matched no launch or no array: the label is probably misspelt.
func (t *Tuning) Unused(launched, laidOut bool) (warnings []string) {
	const (
		advice = " had the label '%s'; correct the label or remove the rule"
		copies = " had the label '%s', nor had a copy for a device; correct the label or remove the rule: converted loops on the host use arrays as they are"
	)
	if !launched && (t.OfLaunches() || len(t.Layouts) == 0) {
		warnings = append(warnings, fmt.Sprintf("%s: no launch"+advice, t.Where, outside.Clean(t.Label)))
	}
	if !laidOut && len(t.Layouts) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: no array that is laid out by rule"+copies, t.Where, outside.Clean(t.Label)))
	}
	return warnings
}

// ForDevices reports whether the rule has orders for devices alone, so that no array of a run on the host has it.
func (t *Tuning) ForDevices() bool {
	return len(t.Layouts) > 0 && !slices.ContainsFunc(t.Layouts, func(r arrays.Rule) bool {
		return slices.Contains([]string{"", arrays.CPU, "host", "serial", "threads"}, r.Device)
	})
}

// MaxTuningLabel is the longest label, in bytes; Fortran cuts labels of launches there.
const MaxTuningLabel = 255

const maxTileRank = 8 // PORTABLE_LOOP_RANK

// ParseTuning reads entries "label: key=value, key=value", one a line or between semicolons. name is the file or the variable
// that they are of, for warnings; an invalid part gets one and is left out, the rest counts. The result is sorted as a
// launch wants it: whole labels first, then beginnings from the longest to the shortest.
func ParseTuning(name, text string, lines bool) (list []Tuning, warnings []string) {
	p := &tuningParser{known: map[string]int{}}
	for i, line := range strings.Split(text, "\n") {
		p.where = name
		if lines {
			p.where = fmt.Sprintf("%s:%d", name, i+1)
		}
		for _, entry := range split(line, ';') {
			p.entry(entry)
		}
	}
	slices.SortStableFunc(p.list, func(a, b Tuning) int {
		switch {
		case a.Prefix != b.Prefix && !a.Prefix:
			return -1
		case a.Prefix != b.Prefix:
			return 1
		case a.Prefix:
			return len(b.Label) - len(a.Label)
		}
		return 0
	})
	return p.list, p.warnings
}

type tuningParser struct {
	where    string
	list     []Tuning
	known    map[string]int // number in list by label, with its star
	warnings []string
}

func (p *tuningParser) warn(format string, args ...any) {
	p.warnings = append(p.warnings, p.where+": "+fmt.Sprintf(format, args...))
}

// split cuts at a letter outside quotes; a # outside quotes ends the line.
func split(line string, at byte) (parts []string) {
	var quote byte
	from := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '\'' || c == '"') && strings.TrimSpace(line[from:i]) == "":
			quote = c
		case c == '#':
			return append(parts, line[from:i])
		case c == at:
			parts = append(parts, line[from:i])
			from = i + 1
		}
	}
	return append(parts, line[from:])
}

// entry reads one "label: key=value, key=value".
func (p *tuningParser) entry(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	label, rest, why := tuningLabel(text)
	if why != "" {
		p.warn("'%s' is invalid (%s); it is ignored", outside.Value(text), why)
		return
	}
	n, again := p.known[label]
	if again {
		p.warn("the label '%s' is there twice; where both say something, this counts", outside.Value(label))
	} else {
		n = len(p.list)
		p.known[label] = n
		name, prefix := strings.CutSuffix(label, "*")
		p.list = append(p.list, Tuning{Label: name, Prefix: prefix})
	}
	t := &p.list[n]
	t.Where = p.where
	for _, setting := range strings.Split(rest, ",") {
		setting = strings.TrimSpace(setting)
		if setting == "" {
			continue
		}
		if why := t.set(setting); why != "" {
			p.warn("label '%s': '%s' is invalid (%s); it is ignored", outside.Value(label), outside.Value(setting), why)
		}
	}
	if len(t.Tile) > 0 && t.Chunk > 0 {
		p.warn("label '%s': tile and chunk are two ways to say one thing; tile counts", outside.Value(label))
		t.Chunk = 0
	}
}

// tuningLabel takes the label off: what is in quotes, else all before the last colon that stands before the first equals sign.
func tuningLabel(text string) (label, rest, why string) {
	const form = "label: key=value is wanted"
	if quote := text[0]; quote == '\'' || quote == '"' {
		end := strings.IndexByte(text[1:], quote)
		if end < 0 {
			return "", "", "the quote does not end"
		}
		label = text[1 : 1+end]
		rest = strings.TrimSpace(text[end+2:])
		star := strings.HasPrefix(rest, "*")
		if star {
			rest = strings.TrimSpace(rest[1:])
		}
		if !strings.HasPrefix(rest, ":") {
			return "", "", form
		}
		if star {
			label += "*"
		}
		rest = rest[1:]
	} else {
		head, _, _ := strings.Cut(text, "=")
		colon := strings.LastIndexByte(head, ':')
		if colon < 0 {
			return "", "", form
		}
		label, rest = strings.TrimSpace(text[:colon]), text[colon+1:]
	}
	switch {
	case label == "":
		return "", "", "the label is empty; * stands for all"
	case len(label) > MaxTuningLabel:
		return "", "", fmt.Sprintf("the label is longer than %d bytes", MaxTuningLabel)
	case strings.Contains(label[:len(label)-1], "*"):
		return "", "", "a star stands at the end of a label only"
	}
	return label, rest, ""
}

// set reads one key=value.
func (t *Tuning) set(setting string) (why string) {
	key, value, found := strings.Cut(setting, "=")
	if !found {
		return "key=value is wanted"
	}
	value = strings.TrimSpace(value)
	key, device, _ := strings.Cut(strings.ToLower(strings.TrimSpace(key)), "@")
	switch key {
	case "layout":
		return t.layout(device, value, (*arrays.Rule).ParseOrder)
	case "row":
		return t.layout(device, value, (*arrays.Rule).ParseRow)
	}
	if device != "" {
		return "layout and row are said for a device, the others are not"
	}
	switch key {
	case "tile":
		tile, why := parseTile(value)
		if why == "" {
			t.Tile, t.Chunk = tile, 0
		}
		return why
	case "chunk":
		n, why := parsePositive(value, 1<<62)
		if why == "" {
			t.Chunk = n
		}
		return why
	case "block":
		n, why := parsePositive(value, 1<<16)
		if why == "" {
			t.Block = int32(n)
		}
		return why
	case "schedule":
		s, why := ParseSchedule(value)
		if why == "" {
			t.Schedule = s
		}
		return why
	}
	return "the keys are tile, chunk, block and schedule of launches, layout and row of arrays"
}

// layout puts into the rule for a device what parse reads.
func (t *Tuning) layout(device, value string, parse func(*arrays.Rule, string) string) (why string) {
	i := slices.IndexFunc(t.Layouts, func(r arrays.Rule) bool { return r.Device == device })
	if i >= 0 {
		return parse(&t.Layouts[i], value)
	}
	r := arrays.Rule{Label: t.Label, Prefix: t.Prefix, Device: device}
	if why = parse(&r, value); why == "" {
		t.Layouts = append(t.Layouts, r)
	}
	return why
}

// parseTile reads 64x8.
func parseTile(text string) (tile []int64, why string) {
	for _, word := range strings.Split(strings.ToLower(text), "x") {
		word = strings.TrimSpace(word)
		if word == "0" {
			tile = append(tile, 0)
			continue
		}
		n, why := parsePositive(word, 1<<62)
		if why != "" {
			return nil, "sizes such as 64x8 are wanted, 0 for all of a dimension"
		}
		tile = append(tile, n)
	}
	if len(tile) > maxTileRank {
		return nil, fmt.Sprintf("a loop has at most %d dimensions", maxTileRank)
	}
	if slices.Max(tile) == 0 {
		return nil, "it cuts nothing"
	}
	return tile, ""
}

func parsePositive(text string, most int64) (n int64, why string) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Sprintf("a whole number from 1 to %d is wanted", most)
	}
	return n, ""
}
