package main

// starts is a kind that sets variables and starts. The stub reads no environment.
func starts(name, what string, env func(c cell) string, rule func(cell) verdict) misuse {
	return misuse{name: name, what: what, env: env, rule: rule, stub: always(says(passes)), fortran: `
			call gator_init({only})
			call goes_on(0)
			call gator_finalize()`}
}

// nonsense is a kind of variables whose values give one warning, which names the variable, the value and the default.
func nonsense(name, set, text string) misuse {
	return starts("environment_"+name, set+".", variables(set), always(says(warns, text)))
}

// variables is an environment that is the same in all cells.
func variables(set string) func(cell) string { return func(cell) string { return set } }

// maybe is a switch whose value is neither yes nor no; on is its place in the matrix where it is set already.
func maybe(name, variable, used string, on func(cell) bool) misuse {
	pick := func(c cell) (string, verdict) {
		if on(c) {
			return "", says(passes)
		}
		return variable + "=maybe", says(warns, variable+"='maybe' is invalid (yes or no is wanted); using "+used)
	}
	return starts("environment_"+name, variable+"=maybe, where the matrix does not set it.",
		func(c cell) string { set, _ := pick(c); return set }, func(c cell) verdict { _, v := pick(c); return v })
}

// configured is a kind of gator_config: set is the line that makes it wrong.
func configured(name, what, set string, texts ...string) misuse {
	return misuse{name: name, what: what, rule: refused(errArg, texts...), fortran: `
			` + set + `
			call gator_init(config{stat})
			call gator_get_stats(stats, stat=i)
			call must(i == gator_err_state, 'the library does not run')
			call gator_init()
			call goes_on(0)
			call gator_finalize()`}
}

// namelist is a kind of the namelist group: line is what the file holds.
func namelist(name, what, line, text string) misuse {
	return misuse{name: name, what: what, rule: refused(errArg, text, "gator_read_config: unit", "namelist group &portable"), fortran: `
			open (newunit=unit, status='scratch', action='readwrite')
			write (unit, '(a)') ` + line + `
			rewind (unit)
			config%grow_mb = 7
			call gator_read_config(unit, config{stat})
			call must(config%grow_mb == 7 .and. config%initial_mb == 0, 'the configuration is as it was')
			close (unit)`}
}

// The kinds of misuse that are settings: the environment warns and goes on, code is refused.
var settingKinds = []misuse{
	nonsense("initial", "GATOR_INITIAL_MB=plenty", "GATOR_INITIAL_MB='plenty' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using 64 MB"),
	nonsense("grow", "GATOR_GROW_MB=-3", "GATOR_GROW_MB='-3' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using doubling"),
	nonsense("block", "GATOR_BLOCK_BYTES=100", "GATOR_BLOCK_BYTES='100' is invalid (a power of two from 64 to 1073741824 is wanted); using 128"),
	nonsense("limit", "PORTABLE_LIMIT_MB=0", "PORTABLE_LIMIT_MB='0' is invalid (it is zero); using no limit"),
	nonsense("allocate_from", "PORTABLE_ALLOCATE_FROM=1", "PORTABLE_ALLOCATE_FROM='1' is invalid (it is less than 4096); using 4096"),
	nonsense("unknown", "GATOR_INITIAL_BM=1", "GATOR_INITIAL_BM is not known to this version and is ignored; did you mean GATOR_INITIAL_MB?"),
	nonsense("unknown_portable", "PORTABLE_LIMITS=1", "PORTABLE_LIMITS is not known to this version and is ignored; did you mean PORTABLE_LIMIT_MB?"),
	maybe("strict", "GATOR_STRICT", "0", func(c cell) bool { return c.strict }),
	maybe("disable", "GATOR_DISABLE", "the pool", func(c cell) bool { return c.disable }),
	maybe("fastpath", "PORTABLE_FASTPATH", "1", func(c cell) bool { return c.slow }),
	starts("environment_initial_over_limit", "A first slab that is larger than the limit is cut to it.",
		variables("GATOR_INITIAL_MB=20 PORTABLE_LIMIT_MB=10"),
		always(says(warns, "GATOR_INITIAL_MB='20' is invalid (it is more than the limit); using the limit"))),
	starts("environment_block_over_limit", "A granule that is larger than the limit is cut to it.",
		variables("GATOR_BLOCK_BYTES=1GB PORTABLE_LIMIT_MB=100"),
		always(says(warns, "GATOR_BLOCK_BYTES='1GB' is invalid (it is more than the limit); using 67108864"))),
	configured("config_negative", "A negative size.", "config%initial_mb = -1", "gator_init: initial_mb = -1 is negative"),
	configured("config_too_large", "A size whose bytes 63 bits do not count.", "config%limit_mb = huge(1_int64)", "gator_init: limit_mb = 9223372036854775807 is too large"),
	configured("config_word", "A switch that is neither on nor off.", "config%pool = 'maybe'", "gator_init: pool = 'maybe' is none of 'default', 'on', 'off'"),
	configured("config_block", "A block size that is no power of two.", "config%block_bytes = 100", "gator_init:", "a block size of 100 bytes; it is a power of two from 64 to 1073741824"),
	configured("config_initial_over_limit", "A first slab that is larger than the limit.",
		"config%initial_mb = 20; config%limit_mb = 10", "gator_init:", "the first slab (20971520 bytes) is larger than the limit (10485760 bytes)"),
	{name: "read_not_connected", what: "A namelist from a unit that is not connected.",
		rule:    refused(errArg, "gator_read_config: unit 4711 is not connected to a file"),
		fortran: `call gator_read_config(4711, config{stat})`},
	namelist("read_no_group", "A file without the group.", "'&other initial_mb = 1 /'", "no complete namelist group"),
	namelist("read_unknown_name", "A name that the group does not have.", "'&portable initial_bm = 1 /'", "initial_bm"),
	namelist("read_bad_value", "A size with an invalid unit.", "'&portable initial_mb = 4XB /'", "a size is a whole number of MiB, or text as '4GB'"),
	namelist("read_bad_word", "An invalid word.", `"&portable initial_mb = 3, pool = 'perhaps' /"`, "pool = 'perhaps' is none of 'default', 'on', 'off'"),
	namelist("read_negative", "A negative size.", "'&portable initial_mb = -3 /'", "initial_mb = -3 is negative"),
}
