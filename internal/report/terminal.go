package report

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// IsTerminal reports whether a reader sits in front of what is written to w.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Colored decides about colours as the option --color says: auto, always, never.
func Colored(when string, to io.Writer) bool {
	if when != "auto" {
		return when == "always"
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(to)
}

// Progress shows a line about long work, on a terminal only. Work that ends soon shows none.
type Progress struct {
	to    io.Writer // nil: shows nothing
	verb  string
	total int

	mutex sync.Mutex
	done  int
	next  time.Time
	shown bool
}

// Times of the line: it appears after a second, and changes five times a second.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// NewProgress is the line of work in so many steps, as in "reading 12 of 31".
func NewProgress(to io.Writer, verb string, total int) *Progress {
	p := &Progress{verb: verb, total: total, next: time.Now().Add(progressAfter)}
	if IsTerminal(to) {
		p.to = to
	}
	return p
}

// Step counts one step.
func (p *Progress) Step() {
	if p.to == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done++
	if now := time.Now(); now.After(p.next) {
		p.next, p.shown = now.Add(progressEvery), true
		fmt.Fprintf(p.to, "\r\x1b[K%s %d of %d", p.verb, p.done, p.total)
	}
}

// End removes the line.
func (p *Progress) End() {
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
