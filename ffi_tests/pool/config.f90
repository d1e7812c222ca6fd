! gator_init with a configuration, and the namelist group &portable.
program config
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod
  use check_mod, only: check, check_equal, check_nothing_live, finish_checks
  implicit none
  type(gator_config) :: settings
  type(gator_stats_t) :: stats
  real(real64), pointer :: a(:)
  integer(int64), parameter :: mib = 1048576_int64
  integer(int64) :: released
  character(len=300) :: message
  integer :: stat
  nullify(a)

  call read_group('&other x = 1 /|&portable initial_mb = 8, limit_mb = 32, POOL = ''On'' /')
  call check(stat == 0, 'a good group')
  call check_equal(settings%initial_mb, 8_int64, 'initial_mb')
  call check_equal(settings%limit_mb, 32_int64, 'limit_mb')
  call check(settings%pool == 'On', 'pool')
  settings%grow_mb = 4_int64
  call read_group('&portable block_bytes = 256 /')
  call check(stat == 0, 'a second group')
  call check_equal(settings%initial_mb, 8_int64, 'what the group does not name stays')
  call check_equal(settings%block_bytes, 256_int64, 'block_bytes')

  ! Sizes as text, as the environment has them, in every dress of a namelist.
  call read_group('&portable initial_mb = ''4GB'', GROW_MB="512 mb" limit_mb=8TB, block_bytes = ''4k'' /')
  call check(stat == 0, 'sizes as text: '//trim(message))
  call check_equal(settings%initial_mb, 4096_int64, '4GB')
  call check_equal(settings%grow_mb, 512_int64, '512 mb')
  call check_equal(settings%limit_mb, 8388608_int64, '8TB')
  call check_equal(settings%block_bytes, 4096_int64, '4k')
  call read_group('don''t look here ! &portable initial_mb = 1 /|$PORTABLE ! it''s "here" /|  initial_mb|=|''0.5GB'' !|' &
                  //', limit_mb = ''7'',|pool = "/ ! limit_mb=9GB", fastpath = ''on''|,pool=''off'' &END')
  call check(stat == 0, 'comments, lines and quotes: '//trim(message))
  call check_equal(settings%initial_mb, 512_int64, '0.5GB')
  call check_equal(settings%limit_mb, 7_int64, 'text without a unit')
  call check(settings%pool == 'off' .and. settings%fastpath == 'on', 'words next to sizes')
  call read_group('&portable grow_mb = 2, grow_mb = 1GB'//repeat(' ', 3000)//'limit_mb = 32, initial_mb = 8|/')
  call check(stat == 0, 'a long line: '//trim(message))
  call check_equal(settings%grow_mb, 1024_int64, 'the later of two')
  call check_equal(settings%limit_mb, 32_int64, 'a plain number after a size')
  call read_group('&portable block_bytes = 256, pool = ''on'', grow_mb = 4 /')
  call check(stat == 0, 'plain numbers again')

  call expect_bad('&portable initial_mb = ''4GX'' /', 'portable', 'an unknown unit')
  call expect_bad('&portable initial_mb = ''512KB'' /', 'initial_mb = 512KB is no whole number of MiB', 'less than one MiB')
  call expect_bad('&portable block_bytes = 0.5b /', 'block_bytes = 0.5b is no whole number of bytes', 'half a byte')
  call expect_bad('&portable limit_mb = 9999999999999TB /', 'limit_mb = 9999999999999TB is too large', 'too much text')
  call expect_bad('&portable initial_mb = ''4GB', 'portable', 'a quote without end')
  call expect_bad('&portable grow_mb = '''' /', 'portable', 'an empty text')
  call read_group('&portable initial_mb = , '//achar(9)//'grow_mb'//achar(9)//'=1g'//achar(9)//'/')
  call check(stat == 0, 'no value, and tabs: '//trim(message))
  call check_equal(settings%grow_mb, 1024_int64, '1g')
  settings%grow_mb = 4_int64
  call expect_bad('&other x = 1 /', 'portable', 'no group')
  call expect_bad('&portable initial_mb = 8', 'portable', 'a group without end')
  call expect_bad('&portable initial_gb = 8 /', 'initial_gb', 'an unknown name')
  call expect_bad('&portable initial_mb = much /', 'portable', 'a word for a number')
  call expect_bad('&portable limit_mb = -1 /', 'limit_mb', 'a negative size')
  call expect_bad('&portable limit_mb = 9000000000000000000 /', 'limit_mb', 'a size beyond 64 bits of bytes')
  call expect_bad('&portable pool = ''maybe'' /', 'maybe', 'an unknown word for pool')
  call expect_bad('&portable fastpath = ''fast'' /', 'fast', 'an unknown word for fastpath')
  call gator_read_config(987, settings, stat, message)
  call check(stat == gator_err_arg .and. index(message, '987') > 0, 'a unit that is not connected')

  settings%block_bytes = 0_int64
  call gator_init(settings, stat, message)
  call check(stat == 0, 'gator_init with a configuration')
  call gator_get_stats(stats)
  call check(stats%reserved_bytes <= 32_int64*mib, 'the configuration holds')
  call gator_allocate(a, [100])
  call gator_get_stats(stats)
  call check_equal(stats%in_use_blocks, 1_int64, 'live blocks')
  call check_equal(stats%in_use_bytes, 800_int64, 'live bytes')
  call gator_deallocate(a)
  call gator_trim()
  call gator_trim(released, stat)
  call check(stat == 0 .and. released >= 0_int64, 'gator_trim')
  call gator_check()
  call check_nothing_live()
  call gator_finalize()

  settings%pool = 'sideways'
  call gator_init(settings, stat, message)
  call check(stat == gator_err_arg .and. index(message, 'sideways') > 0, 'gator_init with an unknown word')
  call gator_init(gator_config(initial_mb=-1_int64), stat)
  call check(stat == gator_err_arg, 'gator_init with a negative size')
  call gator_init(gator_config(pool='off', fastpath='off'))
  call gator_allocate(a, [1000])
  call check(associated(a), 'straight from the system')
  call gator_deallocate(a)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
contains
  ! Reads the group from a file of the given lines, which | separates.
  subroutine read_group(text)
    character(*), intent(in) :: text
    integer :: unit, first, bar
    open (newunit=unit, status='scratch', action='readwrite')
    first = 1
    do
      bar = index(text(first:), '|')
      if (bar == 0) exit
      write (unit, '(a)') text(first:first + bar - 2)
      first = first + bar
    end do
    write (unit, '(a)') text(first:)
    rewind (unit)
    message = ''
    call gator_read_config(unit, settings, stat, message)
    close (unit)
  end subroutine

  subroutine expect_bad(text, fragment, what)
    character(*), intent(in) :: text, fragment, what
    type(gator_config) :: before
    before = settings
    call read_group(text)
    call check(stat == gator_err_arg, what//': stat')
    call check(index(message, fragment) > 0, what//': errmsg: '//trim(message))
    call check(settings%initial_mb == before%initial_mb .and. settings%limit_mb == before%limit_mb &
               .and. settings%pool == before%pool .and. settings%fastpath == before%fastpath, what//': unchanged')
  end subroutine
end program
