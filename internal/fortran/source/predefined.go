package source

// Gfortran is the macros that gfortran defines itself, as -cpp -E -dM lists them; few of the machine's are there.
func Gfortran() []Macro {
	return []Macro{
		{Name: "__GFORTRAN__", Value: "1"}, {Name: "__GNUC__", Value: "12"}, {Name: "__GNUC_MINOR__", Value: "2"},
		{Name: "__GNUC_PATCHLEVEL__", Value: "0"}, {Name: "__VERSION__", Value: `"12.2.0"`}, {Name: "_LANGUAGE_FORTRAN", Value: "1"},
		{Name: "__LP64__", Value: "1"}, {Name: "_LP64", Value: "1"}, {Name: "__STDC_HOSTED__", Value: "1"},
		{Name: "__GFC_INT_1__", Value: "1"}, {Name: "__GFC_INT_2__", Value: "1"}, {Name: "__GFC_INT_8__", Value: "1"},
		{Name: "__GFC_INT_16__", Value: "1"}, {Name: "__GFC_REAL_10__", Value: "1"}, {Name: "__GFC_REAL_16__", Value: "1"},
		{Name: "__CHAR_BIT__", Value: "8"}, {Name: "__SIZEOF_SHORT__", Value: "2"}, {Name: "__SIZEOF_INT__", Value: "4"},
		{Name: "__SIZEOF_LONG__", Value: "8"}, {Name: "__SIZEOF_LONG_LONG__", Value: "8"}, {Name: "__SIZEOF_POINTER__", Value: "8"},
		{Name: "__SIZEOF_SIZE_T__", Value: "8"}, {Name: "__SIZEOF_FLOAT__", Value: "4"}, {Name: "__SIZEOF_DOUBLE__", Value: "8"},
		{Name: "__SIZEOF_LONG_DOUBLE__", Value: "16"}, {Name: "__ORDER_LITTLE_ENDIAN__", Value: "1234"},
		{Name: "__ORDER_BIG_ENDIAN__", Value: "4321"}, {Name: "__BYTE_ORDER__", Value: "__ORDER_LITTLE_ENDIAN__"},
		{Name: "__FLOAT_WORD_ORDER__", Value: "__ORDER_LITTLE_ENDIAN__"}, {Name: "__FINITE_MATH_ONLY__", Value: "0"},
		{Name: "__NO_MATH_ERRNO__", Value: "1"}, {Name: "__BIGGEST_ALIGNMENT__", Value: "16"},
		{Name: "__DATE__", Value: `"Jan  1 2000"`}, {Name: "__TIME__", Value: `"00:00:00"`}, // equal at each run
	}
}

// Flang is the macros that flang defines itself.
func Flang() []Macro {
	return []Macro{
		{Name: "__flang__", Value: "1"}, {Name: "__flang_major__", Value: "16"}, {Name: "__flang_minor__", Value: "0"},
		{Name: "__flang_patchlevel__", Value: "6"}, {Name: "__x86_64__", Value: "1"}, {Name: "__LITTLE_ENDIAN__", Value: "1"},
		{Name: "__DATE__", Value: `"Jan  1 2000"`}, {Name: "__TIME__", Value: `"00:00:00"`},
	}
}
