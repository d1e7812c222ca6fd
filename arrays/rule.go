package arrays

// This file keeps rules: "arrays of this label on this device have this order and these row bytes",
// from a tuning file or the program. Main function: Rules.Find. Lock: Rules.mu.

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Rule sets the layout of arrays of a label on a device. Ordered false, or RowBytes 0: other rules decide.
type Rule struct {
	Label    string // with Prefix: how labels begin
	Prefix   bool
	Device   string // "": any; cpu or gpu: a kind of device; or the name of one, "host" of the host's side of a twin
	Ordered  bool
	Order    Order
	Rank     int // of Permuted: arrays of that rank only
	Fastest  [MaxRank]int32
	RowBytes uint64
}

// Kinds of devices in rules: CPU computes in the host's memory, GPU does not.
const (
	CPU = "cpu"
	GPU = "gpu"
)

const mostRowBytes = 1 << 30

// letters are dimensions in rules: i is the first one.
const letters = "ijklmnopqrstuvw"

// ParseOrder reads c, fortran, letters of the dimensions with the fastest first (kij), or their numbers (3x1x2), into the rule; not where it
// is invalid.
func (r *Rule) ParseOrder(text string) (why string) {
	next := *r
	next.Ordered, next.Rank, next.Fastest = true, 0, [MaxRank]int32{}
	if why = next.parseOrder(text); why == "" {
		*r = next
	}
	return why
}

func (r *Rule) parseOrder(text string) (why string) {
	const form = "c, fortran, or the dimensions with the fastest first, such as kij or 3x1x2, is wanted"
	text = strings.ToLower(strings.TrimSpace(text))
	switch text {
	case "c":
		r.Order = C
		return ""
	case "fortran":
		r.Order = Fortran
		return ""
	case "":
		return form
	}
	words := strings.Split(text, "x")
	if !isDigit(text[0]) {
		words = strings.Split(text, "")
	}
	if len(words) > MaxRank {
		return fmt.Sprintf("an array has at most %d dimensions", MaxRank)
	}
	for k, word := range words {
		d := strings.Index(letters, word)
		if isDigit(text[0]) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return form
			}
			d = n - 1
		}
		if d < 0 {
			return form
		}
		r.Fastest[k] = int32(d)
	}
	r.Order, r.Rank = Permuted, len(words)
	if _, err := permutation("the order", r.Rank, &r.Fastest); err != nil {
		return err.Error()
	}
	return ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// ParseRow reads row bytes.
func (r *Rule) ParseRow(text string) (why string) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil || n == 0 {
		n = 3 // none
	}
	return r.SetRow(n)
}

// SetRow is the same for a number; 0 leaves it open.
func (r *Rule) SetRow(n uint64) (why string) {
	if !rowBytesFit(n) {
		return fmt.Sprintf("a power of two up to %d is wanted", mostRowBytes)
	}
	r.RowBytes = n
	return ""
}

func rowBytesFit(n uint64) bool { return n&(n-1) == 0 && n <= mostRowBytes }

// String gives the rule in the form of a tuning file.
func (r *Rule) String() string {
	text := "'" + r.Label + "'"
	if r.Prefix {
		text += "*"
	}
	at := ""
	if r.Device != "" {
		at = "@" + r.Device
	}
	text += ":"
	if r.Ordered {
		text += " layout" + at + "=" + [...]string{"c", "fortran", ""}[r.Order]
		for _, d := range r.Fastest[:r.Rank] {
			text += letters[d : d+1]
		}
	}
	if r.RowBytes > 0 {
		if r.Ordered {
			text += ","
		}
		text += " row" + at + "=" + strconv.FormatUint(r.RowBytes, 10)
	}
	return text
}

// Dimensions are those of an array in the order of the rule, from 0 on, the fastest first.
func (r *Rule) Dimensions(rank int) []int32 {
	list := make([]int32, rank)
	for k := range list {
		switch r.Order {
		case Permuted:
			list[k] = r.Fastest[k]
		case C:
			list[k] = int32(rank - 1 - k)
		default:
			list[k] = int32(k)
		}
	}
	return list
}

// Place is the array for which Find looks for rules.
type Place struct {
	Label, Device string
	OfCPU         bool // the device computes in the host's memory
	Rank          int
}

// LayoutAsked checks the arguments of portable_layout_find.
func LayoutAsked(rank int, otherwise Order) error {
	if rank < 0 || rank > MaxRank {
		return wrong("rank is %d; it is 0 to %d", rank, MaxRank)
	}
	if otherwise != C && otherwise != Fortran {
		return wrong("otherwise is %d; it is PORTABLE_ORDER_C or _FORTRAN", otherwise)
	}
	return nil
}

// fits tests whether the rule names the array. weight grows with the precision of label, then device.
func (r *Rule) fits(p *Place) (weight int, yes bool) {
	switch {
	case !r.Prefix && r.Label == p.Label:
		weight = 4 * (len(p.Label) + 1)
	case r.Prefix && strings.HasPrefix(p.Label, r.Label):
		weight = 4 * len(r.Label)
	default:
		return 0, false
	}
	switch kind := map[bool]string{true: CPU, false: GPU}[p.OfCPU]; {
	case r.Device == "":
	case strings.EqualFold(r.Device, p.Device):
		weight += 2
	case strings.EqualFold(r.Device, kind):
		weight++
	default:
		return 0, false
	}
	return weight, true
}

// Rules are the rules of a process. Rules of the environment win over rules of the program. Safe for any number of goroutines.
type Rules struct {
	mu      sync.RWMutex
	outside []Rule
	own     []Rule
}

// SetOutside replaces the rules of the environment.
func (rs *Rules) SetOutside(list []Rule) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.outside = append([]Rule(nil), list...)
}

// Add replaces the program's rule for the same labels and device; an empty rule removes it.
func (rs *Rules) Add(r Rule) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	kept := rs.own[:0]
	for _, old := range rs.own {
		if old.Label != r.Label || old.Prefix != r.Prefix || !strings.EqualFold(old.Device, r.Device) {
			kept = append(kept, old)
		}
	}
	if r.Ordered || r.RowBytes > 0 {
		kept = append(kept, r)
	}
	rs.own = kept
}

// Len is how many rules there are.
func (rs *Rules) Len() int {
	rs.mu.RLock()
	defer rs.mu.RUnlock()
	return len(rs.outside) + len(rs.own)
}

// Find gives the order and the row bytes of an array; Ordered false, RowBytes 0: no rule sets them. The most exact label wins, then the most exact
// device, then the last rule.
func (rs *Rules) Find(p *Place) (found Rule) {
	rs.mu.RLock()
	defer rs.mu.RUnlock()
	for _, list := range [][]Rule{rs.outside, rs.own} {
		order, row := -1, -1
		from := found
		for i := range list {
			r := &list[i]
			weight, yes := r.fits(p)
			if !yes {
				continue
			}
			if r.Ordered && (r.Rank == 0 || r.Rank == p.Rank) && !from.Ordered && weight >= order {
				order = weight
				found.Ordered, found.Order, found.Rank, found.Fastest = true, r.Order, r.Rank, r.Fastest
			}
			if r.RowBytes > 0 && from.RowBytes == 0 && weight >= row {
				row = weight
				found.RowBytes = r.RowBytes
			}
		}
	}
	return found
}
