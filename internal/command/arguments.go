package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Reorder puts the options of a subcommand before its names, as users of compilers mix them, and cuts joined options of
// compilers, such as -IDIR, into two words. Joined are the letters of these options. Words behind -- are names.
func Reorder(app *cli.App, args []string, joined ...string) []string {
	if len(args) < 2 {
		return args
	}
	command := app.Command(args[1])
	if command == nil {
		return args
	}
	takes := map[string]bool{} // options with a value
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takes[name] = !isBool
		}
	}
	options, names := slices.Clone(args[:2]), []string{}
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		word := rest[0]
		name := strings.TrimLeft(word, "-")
		switch {
		case word == "--":
			names = append(names, rest[1:]...)
			return append(append(options, "--"), names...)
		case word == "-" || !strings.HasPrefix(word, "-"):
			names = append(names, word)
		case takes[name] && len(rest) > 1:
			options = append(options, word, rest[1])
			rest = rest[1:]
		case !strings.HasPrefix(word, "--") && len(name) > 1 && slices.Contains(joined, name[:1]) && !known(takes, name):
			options = append(options, word[:2], word[2:])
		default:
			options = append(options, word)
		}
	}
	return append(append(options, "--"), names...)
}

// known says that the word is the name of an option, perhaps with its value.
func known(takes map[string]bool, name string) bool {
	name, _, _ = strings.Cut(name, "=")
	_, is := takes[name]
	return is
}
