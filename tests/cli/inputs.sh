#!/usr/bin/env bash
# Every file that a user names: a FIFO that nobody writes to, a folder and a device without end are refused at once, with
# exit status 2, the name and the reason.
source "$(dirname "$0")/run.bash"
mkfifo fifo fifo.goal fifo.bin fifo.mpi fifo.meta fifo.otf2 fifo.0.et fifo.aspen fifo.cfg fifo.jsonl
mkdir folder folder.goal folder.bin folder.mpi folder.meta folder.otf2 folder.0.et folder.aspen folder.cfg
for name in zero zero.goal zero.bin zero.mpi zero.meta zero.otf2 zero.0.et zero.aspen zero.cfg; do ln -s /dev/zero $name; done
cat >net.cfg <<-END
	topology = { kind = "torus"; dims = [4, 4]; };
	traffic  = ( { load = 0.2; packet = "256B"; } );
	time     = { warmup = "0us"; measure = "1us"; };
END
sed -n '1,3!d;s/traffic.*/traffic = ( { process = "goal"; file = "app.goal"; mapping_file = "odd"; } );/;/time/d;p' net.cfg >mapped.cfg
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n' >app.goal

none='is not a regular file|is a directory|not a regular file'
refused() { # NAME WORD...
	local odd=$1
	shift
	timeout 20 "$program" "$@" >out 2>err </dev/null
	status=$?
	expect 2
	expect_out ""
	expect_in err "$odd.*($none)"
}
job() { # KEYS
	echo "traffic = ( { $1 } );"
}
process() { # ODD KEYS
	sed '/traffic\|time/d' net.cfg >job.cfg
	job "$2" >>job.cfg
	refused "$1" run job.cfg
}
for odd in fifo folder zero; do
	begin "$odd as a configuration, an experiment, a study"
	for command in run check topo cost sweep compare design; do
		refused $odd.cfg $command ./$odd.cfg
	done
	refused $odd.cfg run net.cfg --set "plugins=[\"./$odd.cfg\"]"
	echo "@include \"$odd.cfg\"" >including.cfg
	refused $odd.cfg run including.cfg
	begin "$odd as the files of keys"
	refused $odd run net.cfg --set "topology={ kind = \"edges\"; file = \"$odd\"; endpoints = 1; }"
	refused $odd run net.cfg --set traffic.[0].pattern=permutation --set "traffic.[0].file=\"$odd\""
	refused $odd cost net.cfg --set "cost={ kind = \"prices\"; file = \"$odd\"; }"
	sed "s/odd/$odd/" mapped.cfg >job.cfg
	refused $odd run job.cfg
	begin "$odd as a workload of a job"
	process $odd "process = \"goal\"; file = \"$odd\";"
	process $odd.meta "process = \"dumpi\"; meta = \"$odd.meta\";"
	process $odd.0.et "process = \"chakra\"; prefix = \"$odd\";"
	process $odd.mpi "process = \"recorded\"; file = \"$odd.mpi\";"
	process $odd.aspen "process = \"aspen\"; model = \"$odd.aspen\";"
	begin "$odd as a workload"
	for name in $odd.goal $odd.bin $odd.meta $odd.0.et $odd.mpi $odd.aspen; do
		refused $name workload $name
		[ $name = $odd.aspen ] && ranks="--ranks 4" || ranks=
		refused $name workload $name --emit goal $ranks
	done
	begin "$odd for the OTF2 library"
	if run workload none.otf2 && ! grep -q 'built without' err; then
		refused $odd.otf2 workload $odd.otf2
		process $odd.otf2 "process = \"otf2\"; file = \"$odd.otf2\";"
	fi
done
begin "a FIFO as a result"
refused fifo.jsonl show fifo.jsonl
refused fifo.jsonl diff fifo.jsonl fifo.jsonl
refused fifo.jsonl report fifo.jsonl
begin "a pipe that is open already is none of these"
run run <(cat net.cfg)
expect 0
run run /dev/stdin
expect 2
"$program" run /dev/stdin --quiet >out 2>err < <(cat net.cfg)
status=$?
expect 0

begin "a damaged table of a folder of results"
for record in compare.json:comparison design.json:design; do
	name=${record%:*}
	mkdir -p results
	printf '{\n"record": "%s",\n"format": 1,\n"networks": [}\n' "${record#*:}" >results/$name
	run report results --out page.html
	expect 2
	expect_in err "^results/$name:4: "
	printf '{"record": "other"}' >results/$name
	run report results --out page.html
	expect 2
	expect_err "results/$name: is not a ${record#*:} that this program can read"
	: >results/$name
	run report results --out page.html
	expect 2
	expect_in err "^results/$name(:1)?: "
	rm results/$name
	mkfifo results/$name
	timeout 20 "$program" report results --out page.html >out 2>err </dev/null
	status=$?
	expect 2
	expect_err "results/$name: is not a regular file"
	rm results/$name
done
expect_no_file page.html
finish
