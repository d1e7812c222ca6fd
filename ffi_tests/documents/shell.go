package main

// Blocks that are typed: shell commands, commands with their output, Makefiles.
// In this file: what stands for the prefix, and how commands are run. Not in this file: how outputs are compared
// (compare.go).

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// placeholders are the words that stand for the installed prefix in the documents. A reader puts his own there.
var placeholders = regexp.MustCompile(`(^|[\s="':]|-[IL])(PREFIX|P|/where/portable/is|/usr/local)(/|[\s"')]|$)`)

// placed puts the prefix in the place of what stands for it.
func (r *runner) placed(text string) string {
	text = placeholders.ReplaceAllString(text, "${1}"+r.prefix+"${3}")
	return strings.ReplaceAll(text, r.prefix+"/lib/", r.prefix+"/"+r.libdir+"/")
}

// linked finds the programs that commands make.
var linked = regexp.MustCompile(`-o (\w+)(?:\s|$)`)

// shell runs the commands in one shell; each must end well.
func (r *runner) shell(b block, source, folder string) (how, output string, err error) {
	if why := b.directives[keyDryRun]; why != "" {
		for _, line := range strings.Split(strings.TrimSpace(source), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "make ") {
				return "", "", fmt.Errorf("dry run: %q is no command of make", line)
			}
		}
		// A command that asks make for its plan writes nothing into the tree.
		output, err = r.commandWith([]string{"MAKEFLAGS=n"}, r.tree, "bash", "-euc", source)
		return "make -n: " + why, output, err
	}
	output, err = r.command(folder, "bash", "-euo", "pipefail", "-c", r.placed(source))
	if err != nil {
		return "", output, err
	}
	how = "commands run"
	// Programs that the commands have linked are run as well; the documents leave that to the reader.
	for _, m := range linked.FindAllStringSubmatch(source, -1) {
		if said, err := r.quiet(folder, m[1]); err != nil {
			return how, output + said, err
		}
		how = "commands run, and " + m[1]
	}
	return how, output, nil
}

// mark separates the outputs of the commands of a console; no command writes it.
const mark = "== the next command of the document =="

// console runs the lines that begin with "$ " and compares what they write with the lines below each.
func (r *runner) console(b block, source, folder string) (how, output string, err error) {
	var commands, expected []string
	for _, line := range strings.Split(strings.TrimRight(source, "\n"), "\n") {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			commands, expected = append(commands, command), append(expected, "")
		case len(commands) == 0:
			return "", "", fmt.Errorf("a console begins with a line `$ command`, not with %q", line)
		case expected[len(expected)-1] == "" && strings.HasSuffix(commands[len(commands)-1], `\`):
			commands[len(commands)-1] += "\n" + line
		default:
			expected[len(expected)-1] += line + "\n"
		}
	}
	if code := b.directives[keyEnds]; code != "" {
		if n, err := strconv.Atoi(code); err != nil || n < 1 || n > 255 {
			return "", "", fmt.Errorf("%s: %q is no exit code but 0", keyEnds, code)
		}
		for i, command := range commands {
			commands[i] = fmt.Sprintf("code=0; %s || code=$?\n[ $code = %s ] || { echo \"it ended with $code\"; exit 1; }", command, code)
		}
	}
	script := strings.Join(commands, "\necho '"+mark+"'\n")
	output, err = r.command(folder, "bash", "-euo", "pipefail", "-c", "exec 2>&1\n"+r.placed(script))
	if err != nil {
		return "", output, err
	}
	for i, said := range strings.Split(output, mark+"\n") {
		if err := compareOutput(expected[i], said); err != nil {
			return "", output, fmt.Errorf("%s: %w", commands[i], err)
		}
	}
	return fmt.Sprintf("%d commands run, output compared", len(commands)), output, nil
}

var makeTarget = regexp.MustCompile(`(?m)^([A-Za-z][\w.-]*)\s*:([^=]|$)`)

// makefile asks make for the first plain target of the block and runs what came out.
func (r *runner) makefile(_ block, source, folder string) (how, output string, err error) {
	m := makeTarget.FindStringSubmatch(source)
	if m == nil {
		return "", "", fmt.Errorf("the Makefile has no plain target to ask for")
	}
	if err := write(folder, "Makefile", r.placed(source)); err != nil {
		return "", "", err
	}
	if _, err := r.command(folder, "make", "FC="+r.fc, m[1]); err != nil {
		return "", "", err
	}
	if _, err := os.Stat(filepath.Join(folder, m[1])); err != nil {
		return "make " + m[1], "", nil
	}
	output, err = r.quiet(folder, m[1])
	return "make " + m[1] + ", and run", output, err
}
