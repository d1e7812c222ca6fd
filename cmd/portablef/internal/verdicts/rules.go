package verdicts

// Rule is a reason of refusal, or Parallel.
type Rule struct{ Name, Title, Help string }

// Rules are all rules, as JSON, SARIF and docs/start/loops.md name them.
var Rules = []Rule{
	{"carried-scalar", "A scalar carries a value from one iteration to the next", "set the scalar before it is read, or keep the loop serial"},
	{"conditional-scalar", "A scalar is set under a condition and read behind it", "set the scalar on every path of an iteration"},
	{"last-value", "A scalar is used behind the loop, but not every iteration sets it", "compute the value behind the loop"},
	{"recurrence", "An iteration uses an element that an earlier one writes", "run another loop of the nest in parallel"},
	{"unknown-distance", "The distance of two references is not known", "write `independent` if the elements are different"},
	{"same-element", "All iterations write the same elements", "index the array by the loop, or run an inner loop in parallel"},
	{"strides", "Two references have different strides", "write `independent` if the elements are different"},
	{"index-array", "Elements are written through an index array", "write `independent` if no index comes twice"},
	{"whole-array", "An array is assigned as a whole in each iteration", "write `private(NAME)` if each iteration has its own"},
	{"private-array", "A work array may be read before its iteration sets it", "set it in each iteration, or write `private(NAME)`"},
	{"leaves-loop", "A statement leaves the loop early", "use a mask, or search by a minimum of indices"},
	{"jump", "A jump leaves or enters the loop", "write it as IF or CYCLE"},
	{"effect", "A statement has an effect outside of the arrays: input, output, STOP, ALLOCATE", "move the statement out of the loop"},
	{"call-effect", "A called procedure changes data that iterations share", "pass the data as arguments"},
	{"not-seen", "A procedure or module is in none of the files", "name its file too, or its folder by --with"},
	{"not-read", "A statement is not understood", "move the statement out of the loop"},
	{"not-converted", "A feature is not converted", "keep the loop serial"},
	{"directive", "The directive contradicts the loop", "remove the clause: the tool derives it"},
	{"overlap", "Two arrays overlap when the loop is launched", "pass different arrays"},
}

// ruleNamed is the rule of that name; unknown ones keep their name.
func ruleNamed(name string) Rule {
	for _, r := range Rules {
		if r.Name == name {
			return r
		}
	}
	return Rule{Name: name, Title: "The loop is refused"}
}
