package scope

import (
	"strconv"
	"strings"

	"libportable/internal/fortran/tree"
)

// compilerTable has the names of modules that the compiler brings along, with gfortran's values. A line is a module and
// one of: K: integer constants NAME=VALUE of the default kind (_8 behind the value: kind 8); T: derived types; V TYPE:
// constants of a derived type; C: characters by their codes; A: arrays of integers; I: functions of the table of
// intrinsics; i, l, d, p, i8: external functions with that result; S: subroutines; U: what the module itself uses.
const compilerTable = `
iso_fortran_env K atomic_int_kind=4 atomic_logical_kind=4 character_storage_size=8 error_unit=0 file_storage_size=8 input_unit=5 output_unit=6
iso_fortran_env K iostat_end=-1 iostat_eor=-2 iostat_inquire_internal_unit=5018 numeric_storage_size=32
iso_fortran_env K int8=1 int16=2 int32=4 int64=8 real32=4 real64=8 real128=16
iso_fortran_env K stat_locked=1 stat_unlocked=0 stat_locked_other_image=2 stat_stopped_image=6000 stat_failed_image=6001
iso_fortran_env K initial_team=0 parent_team=1 current_team=2
iso_fortran_env A character_kinds=1,4 integer_kinds=1,2,4,8,16 logical_kinds=1,2,4,8,16 real_kinds=4,8,10,16
iso_fortran_env T lock_type event_type team_type
iso_fortran_env I compiler_options compiler_version
iso_c_binding K c_int=4 c_short=2 c_long=8 c_long_long=8 c_signed_char=1 c_size_t=8 c_int8_t=1 c_int16_t=2 c_int32_t=4 c_int64_t=8 c_int128_t=16
iso_c_binding K c_int_least8_t=1 c_int_least16_t=2 c_int_least32_t=4 c_int_least64_t=8 c_int_least128_t=16
iso_c_binding K c_int_fast8_t=1 c_int_fast16_t=8 c_int_fast32_t=8 c_int_fast64_t=8 c_int_fast128_t=16 c_intmax_t=8 c_intptr_t=8 c_ptrdiff_t=8
iso_c_binding K c_float=4 c_double=8 c_long_double=10 c_float128=16
iso_c_binding K c_float_complex=4 c_double_complex=8 c_long_double_complex=10 c_float128_complex=16 c_bool=1 c_char=1
iso_c_binding C c_null_char=0 c_alert=7 c_backspace=8 c_form_feed=12 c_new_line=10 c_carriage_return=13 c_horizontal_tab=9 c_vertical_tab=11
iso_c_binding T c_ptr c_funptr
iso_c_binding V c_ptr c_null_ptr
iso_c_binding V c_funptr c_null_funptr
iso_c_binding I c_loc c_funloc c_associated c_f_pointer c_f_procpointer c_sizeof
ieee_exceptions T ieee_flag_type ieee_status_type
ieee_exceptions V ieee_flag_type ieee_invalid ieee_overflow ieee_divide_by_zero ieee_underflow ieee_inexact ieee_usual ieee_all
ieee_exceptions I ieee_support_flag ieee_support_halting ieee_get_flag ieee_set_flag ieee_get_halting_mode ieee_set_halting_mode ieee_get_status ieee_set_status
ieee_features T ieee_features_type
ieee_features V ieee_features_type ieee_datatype ieee_denormal ieee_divide ieee_halting ieee_inexact_flag ieee_inf ieee_invalid_flag ieee_nan
ieee_features V ieee_features_type ieee_rounding ieee_sqrt ieee_subnormal ieee_underflow_flag
ieee_arithmetic U ieee_exceptions
ieee_arithmetic T ieee_class_type ieee_round_type
ieee_arithmetic V ieee_class_type ieee_other_value ieee_signaling_nan ieee_quiet_nan ieee_negative_inf ieee_negative_normal ieee_negative_denormal
ieee_arithmetic V ieee_class_type ieee_negative_subnormal ieee_negative_zero ieee_positive_zero ieee_positive_denormal ieee_positive_subnormal
ieee_arithmetic V ieee_class_type ieee_positive_normal ieee_positive_inf
ieee_arithmetic V ieee_round_type ieee_nearest ieee_to_zero ieee_up ieee_down ieee_other ieee_away
ieee_arithmetic I ieee_class ieee_copy_sign ieee_is_finite ieee_is_nan ieee_is_negative ieee_is_normal ieee_logb ieee_next_after ieee_rem ieee_rint
ieee_arithmetic I ieee_scalb ieee_selected_real_kind ieee_support_datatype ieee_support_denormal ieee_support_subnormal ieee_support_divide
ieee_arithmetic I ieee_support_inf ieee_support_io ieee_support_nan ieee_support_rounding ieee_support_sqrt ieee_support_standard
ieee_arithmetic I ieee_support_underflow_control ieee_unordered ieee_value ieee_get_rounding_mode ieee_set_rounding_mode
ieee_arithmetic I ieee_get_underflow_mode ieee_set_underflow_mode ieee_signbit ieee_int ieee_real ieee_fma ieee_max_num ieee_min_num
omp_lib U omp_lib_kinds
omp_lib_kinds K omp_allocator_handle_kind=8 omp_alloctrait_key_kind=4 omp_alloctrait_val_kind=8 omp_depend_kind=16 omp_event_handle_kind=8
omp_lib_kinds K omp_lock_hint_kind=4 omp_lock_kind=4 omp_memspace_handle_kind=8 omp_nest_lock_kind=8 omp_pause_resource_kind=4 omp_proc_bind_kind=4
omp_lib_kinds K omp_sched_kind=4 omp_sync_hint_kind=4 omp_sched_static=1 omp_sched_dynamic=2 omp_sched_guided=3 omp_sched_auto=4
omp_lib_kinds K omp_proc_bind_false=0 omp_proc_bind_true=1 omp_proc_bind_master=2 omp_proc_bind_primary=2 omp_proc_bind_close=3 omp_proc_bind_spread=4
omp_lib_kinds K omp_lock_hint_none=0 omp_lock_hint_uncontended=1 omp_lock_hint_contended=2 omp_lock_hint_nonspeculative=4 omp_lock_hint_speculative=8
omp_lib_kinds K omp_sync_hint_none=0 omp_sync_hint_uncontended=1 omp_sync_hint_contended=2 omp_sync_hint_nonspeculative=4 omp_sync_hint_speculative=8
omp_lib_kinds K omp_pause_soft=1 omp_pause_hard=2 omp_null_allocator=0_8 omp_default_mem_alloc=1_8 omp_default_mem_space=0_8
omp_lib_kinds T omp_alloctrait
omp_lib K openmp_version=201511
omp_lib i omp_get_active_level omp_get_ancestor_thread_num omp_get_default_device omp_get_device_num omp_get_initial_device omp_get_level
omp_lib i omp_get_max_active_levels omp_get_max_task_priority omp_get_max_teams omp_get_max_threads omp_get_num_devices omp_get_num_places
omp_lib i omp_get_num_procs omp_get_num_teams omp_get_num_threads omp_get_partition_num_places omp_get_place_num omp_get_place_num_procs
omp_lib i omp_get_proc_bind omp_get_supported_active_levels omp_get_team_num omp_get_team_size omp_get_teams_thread_limit omp_get_thread_limit
omp_lib i omp_get_thread_num omp_pause_resource omp_pause_resource_all omp_test_nest_lock omp_capture_affinity omp_get_affinity_format
omp_lib i omp_target_associate_ptr omp_target_disassociate_ptr omp_target_is_present omp_target_memcpy omp_target_memcpy_rect
omp_lib l omp_get_cancellation omp_get_dynamic omp_get_nested omp_in_final omp_in_parallel omp_is_initial_device omp_test_lock
omp_lib d omp_get_wtick omp_get_wtime
omp_lib i8 omp_get_default_allocator omp_init_allocator
omp_lib p omp_alloc omp_calloc omp_realloc omp_aligned_alloc omp_aligned_calloc omp_target_alloc
omp_lib S omp_destroy_allocator omp_destroy_lock omp_destroy_nest_lock omp_display_affinity omp_display_env omp_free omp_fulfill_event
omp_lib S omp_get_partition_place_nums omp_get_place_proc_ids omp_get_schedule omp_init_lock omp_init_lock_with_hint omp_init_nest_lock
omp_lib S omp_init_nest_lock_with_hint omp_set_affinity_format omp_set_default_allocator omp_set_default_device omp_set_dynamic omp_set_lock
omp_lib S omp_set_max_active_levels omp_set_nest_lock omp_set_nested omp_set_num_teams omp_set_num_threads omp_set_schedule
omp_lib S omp_set_teams_thread_limit omp_target_free omp_unset_lock omp_unset_nest_lock
openacc U openacc_kinds
openacc_kinds K acc_device_kind=4 acc_device_property=4 acc_device_property_kind=4 acc_handle_kind=4 acc_device_none=0 acc_device_default=1
openacc_kinds K acc_device_host=2 acc_device_not_host=4 acc_device_nvidia=5 acc_device_radeon=8 acc_async_noval=-1 acc_async_sync=-2
openacc_kinds K acc_property_memory=1 acc_property_free_memory=2 acc_property_name=65537 acc_property_vendor=65538 acc_property_driver=65539
openacc K openacc_version=201711
openacc i acc_get_num_devices acc_get_device_type acc_get_device_num
openacc l acc_async_test acc_async_test_all acc_on_device acc_is_present
openacc i8 acc_get_property
openacc S acc_get_property_string acc_set_device_type acc_set_device_num acc_async_wait acc_async_wait_all acc_wait acc_wait_async acc_wait_all
openacc S acc_wait_all_async acc_init acc_shutdown acc_copyin acc_copyin_async acc_present_or_copyin acc_pcopyin acc_create acc_create_async
openacc S acc_present_or_create acc_pcreate acc_copyout acc_copyout_async acc_copyout_finalize acc_delete acc_delete_async acc_delete_finalize
openacc S acc_update_device acc_update_device_async acc_update_self acc_update_self_async
`

// isIntrinsicModule reports whether the standard has a module of that name.
func isIntrinsicModule(name string) bool {
	return strings.HasPrefix(name, "ieee_") || strings.HasPrefix(name, "iso_")
}

// compilerModule is a module of the compiler; nil if it has none of that name.
func (p *Program) compilerModule(name string) *Scope {
	if s, made := p.compiler[name]; made {
		return s
	}
	if p.compiler == nil {
		p.compiler = map[string]*Scope{}
	}
	p.compiler[name] = nil
	for _, line := range strings.Split(compilerTable, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != name {
			continue
		}
		s := p.compiler[name]
		if s == nil {
			unit := &tree.Unit{Kind: tree.Module, Name: name}
			s = &Scope{Kind: ModuleScope, Name: name, Unit: unit, Program: p, symbols: map[string]*Symbol{}, compiler: true}
			p.compiler[name] = s
		}
		s.compilerLine(words[1], words[2:])
	}
	return p.compiler[name]
}

func (s *Scope) compilerLine(kind string, names []string) {
	p := s.Program
	if kind == "U" {
		for _, name := range names {
			s.uses = append(s.uses, &use{Use: &tree.Use{Module: name}, module: p.compilerModule(name), bound: true})
		}
		return
	}
	of := ""
	if kind == "V" {
		of, names = names[0], names[1:]
	}
	for _, word := range names {
		name, value, _ := strings.Cut(word, "=")
		y := &Symbol{Kind: Constant, Name: name, Scope: s, state: done}
		s.symbols[name] = y
		s.order = append(s.order, name)
		switch kind {
		case "K":
			n, kind, _ := strings.Cut(value, "_")
			// Their kind is 4 whatever the flags say: these modules were compiled without them.
			y.Type = Type{Base: Integer, Kind: 4}
			if kind != "" {
				y.Type.Kind = 8
			}
			y.value = &folded{Value: Value{Type: y.Type, Integer: integerOf(n)}, ok: true, state: done}
			y.Init = &tree.Literal{Text: n, Parameter: strconv.Itoa(y.Type.Kind)}
		case "C":
			y.Type = Type{Base: Character, Kind: 1}
			text := string([]byte{byte(integerOf(value))})
			y.value = &folded{Value: Value{Type: y.Type, Text: text}, ok: true, state: done}
			y.Init = &tree.Literal{Kind: tree.StringLiteral, Text: text}
		case "A":
			s.compilerArray(y, strings.Split(value, ","))
		case "T":
			y.Kind = DerivedType
			y.Def = &TypeDef{Name: name, Bindings: map[string]*Symbol{}, linked: true}
			y.Def.Scope = &Scope{Kind: TypeScope, Name: name, Parent: s, Program: p, def: y.Def, symbols: map[string]*Symbol{}}
			y.Type = Type{Base: Derived, Def: y.Def}
		case "V":
			y.Type = Type{Base: Derived, Def: s.symbols[of].Def}
			if name == "ieee_all" || name == "ieee_usual" {
				y.Dims = []Dimension{{Star: true}}
			}
		case "I":
			y.Kind = Intrinsic
		default:
			y.Kind, y.External = Procedure, true
			y.subroutine = kind == "S"
			y.Type = map[string]Type{
				"i": {Base: Integer, Kind: 4}, "i8": {Base: Integer, Kind: 8}, "l": {Base: Logical, Kind: 4}, "d": {Base: Real, Kind: 8},
			}[kind]
			if kind == "p" {
				y.Type = Type{Base: Derived, Def: p.compilerModule("iso_c_binding").symbols["c_ptr"].Def}
			}
		}
	}
}

func (s *Scope) compilerArray(y *Symbol, values []string) {
	y.Type = Type{Base: Integer, Kind: 4}
	y.Dims = []Dimension{{Upper: length(len(values))}}
	v := Value{Type: y.Type, Shape: []int64{int64(len(values))}}
	list := &tree.Constructor{}
	for _, text := range values {
		v.List = append(v.List, Value{Type: y.Type, Integer: integerOf(text)})
		list.Items = append(list.Items, &tree.Literal{Text: text, Parameter: "4"})
	}
	y.value, y.Init = &folded{Value: v, ok: true, state: done}, list
}

func integerOf(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// incomplete reports whether a module of the compiler may have a name that the table does not.
func (s *Scope) incomplete(name string) bool {
	return s.compiler && (strings.HasPrefix(name, "omp_") || strings.HasPrefix(name, "acc_") || strings.HasPrefix(name, "ieee_"))
}
