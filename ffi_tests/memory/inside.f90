! inside.f90 - faults inside the library, which libportable_debug.a has on demand: an error that should not be, and a panic. The texts go to
! standard output, each behind a line that says which it is.
module model_mod
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_size_t, c_ptr, c_null_ptr, c_char, c_f_pointer
  implicit none
  interface
    integer(c_int32_t) function portable_init(config) bind(C)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: config
    end function
    integer(c_int32_t) function portable_debug_fault(kind) bind(C)
      import :: c_int32_t
      integer(c_int32_t), value :: kind
    end function
    type(c_ptr) function portable_last_error() bind(C)
      import :: c_ptr
    end function
    integer(c_size_t) function strlen(s) bind(C)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: s
    end function
  end interface
contains
  subroutine step(kind)
    integer(c_int32_t), intent(in) :: kind
    character(kind=c_char), pointer :: text(:)
    type(c_ptr) :: p
    integer(c_int32_t) :: status
    status = portable_debug_fault(kind)   !@fault
    p = portable_last_error()
    call c_f_pointer(p, text, [strlen(p)])
    print '(a,i0,a,i0)', 'kind ', kind, ' status ', status
    print '(*(a))', text
  end subroutine
end module

program model
  use model_mod
  implicit none
  if (portable_init(c_null_ptr) /= 0) error stop 'portable_init'
  call step(0_c_int32_t)
  call step(1_c_int32_t)
  call step(1_c_int32_t)
end program
