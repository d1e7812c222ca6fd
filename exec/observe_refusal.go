package exec

// This file refuses calls of hooks, checks and timers. C alone refuses stale handles, a library that does not run, and out of memory.

const (
	allEvents = 0x1fff // PORTABLE_EVENT_ALL

	checksMemory, checksHash, checksRaces = 0x4, 0x8, 0x10
	checksAll                             = 0x3 // PORTABLE_CHECK_ALL
)

// HookAdd checks the arguments of portable_hook_add.
func HookAdd(hasOut, hasFunction bool, events uint32) Refusal {
	const call = "portable_hook_add"
	switch {
	case !hasOut:
		return refuse(BadArgument, call+": hook_out is NULL; pass the address of a portable_hook")
	case !hasFunction:
		return refuse(BadArgument, call+": function is NULL; pass a function")
	case events == 0 || events&^allEvents != 0:
		return refuse(BadArgument, call+": events is %#x; pass a sum of PORTABLE_EVENT_..., which are within %#x", events, allEvents)
	}
	return Refusal{}
}

// SetChecks checks the argument of portable_set_checks, without the checks that are on for the whole run.
func SetChecks(checks uint32) Refusal {
	const call = "portable_set_checks"
	switch {
	case checks&checksRaces != 0:
		return refuse(BadArgument, call+": %#x has PORTABLE_CHECK_RACES in it, which holds for the whole run: set PORTABLE_CHECK=races in the environment", checks)
	case checks&(checksMemory|checksHash) != 0:
		return refuse(BadArgument, call+": %#x has PORTABLE_CHECK_MEMORY or _HASH in it, which change how memory is laid out and so are chosen "+
			"before the first start: set PORTABLE_CHECK=memory or PORTABLE_CHECK=hash in the environment", checks)
	case checks&^checksAll != 0:
		return refuse(BadArgument, call+": %#x is invalid; pass a sum of PORTABLE_CHECK_..., which are within %#x", checks, checksAll)
	}
	return Refusal{}
}

// TimerKind selects the checks of a call of timers; the numbers are those of exec/timer/timer.h.
type TimerKind int32

// The kinds.
const (
	TimerLabel  TimerKind = iota // Label
	TimerStop                    // Label; Innermost; Which: the number of the thread on which it runs, or -1
	TimerEnable                  // Which
	TimerGet                     // Pointer, StructSize, Label, Which
	TimerHooks                   // StructSize, Reserved
	TimerText                    // Pointer, Bytes
	TimerPack                    // Pointer, Bytes; Reserved: 1 with needed_out
	TimerPacks                   // Pointer, Bytes
)

// TimerCall has the arguments of a call of timers.
type TimerCall struct {
	Kind                 TimerKind
	Call                 string
	Label, Innermost     string
	Which                int32
	StructSize, Reserved uint32
	Pointer              bool // it is not NULL
	Bytes                uint64
}

const (
	timersLaunches  = 2  // PORTABLE_TIMERS_LAUNCHES
	timerStatsBytes = 48 // portable_timer_stats
	timerHooksBytes = 48 // portable_timer_hooks
)

// Refusal repeats the checks of the call.
func (c TimerCall) Refusal() Refusal {
	switch c.Kind {
	case TimerLabel:
		if c.Label == "" {
			return c.refuse("the label is empty; a timer has a name")
		}
	case TimerStop:
		return c.stop()
	case TimerEnable:
		if c.Which < 0 || c.Which > timersLaunches {
			return c.refuse("%d is none of PORTABLE_TIMERS_OFF, _ON and _LAUNCHES", c.Which)
		}
	case TimerGet:
		switch {
		case !c.Pointer:
			return c.refuse("stats_out is NULL; pass the address of a portable_timer_stats")
		case c.StructSize < 4 || c.StructSize > timerStatsBytes:
			return c.refuse("stats.struct_size is %d; set it to sizeof(portable_timer_stats), %d", c.StructSize, timerStatsBytes)
		case c.Label == "":
			return c.refuse("the label is empty; a timer has a name")
		case c.Which != 0 && c.Which != 1:
			return refuse(BadArgument, "%s of '%s': %d is neither PORTABLE_TIMERS_OF_THREAD nor _OF_ALL", c.Call, c.Label, c.Which)
		}
	case TimerHooks:
		if c.StructSize < 8 || c.StructSize > timerHooksBytes || c.Reserved != 0 {
			return c.refuse("struct_size is %d, reserved %d; begin with PORTABLE_TIMER_HOOKS_INIT", c.StructSize, c.Reserved)
		}
	case TimerText:
		if c.Bytes > 0 && !c.Pointer {
			return c.refuse("text is NULL, of %d bytes; pass a buffer, or 0 bytes to ask for the size", c.Bytes)
		}
	case TimerPack:
		switch {
		case !c.Pointer && c.Bytes > 0:
			return c.refuse("buffer is NULL, of %d bytes; pass a buffer, or 0 bytes to ask for the size", c.Bytes)
		case !c.Pointer && c.Reserved == 0:
			return c.refuse("buffer and needed_out are NULL; pass one of them")
		}
	case TimerPacks:
		switch {
		case c.Bytes > 0 && !c.Pointer:
			return c.refuse("packs is NULL, of %d bytes; pass what portable_timers_pack has written", c.Bytes)
		case c.Bytes > 1<<63-1:
			return c.refuse("packs has %d bytes, more than there can be; pass the sum of what portable_timers_pack has written", c.Bytes)
		}
	}
	return Refusal{}
}

func (c TimerCall) refuse(format string, args ...any) Refusal {
	return refuse(BadArgument, c.Call+": "+format, args...)
}

// stop refuses the stop of a timer that is not the innermost one of its thread.
func (c TimerCall) stop() Refusal {
	switch {
	case c.Innermost != "":
		return refuse(BadState, "%s of '%s': the innermost timer that runs is '%s'; timers are stopped in the opposite order of their start, so stop "+
			"that one first", c.Call, c.Label, c.Innermost)
	case c.Which >= 0:
		return refuse(BadState, "%s of '%s': it runs on another thread (thread %d of the report); a timer is stopped by the thread that started it",
			c.Call, c.Label, c.Which)
	}
	return refuse(BadState, "%s of '%s': no timer runs on this thread; start it first (a timer that was started before timers were switched on or "+
		"off does not run)", c.Call, c.Label)
}

// PackTooSmall refuses a buffer of room bytes for packed timers.
func PackTooSmall(room uint64, needed int) Refusal {
	return refuse(BadArgument, "portable_timers_pack: the buffer has %d bytes, and %d are needed; ask for the size before, by a buffer of NULL", room, needed)
}
