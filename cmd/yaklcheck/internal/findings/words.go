package findings

// This file puts findings into words: the line that describes the error, without its places.
// text.go has the layout.

import (
	"fmt"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/report"
)

// access is "write of 8 bytes".
func (f *Finding) access() string {
	words := "access"
	switch {
	case f.Flags&trace.FlagWrite != 0:
		words = "write"
	case f.Flags&trace.FlagRead != 0:
		words = "read"
	}
	if f.Access > 0 {
		words += " of " + report.Plural(f.Access, "byte")
	}
	return words
}

// block is "'dt2d' (80000 bytes)".
func (f *Finding) block() string {
	switch {
	case f.Label != "" && f.Block > 0:
		return fmt.Sprintf("'%s' (%s)", f.Label, report.Plural(f.Block, "byte"))
	case f.Label != "":
		return fmt.Sprintf("'%s'", f.Label)
	case f.Block > 0:
		return fmt.Sprintf("a block of %s", report.Plural(f.Block, "byte"))
	}
	return "a block"
}

// position is "8 bytes after the end of".
func (f *Finding) position() string {
	switch {
	case f.Distance == 0:
		return "right after the end of"
	case f.Distance > 0:
		return report.Plural(uint64(f.Distance), "byte") + " after the end of"
	}
	return report.Plural(uint64(-f.Distance), "byte") + " before the start of"
}

// into is "16 bytes into", if the address is in the block.
func (f *Finding) into() string {
	switch {
	case f.Start == 0 || f.Address < f.Start || f.Address-f.Start >= max(1, f.Block):
		return "in"
	case f.Address == f.Start:
		return "at the start of"
	}
	return report.Plural(f.Address-f.Start, "byte") + " into"
}

// labelled appends a label to a sentence.
func labelled(label string) string { return quoted(", label", label) }

// quoted is a label after a word; "" if there is none.
func quoted(word, label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf("%s '%s'", word, label)
}

// Title describes the error in one line.
func (f *Finding) Title() string {
	switch f.Kind.What {
	case trace.OutOfBounds:
		return fmt.Sprintf("out-of-bounds %s, %s %s", f.access(), f.position(), f.block())
	case trace.UseAfterFree:
		return fmt.Sprintf("use after free: %s, %s %s", f.access(), f.into(), f.block())
	case trace.CanaryOverwritten:
		if f.Distance < 0 {
			return fmt.Sprintf("out-of-bounds write, seen later: bytes before the start of %s were overwritten", f.block())
		}
		return fmt.Sprintf("out-of-bounds write, seen later: bytes after the end of %s were overwritten", f.block())
	case trace.DoubleFree:
		return fmt.Sprintf("double free of %s", f.block())
	case trace.ForeignFree:
		if f.Address == 0 {
			return fmt.Sprintf("free of a null pointer%s", labelled(f.Label))
		}
		return fmt.Sprintf("free of a pointer that is not of the library%s", labelled(f.Label))
	case trace.InteriorFree:
		return fmt.Sprintf("free of a pointer %s %s", f.into(), f.block())
	case trace.IntrinsicFree:
		return fmt.Sprintf("DEALLOCATE or free of %s, which is the library's", f.block())
	case trace.Leak:
		return fmt.Sprintf("leak of %s, %s%s", report.Plural(f.Count, "block"), report.Plural(f.Block, "byte"), labelled(f.Label))
	case trace.Growth:
		return fmt.Sprintf("growth between checkpoints%s: %s, %s%s", quoted("", f.Other), report.Plural(f.Count, "block"), report.Plural(f.Block, "byte"), labelled(f.Label))
	case trace.NeverWritten:
		return fmt.Sprintf("read of never-written memory in %s", f.block())
	case trace.HostAccess:
		return fmt.Sprintf("host %s of device memory, %s %s", f.access(), f.into(), f.block())
	case trace.HostInKernel:
		return fmt.Sprintf("device kernel given host memory%s", labelled(f.Label))
	case trace.StreamHazard:
		if f.Other != "" {
			return fmt.Sprintf("stream hazard on %s with '%s'", f.block(), f.Other)
		}
		return fmt.Sprintf("stream hazard on %s", f.block())
	case trace.Died:
		if f.inFree() {
			return "crash: libc's free or realloc did not know its pointer, or found the heap damaged: " + firstLine(f.Text)
		}
		if first := firstLine(f.Text); first != "" {
			return "crash: " + first
		}
		return "crash: the program died by a signal"
	}
	// The others are run-time checks, whose text is already a sentence.
	if first := firstLine(f.Text); first != "" {
		return strings.ReplaceAll(f.Kind.Name, "-", " ") + ": " + first
	}
	return f.Kind.Title + labelled(f.Label)
}

// Hint is the remedy.
func (f *Finding) Hint() string {
	if f.Kind.What == trace.ForeignFree && f.Address == 0 {
		return "nothing was allocated through the pointer, or it was freed and nullified already; test the pointer first (associated in Fortran)"
	}
	return f.Kind.Hint
}

// inFree reports whether libc has ended the program in free.
func (f *Finding) inFree() bool {
	site := f.site(Here)
	if site == nil {
		return false
	}
	for _, frame := range site.Frames {
		if frame.Owner != System {
			return false
		}
		switch frame.Procedure {
		case "free", "__libc_free", "__GI___libc_free", "_int_free", "cfree", "realloc", "__libc_realloc", "__GI___libc_realloc", "_int_realloc":
			return true
		}
	}
	return false
}

// titleIsText reports whether the title contains the first line of the text.
func (f *Finding) titleIsText() bool {
	switch f.Kind.What {
	case trace.IndexOutOfBounds, trace.TimersNotNested, trace.BadBounds, trace.MissingSync, trace.KernelWroteArguments, trace.OtherCheck,
		trace.InternalError, trace.Died, 0:
		return true
	}
	return false
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(line, "portable: ")
}

// Details are further lines of the library's text. For a wrong pointer, the text repeats the title and adds the
// address.
func (f *Finding) Details(everything bool) []string {
	if f.Kind.What == trace.Died && f.inFree() {
		return []string{"if it is a block of the library: gator_deallocate or portable_free frees it, not DEALLOCATE, free, realloc or delete"}
	}
	wrongPointer := []trace.FindingKind{trace.DoubleFree, trace.ForeignFree, trace.InteriorFree, trace.IntrinsicFree}
	if !everything && slices.Contains(wrongPointer, f.Kind.What) {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(f.Text), "\n")
	if f.titleIsText() {
		lines = lines[1:]
	}
	return slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
}

// Element names the element of an access outside a block, for elements as long as the access; or "".
func (f *Finding) Element() string {
	size := int64(f.Access)
	if f.Kind.What != trace.OutOfBounds || f.Varies || size != 4 && size != 8 || int64(f.Block)%size != 0 || f.Distance%size != 0 {
		return ""
	}
	elements := int64(f.Block) / size
	which := elements + f.Distance/size + 1
	if f.Distance < 0 {
		which = f.Distance/size + 1
	}
	return fmt.Sprintf("counted in elements of %d bytes from 1: number %d of %d", size, which, elements)
}

// times is the number of times, and the ranks: "4 times, ranks 0-3"; or "".
func (f *Finding) times(oneProcess bool) string {
	var parts []string
	if f.Count > 1 && !f.order.leak && f.Kind.What != trace.Growth {
		times := fmt.Sprintf("%d times", f.Count)
		if f.Varies {
			times += ", this is the first"
		}
		parts = append(parts, times)
	}
	if f.Threads > 1 && len(f.PIDs) == 1 {
		parts = append(parts, report.Plural(f.Threads, "thread"))
	}
	switch {
	case oneProcess: // the headline has its rank
	case len(f.Ranks) > 0:
		parts = append(parts, ranges("rank", f.Ranks))
	case len(f.PIDs) > 1:
		parts = append(parts, fmt.Sprintf("%d processes", len(f.PIDs)))
	}
	return strings.Join(parts, ", ")
}

// ranges is "rank 3", "ranks 0-3, 7".
func ranges(noun string, numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("%s %d", noun, numbers[0])
	}
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := fmt.Sprint(numbers[i])
		if j > i {
			part += fmt.Sprintf("-%d", numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return noun + "s " + strings.Join(parts, ", ")
}
