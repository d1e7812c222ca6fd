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

// Profile holds the meaning of PORTABLE_PROFILE; part of Settings. This file reads it and writes the reports of timers.
// Not in this file: the form of reports (exec), measuring (exec/timer/timer.c).
type Profile struct {
	Timers     int  // as PORTABLE_TIMERS_... of portable_timer.h
	Report     bool // on standard error, at the end
	AllRanks   bool // of each rank
	Text, JSON string
}

// The numbers of portable_timer.h.
const (
	timersOff      = 0
	timersOn       = 1
	timersLaunches = 2
)

const profileWanted = "0, 1, user, all, file=NAME or json=NAME is wanted, with commas between"

// profile reads which timers are on, and where the report goes.
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

// TimersText returns the report, or the same as JSON. It ends with the launches that fell back to the host.
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

func (in *Instance) fallbacks() (list []exec.Fallback, missing []string) {
	if in.fronts.Fallbacks == nil {
		return nil, nil
	}
	return in.fronts.Fallbacks()
}

func (in *Instance) fallbackReport() string {
	list, missing := in.fallbacks()
	text := exec.FallbackReport(list, missing)
	if in.fronts.Staged == nil {
		return text
	}
	copies := in.fronts.Staged()
	if text != "" && copies != "" {
		text += "\n"
	}
	return text + copies
}

// PrintFallbacks writes the launches that fell back to the host, and the arrays that were copied for launches, to standard error.
func (in *Instance) PrintFallbacks() {
	in.mu.Lock()
	all := in.running.Profile.AllRanks
	in.mu.Unlock()
	if text := in.fallbackReport(); text != "" {
		in.show(strings.TrimSuffix(text, "\n"), all)
	}
}

// logFallbacksLocked writes them to the log.
func (in *Instance) logFallbacksLocked() {
	if in.fronts.Watchers == nil {
		return
	}
	list, _ := in.fallbacks()
	for _, f := range list {
		in.fronts.Watchers.Say(fmt.Sprintf("on the host: '%s', launches: %d, %.6f s", f.Label, f.Launches, float64(f.Total)/1e9))
	}
}

// PrintTimers writes the report to a file, or to standard error if path is "".
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

// showTimers writes the report to standard error: that of rank 0, or of all ranks.
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

// timersInto writes a file. If there is a rank, it is in the name.
func (in *Instance) timersInto(path string, json bool) error {
	if rank := in.Rank().World; rank != NoRank {
		extension := filepath.Ext(path)
		path = strings.TrimSuffix(path, extension) + "." + strconv.Itoa(rank) + extension
	}
	if err := in.fronts.WriteFile(path, in.TimersText(json)); err != nil {
		return fmt.Errorf("%w: the timers cannot be written into '%s': %w", ErrArgument, outside.Value(path), err)
	}
	return nil
}

// reportTimersLocked writes the reports that the environment asks for at the end. With timer hooks it writes none: the
// program has replaced the timers.
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
