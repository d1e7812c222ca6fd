package instance

import (
	"fmt"

	"libportable/internal/backend/host"
)

// This file adds and removes participants. Not in this file: the start of the library with the first one and its stop
// with the last one (instance.go).
//
// Locks: a caller that needs both takes the team before the instance's lock. The holder of the lock waits neither for
// the team nor for a call of the program, because a kernel holds the team and may want the lock.

// Calls counts the calls in progress that use memory of the library over several launches. The last participant must
// not release that memory during such a call.
type Calls interface {
	// Close refuses new calls, Open admits them. Both are called under the instance's lock. Each closing has its own
	// number, from 1 on.
	Close(closing int64)
	Open()
	// Await waits until no call is in progress, and for work that the calls left in streams. False: this closing is
	// over, even if another one has begun.
	Await(closing int64) bool
}

// Init adds a participant.
func (in *Instance) Init(q Request) error {
	return in.enter(func() error {
		if err := in.startLocked(q, true); err != nil {
			return err
		}
		in.inits++
		return nil
	})
}

// GatorInit adds gator as a participant. A second call is a warning.
func (in *Instance) GatorInit(q Request) error {
	return in.enter(func() error {
		if in.gatorUp {
			return in.warn(ErrState, "gator_init was called again without gator_finalize; it does nothing")
		}
		if err := in.startLocked(q, true); err != nil {
			return err
		}
		in.gatorUp = true
		return nil
	})
}

// Finalize removes a participant.
func (in *Instance) Finalize() error {
	return in.leave(func() bool { return in.inits == 1 && !in.gatorUp }, func(last bool) error {
		if in.inits == 0 {
			return fmt.Errorf("%w: portable_finalize without portable_init; each call needs its own portable_init before it", ErrState)
		}
		if last {
			if err := in.leaveLocked(); err != nil {
				return err
			}
		}
		in.inits--
		return nil
	})
}

// GatorFinalize removes gator. Without gatorInit it is a warning.
func (in *Instance) GatorFinalize() error {
	return in.leave(func() bool { return in.inits == 0 && in.gatorUp }, func(last bool) error {
		if !in.gatorUp {
			return in.warn(ErrState, "gator_finalize was called without gator_init; it does nothing")
		}
		if last {
			if err := in.leaveLocked(); err != nil {
				return err
			}
		}
		in.gatorUp = false
		return nil
	})
}

// enter runs one start. If it starts the launch engine, it holds the team.
func (in *Instance) enter(do func() error) error {
	in.mu.Lock()
	if in.devices.Load() == nil {
		in.mu.Unlock()
		defer in.lockWithTeam()()
	} else {
		defer in.mu.Unlock()
	}
	in.admitLocked() // the thread that waits to be the last participant no longer is
	return in.changeLocked(do)
}

// leave runs one stop. The last participant refuses new calls, waits for those in progress, and tests again whether it
// is still the last one.
func (in *Instance) leave(isLast func() bool, do func(last bool) error) error {
	for {
		in.mu.Lock()
		if !isLast() {
			defer in.mu.Unlock()
			return in.changeLocked(func() error { return do(false) })
		}
		closing := in.refuseLocked()
		in.mu.Unlock()
		if in.fronts.Calls != nil && !in.fronts.Calls.Await(closing) {
			continue
		}
		if done, err := in.leaveLast(closing, isLast, do); done {
			return err
		}
	}
}

// leaveLast is the stop by the last participant, when no call is in progress. It returns done=false if there was
// another participant since the closing: calls may be in progress that this thread has not waited for.
func (in *Instance) leaveLast(closing int64, isLast func() bool, do func(last bool) error) (done bool, err error) {
	defer in.lockWithTeam()()
	if in.closing != closing || !isLast() {
		return false, nil
	}
	defer in.admitLocked()
	return true, in.changeLocked(func() error { return do(true) })
}

// lockWithTeam waits for the team, unless it is called inside a kernel, and takes the lock. It returns the function
// that releases both.
func (in *Instance) lockWithTeam() (release func()) {
	team, err := host.HoldTeam()
	in.mu.Lock()
	if err == nil {
		in.team = &team
	}
	return func() {
		in.team = nil
		in.mu.Unlock()
		if err == nil {
			team.Release()
		}
	}
}

// refuseLocked returns the number of the closing, and begins one if none is in progress.
func (in *Instance) refuseLocked() int64 {
	if in.closing == 0 {
		in.closings++
		in.closing = in.closings
		if in.fronts.Calls != nil {
			in.fronts.Calls.Close(in.closing)
		}
	}
	return in.closing
}

func (in *Instance) admitLocked() {
	if in.closing != 0 && in.fronts.Calls != nil {
		in.fronts.Calls.Open()
	}
	in.closing = 0
}

// changeLocked runs one start or stop and passes the result to the front, as one step. Otherwise two threads could pass
// their results in the wrong order.
func (in *Instance) changeLocked(do func() error) error {
	was := in.runningLocked()
	if !was {
		in.tell(false)
	}
	err := do()
	if is := in.runningLocked(); is != was {
		in.tell(is)
	}
	return err
}

func (in *Instance) tell(running bool) {
	if in.fronts.Running != nil {
		in.fronts.Running(running)
	}
}
