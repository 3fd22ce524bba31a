#!/usr/bin/env bash
# What is given as --plugin and is none: truncated files, a FIFO, a folder, text, a program. Refused with exit status 2
# and the reason; no signal, no waiting.
source "$(dirname "$0")/run.bash"

# Loads $1, which must be refused within seconds with a message that matches $2.
refused() {
	timeout 20 "$program" list --plugin "$1" >out 2>err </dev/null
	status=$?
	expect 2
	expect_in err "$2"
}

begin "the whole file"
cp "$plugins/rook.so" whole.so
run list --plugin ./whole.so
expect 0
begin "a name without a slash is a file here, not a system library"
run list --plugin whole.so
expect 0
expect_in out '^  rook$'

size=$(stat -c %s whole.so)
for cut in 0 3 20 63; do
	begin "truncated to $cut bytes"
	head -c $cut whole.so >cut.so
	refused ./cut.so '^--plugin ./cut.so: ./cut.so is (truncated|not a shared object)'
done
for cut in 64 400 1000 4096 $((size / 4)) $((size / 2)) $((size * 3 / 4)) $((size - 1)); do
	begin "truncated to $cut of $size bytes"
	head -c $cut whole.so >cut.so
	refused ./cut.so 'cut.so is truncated: its (program headers|segments|section headers|sections) extend beyond the end of the file, which has [0-9]+ bytes'
done

begin "a FIFO"
mkfifo fifo
refused ./fifo './fifo is not a regular file'
begin "a folder"
mkdir folder
refused ./folder './folder is not a regular file'
begin "a device"
refused /dev/zero '/dev/zero is not a regular file'
begin "text"
seq 1000 >text.so
refused ./text.so 'text.so is not a shared object: it does not begin with an ELF header'
begin "another word size"
cp whole.so other.so
printf '\001' | dd of=other.so bs=1 seek=4 conv=notrunc status=none
refused ./other.so 'other.so was built for another processor architecture'
begin "an object file"
cp whole.so object.so
printf '\001' | dd of=object.so bs=1 seek=16 conv=notrunc status=none
refused ./object.so 'object.so is an ELF file but not a shared object'
begin "no such file"
refused ./none.so 'plug-in cannot be loaded: ./none.so: No such file or directory'
finish
