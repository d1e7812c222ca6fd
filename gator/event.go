package gator

import (
	"slices"
	"sync"
)

// Event is something that will have happened: a stream that passed a point. Once Done says true, it
// says true for ever. Events are compared with ==.
//
// The pool calls Done with its lock held; it must be quick and must not call the pool. Wait returns when
// the event is done.
type Event interface {
	Done() bool
	Wait()
}

// Open is an event whose point is not fixed before the block is freed: all that a stream was given until then. Fix is
// called with the pool's lock held, when a block that depends on it is freed, before Done; perhaps again later. Done
// says of an event that is not fixed yet whether it would be done if it were fixed now.
type Open interface {
	Event
	Fix()
}

// Absorber is an event that may stand for a later one too: a launch for those that came after it in its stream. Absorb says
// whether it does from now on. The pool then forgets the other one, so that an array that is used again and again
// depends on one event for each stream, and not on one for each use.
type Absorber interface {
	Event
	Absorb(later Event) bool
}

// Sure is an event that may come without a call: a device gets on alone. Sure says whether that is so by now, and the event's
// place among others of its kind, smaller ones first. For such an event the pool waits, with its lock held, before it takes more memory: a program
// that runs ahead of its device would else need the memory of all the steps that it is ahead.
type Sure interface {
	Event
	Sure() (place uint64, sure bool)
}

// waiting keeps released blocks until all events that they depend on are done. The wrong way to do it,
// which YAKL v1 shows, is to look at one event of each block and to take entries out of the list while
// walking forward: blocks with two events, and neighbours of released ones, were then never released.
// Here a block stands under one event that is not done; when that is, it moves to the next such event of
// its own, and goes when there is none. Each event is asked once a sweep, however many blocks stand under it.
//
// Invariant: each waiting block stands under exactly one event of its own. Threads: the pool's lock.
type waiting struct {
	needs map[uintptr][]Event // events of live blocks, and of waiting ones but those found done
	under map[Event][]uintptr // waiting blocks
	count int
}

// add notes that a live block depends on an event.
func (w *waiting) add(addr uintptr, on Event) {
	if w.needs == nil {
		w.needs = map[uintptr][]Event{}
		w.under = map[Event][]uintptr{}
	}
	needs := w.needs[addr]
	for _, e := range needs {
		if a, ok := e.(Absorber); ok && a.Absorb(on) {
			return
		}
	}
	needs = slices.DeleteFunc(needs, func(e Event) bool {
		_, open := e.(Open)
		return !open && e.Done()
	})
	w.needs[addr] = append(needs, on)
}

// free is hold for a block that was live.
func (w *waiting) free(addr uintptr) bool {
	for _, e := range w.needs[addr] {
		if o, ok := e.(Open); ok {
			o.Fix()
		}
	}
	return w.hold(addr)
}

// hold is called for a freed block with dependencies. It says whether the block must wait.
func (w *waiting) hold(addr uintptr) bool {
	events := w.needs[addr]
	for len(events) > 0 {
		last := events[len(events)-1]
		events = events[:len(events)-1]
		if !last.Done() {
			w.needs[addr] = events
			w.under[last] = append(w.under[last], addr)
			w.count++
			return true
		}
	}
	delete(w.needs, addr)
	return false
}

// again puts a block there that depends on nothing, and that its source has not taken back: the next sweep tries it.
func (w *waiting) again(addr uintptr) {
	if w.needs == nil {
		w.needs = map[uintptr][]Event{}
		w.under = map[Event][]uintptr{}
	}
	w.under[over{}] = append(w.under[over{}], addr)
	w.count++
}

// over is an event that is done.
type over struct{}

func (over) Done() bool { return true }
func (over) Wait()      {}

// sweep hands every block whose events are all done to release. A block that release could not free
// stays, and the next sweep tries again.
func (w *waiting) sweep(release func(addr uintptr) bool) {
	if w.count == 0 {
		return
	}
	var done []Event
	for e := range w.under {
		if e.Done() {
			done = append(done, e)
		}
	}
	// hold may put blocks under events that are in w.under already, never under those that are done.
	for _, e := range done {
		addrs := w.under[e]
		delete(w.under, e)
		w.count -= len(addrs)
		for _, addr := range addrs {
			if !w.hold(addr) && !release(addr) {
				w.under[e] = append(w.under[e], addr)
				w.count++
			}
		}
	}
}

// next is the first event that waiting blocks stand under and that comes without a call; nil: there is none.
func (w *waiting) next() (first Event) {
	var least uint64
	for e := range w.under {
		s, ok := e.(Sure)
		if !ok {
			continue
		}
		if place, sure := s.Sure(); sure && (first == nil || place < least) {
			first, least = e, place
		}
	}
	return first
}

// await returns with mu held and no event pending. It waits without mu, because an event may need other
// users of the allocator to get on.
func (w *waiting) await(mu sync.Locker, sweep func()) {
	for {
		mu.Lock()
		sweep()
		events := w.pending()
		if len(events) == 0 {
			return
		}
		mu.Unlock()
		for _, e := range events {
			e.Wait()
		}
	}
}

// settle waits, without mu, for the events that a block depends on.
func (w *waiting) settle(mu sync.Locker, addr uintptr) {
	mu.Lock()
	needs := slices.Clone(w.needs[addr])
	mu.Unlock()
	for _, e := range needs {
		e.Wait()
	}
}

// check says whether each block under an event is one that waits, and stands there once.
func (w *waiting) check(waits func(addr uintptr) bool) bool {
	seen := map[uintptr]bool{}
	for _, addrs := range w.under {
		for _, addr := range addrs {
			if seen[addr] || !waits(addr) {
				return false
			}
			seen[addr] = true
		}
	}
	return len(seen) == w.count
}

// pending are the events, of waiting and of live blocks, that are not done.
func (w *waiting) pending() (events []Event) {
	for e := range w.under {
		if !e.Done() {
			events = append(events, e)
		}
	}
	for _, needs := range w.needs {
		for _, e := range needs {
			if !e.Done() {
				events = append(events, e)
			}
		}
	}
	return events
}
