package main

import "fmt"

// starts is a kind that sets variables and starts: Fortran, C and C without a status.
func starts(name, what string, env func(c cell) []string, rule, stub func(cell) verdict) misuse {
	return misuse{
		name: name, what: what, env: env, rule: rule, stub: stub,
		fortran: `
			call gator_init({only})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		c: `
			ASK(portable_init(NULL));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			goes_on(0);
			gatorFinalize();`,
	}
}

// nonsense is a variable whose value gives one warning line that names it, the value, and what is used instead.
func nonsense(variable, value string, more ...string) misuse {
	name := "environment_" + map[string]string{
		"GATOR_INITIAL_MB": "initial", "GATOR_GROW_MB": "grow", "GATOR_BLOCK_BYTES": "block", "PORTABLE_LIMIT_MB": "limit",
		"PORTABLE_ALLOCATE_FROM": "allocate_from", "GATOR_INITIAL_BM": "unknown", "PORTABLE_LIMITS": "unknown_portable",
	}[variable]
	set := func(cell) []string { return []string{variable + "=" + value} }
	return starts(name, fmt.Sprintf("%s=%s.", variable, value), set, always(says(warns, append(more, variable)...)), always(says(passes)))
}

// maybe is a switch whose value is neither yes nor no; on is its place in the matrix where it is set already.
func maybe(name, variable, used string, on func(cell) bool) misuse {
	return starts(name, variable+"=maybe, where the matrix does not set it.",
		func(c cell) []string {
			if on(c) {
				return nil
			}
			return []string{variable + "=maybe"}
		},
		func(c cell) verdict {
			if on(c) {
				return says(passes)
			}
			return says(warns, variable+"='maybe' is invalid (yes or no is wanted); using "+used)
		}, always(says(passes)))
}

// configured is a kind of gator_config: set is the line that makes it wrong.
func configured(name, what, set, c string, rule func(cell) verdict) misuse {
	m := misuse{name: name, what: what, rule: rule, fortran: `
			` + set + `
			call gator_init(config{stat})
			{say}
			call gator_get_stats(stats, stat=i)
			call must(i == gator_err_state, 'the library does not run')
			call gator_init()
			call goes_on(0)
			call gator_finalize()`}
	if c != "" {
		m.c = `
			portable_config config = PORTABLE_CONFIG_INIT;
			` + c + `
			ASK(portable_init(&config));
			MUST(!portable_is_initialized());
			MUST(portable_init(NULL) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`
	}
	return m
}

// namelist is a kind of the namelist group: lines are what the file holds.
func namelist(name, what, lines string, texts ...string) misuse {
	return misuse{name: name, what: what, fortran: `
			open (newunit=unit, status='scratch', action='readwrite')
			` + lines + `
			rewind (unit)
			config%grow_mb = 7
			call gator_read_config(unit, config{stat})
			{say}
			call must(config%grow_mb == 7 .and. config%initial_mb == 0, 'the configuration is as it was')
			close (unit)`,
		rule: always(failure(errArg, append(texts, "gator_read_config: unit", "namelist group &portable")...))}
}

// The kinds of misuse that are settings: the environment warns and goes on, code is refused.
var settingKinds = []misuse{
	nonsense("GATOR_INITIAL_MB", "plenty", "GATOR_INITIAL_MB='plenty' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using 64 MB"),
	nonsense("GATOR_GROW_MB", "-3", "GATOR_GROW_MB='-3' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using doubling"),
	nonsense("GATOR_BLOCK_BYTES", "100", "GATOR_BLOCK_BYTES='100' is invalid (a power of two from 64 to 1073741824 is wanted); using 128"),
	nonsense("PORTABLE_LIMIT_MB", "0", "PORTABLE_LIMIT_MB='0' is invalid (it is zero); using no limit"),
	nonsense("PORTABLE_ALLOCATE_FROM", "1", "PORTABLE_ALLOCATE_FROM='1' is invalid (it is less than 4096); using 4096"),
	nonsense("GATOR_INITIAL_BM", "1", "GATOR_INITIAL_BM is not known to this version and is ignored; did you mean GATOR_INITIAL_MB?"),
	nonsense("PORTABLE_LIMITS", "1", "PORTABLE_LIMITS is not known to this version and is ignored; did you mean PORTABLE_LIMIT_MB?"),
	maybe("environment_strict", "GATOR_STRICT", "0", func(c cell) bool { return c.strict }),
	maybe("environment_disable", "GATOR_DISABLE", "the pool", func(c cell) bool { return c.disable }),
	maybe("environment_fastpath", "PORTABLE_FASTPATH", "1", func(c cell) bool { return c.slow }),
	starts("environment_initial_over_limit", "A first slab that is larger than the limit is cut to it.",
		func(cell) []string { return []string{"GATOR_INITIAL_MB=20", "PORTABLE_LIMIT_MB=10"} },
		always(says(warns, "GATOR_INITIAL_MB='20' is invalid (it is more than the limit); using the limit")), always(says(passes))),
	starts("environment_block_over_limit", "A granule that is larger than the limit is cut to it.",
		func(cell) []string { return []string{"GATOR_BLOCK_BYTES=1GB", "PORTABLE_LIMIT_MB=100"} },
		always(says(warns, "GATOR_BLOCK_BYTES='1GB' is invalid (it is more than the limit); using 67108864")), always(says(passes))),
	configured("config_negative", "A negative size.", "config%initial_mb = -1", "",
		always(failure(errArg, "gator_init: initial_mb = -1 is negative"))),
	configured("config_too_large", "A size whose bytes 63 bits do not count.", "config%limit_mb = huge(1_int64)", "",
		always(failure(errArg, "gator_init: limit_mb = 9223372036854775807 is too large"))),
	configured("config_word", "A switch that is neither on nor off.", "config%pool = 'maybe'", "",
		always(failure(errArg, "gator_init: pool = 'maybe' is none of 'default', 'on', 'off'"))),
	configured("config_block", "A granule that is no power of two.", "config%block_bytes = 100", "config.pool_block_bytes = 100;",
		always(failure(errArg, "F:gator_init:", "a block size of 100 bytes; it is a power of two from 64 to 1073741824"))),
	configured("config_initial_over_limit", "A first slab that is larger than the limit.",
		"config%initial_mb = 20; config%limit_mb = 10", "config.pool_initial_bytes = 20u << 20, config.pool_limit_bytes = 10u << 20;",
		always(failure(errArg, "F:gator_init:", "the first slab (20971520 bytes) is larger than the limit (10485760 bytes)"))),
	{
		name: "config_size", what: "A configuration that does not say how large it is.",
		c: `
			portable_config config = PORTABLE_CONFIG_INIT;
			config.struct_size = 0;
			ASK(portable_init(&config));
			MUST(!portable_is_initialized());`,
		rule: always(failure(errArg, "portable_init: config.struct_size is 0; begin with PORTABLE_CONFIG_INIT")),
	},
	{
		name: "config_version", what: "A header of another version than the archive.",
		c: `
			portable_config config = PORTABLE_CONFIG_INIT;
			config.version = 20000;
			ASK(portable_init(&config));
			MUST(!portable_is_initialized());`,
		rule: always(failure(errVersion, "version 20000", "compile it again")),
	},
	{
		name: "module_version", what: "A module of another version than the archive.",
		c: `
			ASK(portable__fortran_init(20000, NULL));
			MUST(!portable_is_initialized());`,
		rule: always(failure(errVersion, "version 20000", "compile it again")),
	},
	{
		name: "rank_negative", what: "An invalid rank.",
		c: `
			ASK(portable_set_rank(-2, 0));
			MUST(portable_set_rank(0, -2) == PORTABLE_ERR_ARG);
			MUST(portable_rank() == -1);`,
		rule: always(failure(errArg, "rank -2", "a rank is 0 or more")),
	},
	{
		name: "read_not_connected", what: "A namelist from a unit that is not connected.",
		fortran: `
			call gator_read_config(4711, config{stat})
			{say}`,
		rule: always(failure(errArg, "gator_read_config: unit 4711 is not connected to a file")),
	},
	namelist("read_no_group", "A file without the group.", `write (unit, '(a)') '&other initial_mb = 1 /'`, "no complete namelist group"),
	namelist("read_unknown_name", "A name that the group does not have.", `write (unit, '(a)') '&portable initial_bm = 1 /'`, "initial_bm"),
	namelist("read_bad_value", "A size with an invalid unit.", `write (unit, '(a)') '&portable initial_mb = 4XB /'`, "a size is a whole number of MiB, or text as '4GB'"),
	namelist("read_bad_word", "An invalid word.", `write (unit, '(a)') "&portable initial_mb = 3, pool = 'perhaps' /"`, "pool = 'perhaps' is none of 'default', 'on', 'off'"),
	namelist("read_negative", "A negative size.", `write (unit, '(a)') '&portable initial_mb = -3 /'`, "initial_mb = -3 is negative"),
}
