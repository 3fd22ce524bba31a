! tests/cli/record_fortran.f90 - what record_fortran.c calls; MODULE is mpi or mpi_f08: see record.sh
subroutine work(what, number)
  use MODULE
  implicit none
  integer :: what, number, rank, error, x(100)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  x = rank
  if (what == 1 .and. rank == 0) call mpi_send(x, 100, mpi_integer, 1, 7, mpi_comm_world, error)
  if (what == 1 .and. rank == 1) call mpi_recv(x, 100, mpi_integer, 0, 7, mpi_comm_world, mpi_status_ignore, error)
  if (what == 2) call complete(number)
end subroutine

subroutine complete(number)
  implicit none
  external :: mpi_wait
  integer :: number, status(64), error
  call mpi_wait(number, status, error)
end subroutine
