package instance

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"libportable/exec"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Profile is what PORTABLE_PROFILE asks for; part of Settings. In this file: reading it, and the reports of timers. Not in this
// file: what they look like (exec), measuring (exec/timer/timer.c).
type Profile struct {
	Timers     int  // as PORTABLE_TIMERS_... of portable_timer.h
	Report     bool // on standard error, at the end
	AllRanks   bool // of each rank
	Text, JSON string
}

// As in portable_timer.h.
const (
	timersOff      = 0
	timersOn       = 1
	timersLaunches = 2
)

const profileWanted = "0, 1, user, all, file=NAME or json=NAME is wanted, with commas between"

// profile reads what is to be timed, and where the report goes.
func (r *reader) profile() (p Profile) {
	value, ok := r.env.Lookup(settings.Profile)
	if !ok || strings.TrimSpace(value) == "" {
		return p
	}
	words := strings.Split(value, ",")
	if _, isWord := settings.YesOrNo(words[0]); len(words) == 1 && isWord {
		if yes, _ := settings.YesOrNo(words[0]); yes {
			p = Profile{Timers: timersLaunches, Report: true}
		}
		return p
	}
	p.Timers = timersLaunches
	for _, word := range words {
		word = strings.TrimSpace(word)
		key, name, isFile := strings.Cut(word, "=")
		name = strings.TrimSpace(name)
		yes, isWord := settings.YesOrNo(word)
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case isFile && name != "" && key == "json":
			p.JSON = name
		case isFile && name != "" && key == "file":
			p.Text = name
		case isWord && yes:
			p.Report = true
		case !isFile && key == "all":
			p.Report, p.AllRanks = true, true
		case !isFile && key == "user":
			p.Timers = timersOn
		default:
			r.warn(settings.Profile, value, profileWanted, "0")
			return Profile{}
		}
	}
	p.Report = p.Report || p.Text == "" && p.JSON == ""
	return p
}

// TimersText is the report, or the same as JSON. The report ends with what ran on the host in the place of a device.
func (in *Instance) TimersText(json bool) string {
	timers, _ := in.fronts.Timers()
	if json {
		return exec.TimerJSON(timers, in.Rank().World)
	}
	text := exec.TimerReport(timers)
	if more := in.fallbackReport(); more != "" {
		text += "\n" + more
	}
	return text
}

func (in *Instance) fallbacks() (list []exec.Fallback, noCompiler bool) {
	if in.fronts.Fallbacks == nil {
		return nil, false
	}
	return in.fronts.Fallbacks()
}

func (in *Instance) fallbackReport() string {
	list, noCompiler := in.fallbacks()
	return exec.FallbackReport(list, noCompiler)
}

// PrintFallbacks writes what ran on the host in the place of a device to standard error.
func (in *Instance) PrintFallbacks() {
	in.mu.Lock()
	all := in.running.Profile.AllRanks
	in.mu.Unlock()
	if text := in.fallbackReport(); text != "" {
		in.show(strings.TrimSuffix(text, "\n"), all)
	}
}

// logFallbacksLocked writes them into the log.
func (in *Instance) logFallbacksLocked() {
	if in.fronts.Watchers == nil {
		return
	}
	list, _ := in.fallbacks()
	for _, f := range list {
		in.fronts.Watchers.Say(fmt.Sprintf("on the host: '%s', launches: %d, %.6f s", f.Label, f.Launches, float64(f.Total)/1e9))
	}
}

// PrintTimers writes the report into a file, or to standard error where path is "".
func (in *Instance) PrintTimers(path string) error {
	if path != "" {
		return in.timersInto(path, strings.EqualFold(filepath.Ext(path), ".json"))
	}
	in.mu.Lock()
	all := in.running.Profile.AllRanks
	in.mu.Unlock()
	in.showTimers(all)
	return nil
}

// showTimers writes the report to standard error: that of rank 0, or of all.
func (in *Instance) showTimers(all bool) {
	in.show(strings.TrimSuffix(in.TimersText(false), "\n"), all)
}

func (in *Instance) show(text string, all bool) {
	rank := in.Rank().World
	if rank > 0 && !all {
		return
	}
	if all && rank != NoRank {
		text = fmt.Sprintf("** FOR RANK %d**\n%s", rank, text)
	}
	in.write(text)
}

// timersInto writes a file, which has the rank in its name where there is one.
func (in *Instance) timersInto(path string, json bool) error {
	if rank := in.Rank().World; rank != NoRank {
		extension := filepath.Ext(path)
		path = strings.TrimSuffix(path, extension) + "." + strconv.Itoa(rank) + extension
	}
	if err := in.fronts.WriteFile(path, in.TimersText(json)); err != nil {
		return fmt.Errorf("%w: the timers can not be written into '%s': %w", ErrArgument, outside.Value(path), err)
	}
	return nil
}

// reportTimersLocked is what the environment wants at the end. With hooks the timers are somebody else's.
func (in *Instance) reportTimersLocked() {
	p := in.running.Profile
	if p.Timers == timersOff || in.fronts.Timing == nil {
		return
	}
	if _, own := in.fronts.Timers(); !own {
		return
	}
	if p.Report {
		in.showTimers(p.AllRanks)
	}
	for _, file := range []struct {
		path string
		json bool
	}{{p.Text, false}, {p.JSON, true}} {
		if file.path == "" {
			continue
		}
		if err := in.timersInto(file.path, file.json); err != nil {
			in.print("portable: warning: " + err.Error())
		}
	}
}
