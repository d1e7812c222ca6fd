! Every row of the table of misuse, one procedure per case: gator_misuse CASE. cases.txt lists the cases with what
! has to come of each; run_cases.sh runs them. A case ends with the line `end of case` when it came to its end;
! a case whose name ends in _stat asks for stat= and errmsg=, and prints both.
program gator_misuse
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, int64, real64
  use gator_mod
  implicit none
  real(real64), pointer :: a(:), b(:), grid(:, :)
  real(real64), target :: foreign(100)
  character(len=64) :: name
  character(len=400) :: message
  integer(c_size_t) :: bytes
  type(c_ptr) :: raw
  integer :: stat
  nullify(a, b, grid)
  foreign = 0.0_real64
  stat = 0
  message = ''
  call get_command_argument(1, name)
  select case (name)
  case ('zero_extent'); call zero_extent()
  case ('zero_extent_stat'); call zero_extent_stat()
  case ('zero_extent_bytes'); call zero_extent_bytes()
  case ('zero_extent_c'); call zero_extent_c()
  case ('negative_extent'); call negative_extent()
  case ('negative_extent_stat'); call negative_extent_stat()
  case ('negative_extent_bytes'); call negative_extent_bytes()
  case ('byte_overflow'); call byte_overflow()
  case ('byte_overflow_stat'); call byte_overflow_stat()
  case ('byte_overflow_bytes'); call byte_overflow_bytes()
  case ('bound_overflow'); call bound_overflow()
  case ('bound_overflow_stat'); call bound_overflow_stat()
  case ('bound_overflow_64_stat'); call bound_overflow_64_stat()
  case ('bound_overflow_checked'); call bound_overflow_checked()
  case ('interior'); call interior()
  case ('interior_stat'); call interior_stat()
  case ('interior_checked'); call interior_checked()
  case ('foreign'); call foreign_pointer()
  case ('foreign_stat'); call foreign_stat()
  case ('foreign_c'); call foreign_c()
  case ('double'); call double()
  case ('double_stat'); call double_stat()
  case ('null'); call null_pointer()
  case ('null_stat'); call null_stat()
  case ('null_checked'); call null_checked()
  case ('null_c'); call null_c()
  case ('allocate_before_init'); call allocate_before_init()
  case ('allocate_before_init_stat'); call allocate_before_init_stat()
  case ('deallocate_before_init_stat'); call deallocate_before_init_stat()
  case ('allocate_after_finalize'); call allocate_after_finalize()
  case ('allocate_after_finalize_stat'); call allocate_after_finalize_stat()
  case ('deallocate_after_finalize'); call deallocate_after_finalize()
  case ('deallocate_after_finalize_stat'); call deallocate_after_finalize_stat()
  case ('associated_live'); call associated_live()
  case ('associated_live_stat'); call associated_live_stat()
  case ('associated_foreign'); call associated_foreign()
  case ('associated_undefined'); call associated_undefined()
  case ('associated_freed'); call associated_freed()
  case ('associated_checked'); call associated_checked()
  case ('init_twice'); call init_twice()
  case ('init_twice_stat'); call init_twice_stat()
  case ('finalize_without_init'); call finalize_without_init()
  case ('finalize_without_init_stat'); call finalize_without_init_stat()
  case ('finalize_twice'); call finalize_twice()
  case ('finalize_live'); call finalize_live()
  case ('finalize_live_stat'); call finalize_live_stat()
  case ('init_after_finalize'); call init_after_finalize()
  case default
    write (error_unit, '(3a)') 'gator_misuse: there is no case "', trim(name), '"'
    stop 2
  end select
  write (error_unit, '(a)') 'end of case'
contains

  ! Prints what stat= and errmsg= say, in a form that cases.txt can ask for.
  subroutine say()
    write (error_unit, '(a,i0,2a)') 'stat ', stat, ': ', trim(message)
  end subroutine

  ! ---- zero extent
  subroutine zero_extent()
    call gator_init()
    call gator_allocate(grid, [3, 0])
    if (.not. associated(grid) .or. size(grid) /= 0) error stop 'no pointer of size zero'
    call gator_deallocate(grid)
    call gator_finalize()
  end subroutine

  subroutine zero_extent_stat()
    call gator_init()
    call gator_allocate(a, [0], stat=stat, errmsg=message)
    call say()
    if (stat == 0) call gator_deallocate(a)
    if (associated(a)) error stop 'the pointer is associated'
    call gator_finalize()
  end subroutine

  subroutine zero_extent_bytes()
    bytes = gator_checked_bytes([3, 0], 8_c_size_t)
    if (bytes /= 0_c_size_t) error stop 'the bytes are not zero'
  end subroutine

  subroutine zero_extent_c()
    call gator_init()
    raw = gator_allocate_c(0_c_size_t)
    if (c_associated(raw)) error stop 'the pointer is not null'
    call gator_finalize()
  end subroutine

  ! ---- negative extent, byte-count or bound overflow
  subroutine negative_extent()
    call gator_init()
    call gator_allocate(grid, [3, -1])
  end subroutine

  subroutine negative_extent_stat()
    call gator_init()
    call gator_allocate(grid, [3, -1], stat=stat, errmsg=message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine negative_extent_bytes()
    bytes = gator_checked_bytes([3, -1], 8_c_size_t)
  end subroutine

  subroutine byte_overflow()
    call gator_init()
    call gator_allocate(grid, [2_int64**31, 2_int64**31])
  end subroutine

  subroutine byte_overflow_stat()
    call gator_init()
    call gator_allocate(grid, [2_int64**31, 2_int64**31], stat=stat, errmsg=message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine byte_overflow_bytes()
    bytes = gator_checked_bytes([huge(1_int32), huge(1_int32), 4_int32], 8_c_size_t)
  end subroutine

  subroutine bound_overflow()
    call gator_init()
    call gator_allocate(a, [10_int32], [huge(1_int32) - 8_int32])
  end subroutine

  subroutine bound_overflow_stat()
    call gator_init()
    call gator_allocate(a, [10_int32], [huge(1_int32) - 8_int32], stat=stat, errmsg=message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine bound_overflow_64_stat()
    call gator_init()
    call gator_allocate(a, [10_int64], [huge(1_int64) - 8_int64], stat=stat, errmsg=message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine bound_overflow_checked()
    bytes = checked_bounds(80_c_size_t, [10_int32], [huge(1_int32) - 8_int32])
  end subroutine

  ! ---- interior, foreign or double free, a null pointer
  subroutine interior()
    call gator_init()
    call gator_allocate(a, [100])
    b => a(2:)
    call gator_deallocate(b)
  end subroutine

  subroutine interior_stat()
    call gator_init()
    call gator_allocate(a, [100])
    b => a(2:)
    call gator_deallocate(b, stat, message)
    call say()
    call gator_deallocate(a)
    call gator_finalize()
  end subroutine

  subroutine interior_checked()
    call gator_init()
    call gator_allocate(a, [100])
    call gator_checked_deallocate(c_loc(a(2)))
  end subroutine

  subroutine foreign_pointer()
    call gator_init()
    a => foreign
    call gator_deallocate(a)
  end subroutine

  subroutine foreign_stat()
    call gator_init()
    a => foreign
    call gator_deallocate(a, stat, message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine foreign_c()
    call gator_init()
    call gator_deallocate_c(c_loc(foreign))
    call gator_finalize()
  end subroutine

  subroutine double()
    call gator_init()
    call gator_allocate(a, [100])
    b => a
    call gator_deallocate(a)
    call gator_deallocate(b)
  end subroutine

  subroutine double_stat()
    call gator_init()
    call gator_allocate(a, [100])
    b => a
    call gator_deallocate(a)
    call gator_deallocate(b, stat, message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine null_pointer()
    call gator_init()
    call gator_deallocate(a)
  end subroutine

  subroutine null_stat()
    call gator_init()
    call gator_deallocate(a, stat, message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine null_checked()
    call gator_init()
    call gator_checked_deallocate(c_null_ptr)
  end subroutine

  subroutine null_c()
    call gator_init()
    call gator_deallocate_c(c_null_ptr)
    call gator_finalize()
  end subroutine

  ! ---- use before init or after finalize
  subroutine allocate_before_init()
    call gator_allocate(a, [10])
  end subroutine

  subroutine allocate_before_init_stat()
    call gator_allocate(a, [10], stat=stat, errmsg=message)
    call say()
  end subroutine

  subroutine deallocate_before_init_stat()
    a => foreign
    call gator_deallocate(a, stat, message)
    call say()
  end subroutine

  subroutine allocate_after_finalize()
    call gator_init()
    call gator_finalize()
    call gator_allocate(a, [10])
  end subroutine

  subroutine allocate_after_finalize_stat()
    call gator_init()
    call gator_finalize()
    call gator_allocate(a, [10], stat=stat, errmsg=message)
    call say()
  end subroutine

  subroutine deallocate_after_finalize()
    call gator_init()
    call gator_allocate(a, [10])
    b => a
    call gator_deallocate(a)
    call gator_finalize()
    call gator_deallocate(b)
  end subroutine

  subroutine deallocate_after_finalize_stat()
    call gator_init()
    call gator_allocate(a, [10])
    b => a
    call gator_deallocate(a)
    call gator_finalize()
    call gator_deallocate(b, stat, message)
    call say()
  end subroutine

  ! ---- allocate on an associated or undefined pointer
  subroutine associated_live()
    call gator_init()
    call gator_allocate(a, [10], label='first')
    b => a
    call gator_allocate(a, [20], label='second')
    call gator_deallocate(a)
    call gator_deallocate(b)
    call gator_finalize()
  end subroutine

  subroutine associated_live_stat()
    call gator_init()
    call gator_allocate(a, [10], label='first')
    b => a
    call gator_allocate(a, [20], label='second', stat=stat, errmsg=message)
    call say()
    if (stat /= 0 .and. .not. associated(a, b)) error stop 'the pointer was changed'
    if (stat == 0) call gator_deallocate(a)
    call gator_deallocate(b)
    call gator_finalize()
  end subroutine

  subroutine associated_foreign()
    call gator_init()
    a => foreign
    call gator_allocate(a, [20])
    call gator_deallocate(a)
    call gator_finalize()
  end subroutine

  ! What an undefined pointer holds is what was in its place before: here an address that nobody may read.
  subroutine associated_undefined()
    real(real64), pointer :: undefined(:)
    raw = transfer(4096_c_intptr_t, raw)
    call c_f_pointer(raw, undefined, [10])
    call gator_init()
    call gator_allocate(undefined, [20], stat=stat, errmsg=message)
    call say()
    if (stat == 0) call gator_deallocate(undefined)
    call gator_finalize()
  end subroutine

  ! A pointer that was not nullified after its block was freed under another name.
  subroutine associated_freed()
    call gator_init()
    call gator_allocate(a, [10])
    b => a
    call gator_deallocate(b)
    call gator_allocate(a, [20000], stat=stat, errmsg=message)
    call say()
    if (stat == 0) call gator_deallocate(a)
    call gator_finalize()
  end subroutine

  subroutine associated_checked()
    call gator_init()
    raw = checked_alloc(80_c_size_t, .true.)
    call gator_checked_deallocate(raw)
    call gator_finalize()
  end subroutine

  ! ---- init and finalize
  subroutine init_twice()
    call gator_init()
    call gator_init()
    call gator_allocate(a, [10])
    call gator_deallocate(a)
    call gator_finalize()
  end subroutine

  subroutine init_twice_stat()
    call gator_init()
    call gator_init(stat=stat, errmsg=message)
    call say()
    call gator_finalize()
  end subroutine

  subroutine finalize_without_init()
    call gator_finalize()
  end subroutine

  subroutine finalize_without_init_stat()
    call gator_finalize(stat, message)
    call say()
  end subroutine

  subroutine finalize_twice()
    call gator_init()
    call gator_finalize()
    call gator_finalize()
  end subroutine

  subroutine finalize_live()
    call gator_init()
    call gator_allocate(a, [1000], label='left behind')
    call gator_finalize()
  end subroutine

  ! Under GATOR_STRICT=1 nothing is released, and the program can put it right.
  subroutine finalize_live_stat()
    call gator_init()
    call gator_allocate(a, [1000], label='left behind')
    call gator_finalize(stat, message)
    call say()
    if (stat == 0) return
    call gator_deallocate(a)
    call gator_finalize()
  end subroutine

  subroutine init_after_finalize()
    call gator_init()
    call gator_allocate(a, [10])
    call gator_deallocate(a)
    call gator_finalize()
    call gator_init()
    call gator_allocate(a, [10])
    call gator_deallocate(a)
    call gator_finalize()
  end subroutine

end program
