package gator

// fan is the number of children of a node of a maxima tree: 16 numbers of 32 bits are one cache line.
const fan = 16

// maxima is a complete tree of maxima over a fixed row of numbers: it finds the first number that is at
// least as large as asked in one walk from the root. levels[0] is the row, the last level is the root's
// children (at most fan numbers); each level is padded with zeros to a multiple of fan.
//
// Invariant: levels[k+1][i] is the maximum of levels[k][fan*i : fan*i+fan].
type maxima struct{ levels [][]uint32 }

// maximaSize is the count of 32-bit numbers that a tree over n numbers needs.
func maximaSize(n int) (total int) {
	for {
		n = (n + fan - 1) &^ (fan - 1)
		total += n
		if n <= fan {
			return total
		}
		n /= fan
	}
}

// newMaxima lays a tree over n numbers into memory, which holds maximaSize(n) zeros.
func newMaxima(n int, memory []uint32) maxima {
	var m maxima
	for {
		n = (n + fan - 1) &^ (fan - 1)
		m.levels = append(m.levels, memory[:n:n])
		memory = memory[n:]
		if n <= fan {
			return m
		}
		n /= fan
	}
}

func (m *maxima) at(i uint32) uint32 { return m.levels[0][i] }

// set changes number i and the maxima above it, as far up as they change. Siblings are looked at only where the
// largest of them became smaller.
func (m *maxima) set(i, value uint32) {
	for k, level := range m.levels {
		old := level[i]
		if old == value {
			return
		}
		level[i] = value
		if k+1 == len(m.levels) {
			return
		}
		switch most := m.levels[k+1][i/fan]; {
		case value >= most:
		case old < most:
			return
		default:
			start := i &^ (fan - 1)
			value = largest(level[start : start+fan : start+fan])
		}
		i /= fan
	}
}

// top is the largest of all numbers.
func (m *maxima) top() uint32 { return largest(m.levels[len(m.levels)-1]) }

// first finds the lowest i whose number is at least need.
func (m *maxima) first(need uint32) (i uint32, ok bool) {
	for k := len(m.levels) - 1; k >= 0; k-- {
		level := m.levels[k][i : i+fan : i+fan]
		j := 0
		for level[j] < need {
			if j++; j == fan {
				return 0, false // only at the root: below it, the parent promised one
			}
		}
		i += uint32(j)
		if k > 0 {
			i *= fan
		}
	}
	return i, true
}

// largest of fan numbers; four at a time, because one chain of sixteen comparisons took a tenth of a pair of calls.
func largest(row []uint32) uint32 {
	r := (*[fan]uint32)(row)
	a, b, c, d := r[0], r[1], r[2], r[3]
	for i := 4; i < fan; i += 4 {
		a, b, c, d = max(a, r[i]), max(b, r[i+1]), max(c, r[i+2]), max(d, r[i+3])
	}
	return max(max(a, b), max(c, d))
}
