package settings

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// This file gives values their meaning: yes and no, sizes, and whether a value is valid for a
// variable.

// YesOrNo reads a yes or a no; isWord is false if the text is neither.
func YesOrNo(text string) (yes, isWord bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "y", "yes", "t", "true", "on", ".true.":
		return true, true
	case "0", "n", "no", "f", "false", "off", ".false.":
		return false, true
	}
	return false, false
}

// IsYes reports whether the text is a yes, IsNo whether it is a no.
func IsYes(text string) bool { yes, isWord := YesOrNo(text); return isWord && yes }

// IsNo reports whether the text is a no.
func IsNo(text string) bool { yes, isWord := YesOrNo(text); return isWord && !yes }

// sizeUnits are powers of 1024, as in YAKL. One letter is enough, and letters may be large or small.
var sizeUnits = map[string]uint64{
	"": 0, "b": 1, "k": 1 << 10, "kb": 1 << 10, "kib": 1 << 10, "m": mib, "mb": mib, "mib": mib,
	"g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30, "t": 1 << 40, "tb": 1 << 40, "tib": 1 << 40,
}

const sizeWanted = "a size such as 4000, 4000MB or 4GB is wanted"

// ParseSize reads 4000, 4000MB, 4GB or 0.5 GB; a bare number counts in units of unit bytes. why is "" if the size is
// valid.
func ParseSize(text string, unit uint64) (bytes uint64, why string) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(text, "bkmgti ")
	scale, ok := sizeUnits[strings.TrimSpace(text[len(digits):])]
	if !ok || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return 0, sizeWanted
	}
	if scale == 0 {
		scale = unit
	}
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, sizeWanted
	}
	if number *= float64(scale); number >= 1<<56 {
		return 0, "it is more than any machine has"
	}
	return uint64(number), ""
}

// Wrong says why a value is invalid for the variable; "" if it is valid, or if only a run can tell.
func (v Variable) Wrong(value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if value == "" {
		return ""
	}
	switch v.Form {
	case YesNo:
		if _, isWord := YesOrNo(value); !isWord {
			return "yes or no is wanted"
		}
	case Size:
		return v.wrongSize(value)
	case Number:
		if n, err := strconv.ParseUint(value, 10, 64); err != nil || n < v.Least || n > v.Most {
			return fmt.Sprintf("a number from %d to %d is wanted", v.Least, v.Most)
		}
	case Word, List:
		for word := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ' ' }) {
			_, yesOrNo := YesOrNo(word)
			if !slices.Contains(v.Words, word) && (v.Form == Word || !yesOrNo) {
				return "there are " + strings.Join(v.Words, ", ")
			}
		}
	}
	return ""
}

func (v Variable) wrongSize(value string) string {
	bytes, why := ParseSize(value, v.Unit)
	switch {
	case why != "":
		return why
	case bytes == 0:
		return sizeWanted
	case bytes < v.Least:
		return fmt.Sprintf("it is less than %d", v.Least)
	case v.Power && (bytes > v.Most || bits.OnesCount64(bytes) != 1):
		return "a power of two from 64 to 1 GiB is wanted"
	}
	return ""
}
