! records.f90 - arrays of records from Fortran: the same code on every layout, fields as pointers and handles, the program's own derived type,
! copies, blocks at the end, what is refused. Not in this file: all layouts against one another (records.c).
module records_work
  use check_mod, only: check, live_blocks
  use portable_array_mod
  use portable_record_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none

  type, bind(c) :: atom_t
    real(c_double) :: x(3), mass
    integer(c_int32_t) :: kind
    real(c_float) :: charge
  end type
contains
  subroutine describe(atom)
    type(portable_record), intent(out) :: atom
    type(atom_t) :: one
    call atom%add('x', portable_real64, count=3)
    call atom%add('mass', portable_real64)
    call atom%add('kind', portable_int32)
    call atom%add('charge', portable_real32)
    call check(atom%bytes() == storage_size(one)/8, 'a record is as the derived type')
  end subroutine

  ! Arrays of the program's, one for each field, are records.
  subroutine own_fields()
    type(portable_record) :: atom
    type(portable_records) :: atoms, copy
    integer, parameter :: n = 50
    real(c_double), target :: x(n,3), mass(0:n-1)
    integer(c_int32_t), target :: kind(n)
    real(c_double), pointer :: p(:), q(:)
    integer :: i, stat
    character(200) :: text
    x = 0
    mass = [(real(i, c_double), i=1, n)]
    kind = 3
    call atom%add('x', portable_real64, count=3)
    call atom%add('mass', portable_real64)
    call atom%add('kind', portable_int32)
    call atoms%wrap_fields(atom, [c_loc(x), c_loc(mass), c_loc(kind)], [n], [-1], label='own')
    call check(atoms%use_count() == 0, 'the library owns nothing')
    call check(live_blocks() == 0, 'nothing is allocated')
    call atoms%field('x', p, component=2)
    call check(lbound(p, 1) == -1 .and. size(p) == n .and. associated(p, x(:,2)), 'a field is the program''s array')
    p = 4
    call check(nint(sum(x)) == 4*n, 'it is written through')
    call copy%create(atom, [n], layout=portable_aos)
    call atoms%copy_to(copy)
    call copy%field('mass', q)
    call check(all(nint(q) == nint(mass)), 'copied into another layout')
    call atoms%wrap_fields(atom, [c_loc(x), c_loc(mass), c_loc(kind)], [n], stat=stat, errmsg=text)
    call check(stat == 4 .and. index(text, 'portable_records_wrap_fields of ''records'': the handle holds') == 1, trim(text))
    call atoms%release()
    call atoms%wrap_fields(atom, [c_loc(x), c_loc(mass)], [n], label='two', stat=stat, errmsg=text)
    call check(stat == 1 .and. index(text, 'portable_records_wrap_fields of ''two'': there are more or fewer') == 1, trim(text))
    call atoms%wrap_fields(atom, [c_loc(x), c_loc(mass), c_loc(kind)], [n], [1,1], stat=stat, errmsg=text)
    call check(stat == 1 .and. index(text, 'lower bounds') > 0, trim(text))
    call atoms%wrap_fields(atom, [c_loc(x), c_null_ptr, c_loc(kind)], [n], stat=stat, errmsg=text)
    call check(stat == 1 .and. index(text, 'portable_records_wrap_fields') > 0, trim(text))
    call atoms%wrap_fields(atom, [c_loc(x), c_loc(mass), c_loc(kind)], [-1], stat=stat, errmsg=text)
    call check(stat == 1 .and. .not. atoms%allocated(), trim(text))
  end subroutine

  subroutine one_code(layout)
    integer, intent(in) :: layout
    type(portable_record) :: atom
    type(portable_records) :: atoms, other
    type(portable_array) :: vector
    real(8), pointer :: x(:,:,:), y(:,:), mass(:,:)
    integer(int32), pointer :: kind(:,:)
    integer :: i, j, c
    call describe(atom)
    call atoms%create(atom, [5, 4], [0, 1], layout=layout, label='atoms')
    call atoms%field('mass', mass)
    call atoms%field('kind', kind)
    call check(all(lbound(mass) == [0, 1]) .and. all(shape(kind) == [5, 4]), 'bounds')
    do c = 1, 3
      call atoms%field('x', y, component=c)
      do j = 1, 4
        do i = 0, 4
          y(i,j) = real(c*(10*j + i), 8)
          mass(i,j) = 0.5d0
          kind(i,j) = i
        end do
      end do
    end do
    call atoms%field('x', vector) ! a handle has it in any layout
    call check(vector%rank() == 3 .and. vector%ubound(1) == 3 .and. vector%lbound(2) == 0, 'a whole vector')
    call atoms%field('x', y, component=2)
    call check(abs(y(3,2) - 46) <= 0 .and. all(shape(y) == [5, 4]), 'one value of a vector')
    call other%create(atom, [5, 4], layout=merge(portable_soa, portable_aos, layout == portable_aos))
    call atoms%copy_to(other)
    call other%field('kind', kind)
    call check(all(kind(5,:) == 4) .and. lbound(kind, 1) == 1, 'a copy into another layout')
    call other%field('x', y, component=3)
    call check(abs(sum(y) - 3*sum([((10*j + i, i = 0, 4), j = 1, 4)])) <= 0, 'a copied value')
    if (layout == portable_soa) then
      call other%field('x', x)
      call check(all(shape(x) == [3, 5, 4]) .and. abs(x(2,1,1) - 20) <= 0, 'a whole vector of structures')
    end if
    other = atoms
    call check(atoms%use_count() == 3, 'an assignment holds, and a field')
  end subroutine

  subroutine own_type()
    type(atom_t), target :: own(10)
    type(portable_record) :: atom
    type(portable_records) :: atoms, fast
    type(portable_array) :: a
    real(8), pointer :: mass(:), x(:,:)
    integer :: i
    call describe(atom)
    do i = 1, 10
      own(i) = atom_t([1d0, 2d0, 3d0], real(i, 8), int(i, int32), 0.25)
    end do
    call atoms%wrap(atom, c_loc(own), [10], label='own')
    call atoms%field('mass', mass)
    call check(abs(mass(7) - 7) <= 0 .and. size(mass) == 10, 'a pointer into the program''s structures')
    mass(7) = -1
    call check(abs(own(7)%mass + 1) <= 0, 'the same memory')
    call fast%create(atom, [10], layout=portable_blocks, width=4, zero=.true.)
    call atoms%copy_to(fast)
    call fast%lanes('x', a, component=3)
    call a%get(x)
    call check(all(shape(x) == [4, 3]) .and. abs(x(2,3) - 3) <= 0 .and. abs(x(3,3)) <= 0, 'blocks as they lie')
    call check(live_blocks() > 0, 'blocks have memory')
  end subroutine

  subroutine refused()
    type(portable_record) :: odd
    type(portable_records) :: r, none
    integer(int64), pointer :: n(:)
    real(8), pointer :: x(:)
    character(len=300) :: message
    integer :: stat
    call odd%add('k', portable_int32)
    call odd%add('n', portable_int64, offset=4)
    call odd%add('k', portable_int32, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'portable_record_add of ''k'': there is a field of this name already') > 0, message)
    call odd%add('l', portable_int32, offset=8, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'it lies over the field ''n''') > 0, message)
    call odd%add('l', portable_int32)
    call r%create(odd, [3], layout=portable_aos, label='odd', stat=stat)
    call r%field('n', n, stat=stat, errmsg=message)
    call check(stat == 0 .or. index(message, 'no whole number of the field''s elements of 8 bytes') > 0, message)
    call r%field('m', n, stat=stat, errmsg=message)
    call check(stat == 1 .and. .not. associated(n) .and. index(message, 'of ''odd'': there is no field ''m''') > 0, message)
    call r%field('n', x, stat=stat, errmsg=message)
    call check(stat == 1 .and. .not. associated(x), message)
    call r%field('k', n, component=2, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'the field ''k'' has no value 2; it has 1, counted from 1') > 0, message)
    call r%field('k', n, component=0, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'the field ''k'' has no value below 1') > 0, message)
    call r%create(odd, [3], stat=stat, errmsg=message)
    call check(stat == 4 .and. index(message, 'holds the records ''odd'' already') > 0, message)
    call none%field('k', n, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'these are no records') > 0, message)
    call none%create(odd, [3], layout=portable_blocks, width=3, stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'width is 3') > 0, message)
    call r%copy_to(none, stat, message)
    call check(stat == 1, message)
  end subroutine
end module

program records_f
  use check_mod, only: check, live_blocks, finish_checks
  use records_work
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  call portable_init()
  call own_fields()
  call one_code(portable_aos)
  call one_code(portable_soa)
  call own_type()
  call refused()
  call check(live_blocks() == 0_int64, 'blocks at the end')
  call portable_finalize()
  call finish_checks()
end program
