#!/usr/bin/env bash
# Graphs of other tools: each format there and back, files of each that are written here from the formats' own
# documentation, what is refused, and names, from facts to results.
source "$(dirname "$0")/run.bash"

# A fat tree of two levels has switches without endpoints; a dragonfly has groups and two link classes.
echo 'topology = { kind = "fattree"; k = 4; levels = 2; };' >tree.cfg
echo 'topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; g = 9; };' >fly.cfg
echo 'topology = { kind = "dragonfly-plus"; p = 2; leaves = 2; spines = 2; h = 2; g = 5; };' >plus.cfg

# The reference of facts is the same graph as `edges` reads it: minimal routes of families are other than shortest ones.
facts() { # what is the same however the switches are numbered
	python3 - "$@" <<'P'
import json, sys
keep = ["switches", "endpoints", "links", "radix", "network_radix", "diameter", "mean_distance", "girth", "max_channel_load_uniform"]
keep += [k for k in sys.argv[3:]]
a, b = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
for k in keep:
    x, y = a.get(k), b.get(k)
    if x != y and not (isinstance(x, float) and abs(x - y) < 1e-9):
        sys.exit(f"{k}: {x} and {y}")
P
}
back() { # TOPOLOGY FORMAT FILE ENDPOINTS MORE: written, read, the same facts
	begin "$1 as $2"
	run topo $1.cfg --quiet --export $2 "$3"
	expect 0
	run topo --import "$3" --format $2 ${4:+--set topology.endpoints=$4} --json
	expect 0
	facts $1.json out ${5:-} || fail "facts differ"
}
for graph in tree fly; do
	run topo $graph.cfg --quiet --edges $graph.edges
	echo "topology = { kind = \"edges\"; file = \"$graph.edges\"; };" >$graph-edges.cfg
	run topo $graph-edges.cfg --json
	cp out $graph.json
	for format in graphml node-link infragraph dot; do
		[ $format = dot ] && [ ! -x "$(dirname "$program")/tilefly-dot" ] && continue
		back $graph $format $graph.$format '' links_by_class
	done
	for format in ibnetdiscover sst metis anynet; do
		back $graph $format $graph.$format
	done
done
back fly edgelist fly.edgelist 2 links_by_class
back fly adjlist fly.adjlist 2
back fly codes-dragonfly fly-inter 2 links_by_class
run topo plus.cfg --quiet --edges plus.edges
echo 'topology = { kind = "edges"; file = "plus.edges"; };' >plus-edges.cfg
run topo plus-edges.cfg --json
cp out plus.json
back plus codes-dragonfly-plus plus-inter 2 links_by_class

begin "formats are recognized"
for file in tree.ibnetdiscover tree.graphml tree.node-link tree.infragraph tree.sst tree.metis tree.anynet; do
	run topo --import $file --json
	expect 0
	facts tree.json out || fail "$file"
done
run topo --import fly-inter --json
expect 2
expect_in err 'topology.format=auto: is needed: fly-inter is a binary file, as those of codes-dragonfly'
cp fly.edgelist fly.txt
run topo --import fly.txt --json
expect 2
expect_in err 'could be of several formats: adjlist .*, edgelist .* or metis; a list of cables .*"edges"'

begin "what a format cannot say"
run topo tree.cfg --export adjlist no.adjlist
expect 2
expect_in err 'has no endpoints, and these switches have different numbers of them: 0 and 2; ibnetdiscover, graphml'
expect_no_file no.adjlist
run topo tree.cfg --export codes-dragonfly no-inter
expect 2
expect_in err 'no groups of equal size'
expect_no_file no-inter
expect_no_file no-intra
run topo fly.cfg --set topology.trunk=1 --export codes-dragonfly noname
expect 1
expect_in err 'the name must contain "inter", which is replaced by "intra"'
run topo fly-edges.cfg --set topology.trunk=2 --export anynet no.anynet
expect 2
expect_in err 'one cable at most; this topology has parallel ones'
run topo fly.cfg --quiet --export anynet fly.anynet
expect_in err 'warning: anynet has no link classes: the 2 of this topology are not written'

begin "parallel cables"
run topo tree.cfg --quiet --edges double.edges
for format in graphml ibnetdiscover metis; do
	echo 'topology = { kind = "edges"; file = "double.edges"; trunk = 2; };' >double.cfg
	run topo double.cfg --quiet --export $format double.$format
	expect 0
	run topo --import double.$format --json
	expect 0
	expect_in out '"links":16,.*"girth":2,'
done

# --- ibnetdiscover, by its man page and the program that writes it -------------------------------------------------

# Two leaves of four hosts each, two spines; every leaf has two cables to spine 1 and one to spine 2.
begin "ibnetdiscover"
ib() {
	cat <<'END'
#
# Topology file: generated on Mon Nov 30 12:00:00 2026
#
# Initiated from node 0002c90300000101 port 0002c90300000101

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x2c9030000000a
switchguid=0x2c9030000000a(2c9030000000a)
END
	leaf() { # GUID NAME FIRST HOSTS: ports 1 to 4, then 5 6 to spine 1, 7 to spine 2
		printf 'Switch\t40 "S-000000000000000%s"\t\t# "MF0;%s:MQM8700/U1" enhanced port 0 lid %s lmc 0\n' "$1" "$2" "$3"
		for i in 1 2 3 4; do
			host=$(($3 + i - 1))
			printf '[%s]\t"H-000000000000010%s"[1](10%s) \t\t# "node%s mlx5_0" lid 2%s 4xHDR\n' $i $host $host $host $host
		done
		printf '[5]\t"S-000000000000000c"[%s]\t\t# "MF0;spine1:MQM8700/U1" lid 3 4xHDR\n' "$4"
		printf '[6]\t"S-000000000000000c"[%s]\t\t# "MF0;spine1:MQM8700/U1" lid 3 4xHDR\n' $(($4 + 1))
		printf '[7]\t"S-000000000000000d"[%s]\t\t# "MF0;spine2:MQM8700/U1" lid 4 4xHDR s=4 w=2 v=4\n\n' "$4"
	}
	leaf a leaf1 1 1
	leaf b leaf2 5 3
	printf 'vendid=0x2c9\nswitchguid=0xc(c)\nSwitch\t40 "S-000000000000000c"\t\t# "MF0;spine1:MQM8700/U1" enhanced port 0 lid 3 lmc 0\n'
	printf '[1]\t"S-000000000000000a"[5]\t\t# "MF0;leaf1:MQM8700/U1" lid 1 4xHDR\n[2]\t"S-000000000000000a"[6]\t\t# "MF0;leaf1:MQM8700/U1" lid 1 4xHDR\n'
	printf '[3]\t"S-000000000000000b"[5]\t\t# "MF0;leaf2:MQM8700/U1" lid 2 4xHDR\n[4]\t"S-000000000000000b"[6]\t\t# "MF0;leaf2:MQM8700/U1" lid 2 4xHDR\n\n'
	printf 'Switch\t40 "S-000000000000000d"\t\t# "MF0;spine2:MQM8700/U1" enhanced port 0 lid 4 lmc 0\n'
	printf '[1]\t"S-000000000000000a"[7]\t\t# "MF0;leaf1:MQM8700/U1" lid 1 4xHDR\n[3]\t"S-000000000000000b"[7]\t\t# "MF0;leaf2:MQM8700/U1" lid 2 4xHDR\n'
	for host in 1 2 3 4 5 6 7 8; do
		leaf=$([ $host -le 4 ] && echo a || echo b)
		printf '\nvendid=0x2c9\ndevid=0x101b\ncaguid=0x10%s\nCa\t1 "H-000000000000010%s"\t\t# "node%s mlx5_0"\n' $host $host $host
		printf '[1](10%s) \t"S-000000000000000%s"[%s]\t\t# lid 2%s lmc 0 "MF0;leaf:MQM8700/U1" lid 1 4xHDR\n' $host $leaf $((host > 4 ? host - 4 : host)) $host
	done
}
ib >fabric.topo
run topo --import fabric.topo --json
expect 0
expect_in out '"switches":4,"endpoints":8,"links":6,"radix":7,"network_radix":4,"diameter":2,'
expect_in out '"girth":2,'
expect_in out '"switch_names":\["MF0;leaf1:MQM8700/U1","MF0;leaf2:MQM8700/U1","MF0;spine1:MQM8700/U1","MF0;spine2:MQM8700/U1"\],"endpoint_names":\["node1 mlx5_0",.*"node8 mlx5_0"\]'
run topo --import fabric.topo --edges -
expect_in out '^0 2 local bandwidth=200Gbps$'
[ "$(grep -cE '^0 2 ' out)" = 2 ] && [ "$(grep -cE '^[01] 3 ' out)" = 2 ] && [ "$(grep -cE '^1 2 ' out)" = 2 ] || fail "cables"
expect_in out '^endpoints 0-1 4$'
run topo --import fabric.topo
expect_in out 'names +switch 0 \(MF0;leaf1:MQM8700/U1\) \.\.\. switch 3 \(MF0;spine2'

begin "ibnetdiscover, names there and back"
for format in ibnetdiscover graphml node-link; do
	run topo --import fabric.topo --quiet --export $format again.$format
	expect 0
	run topo --import again.$format --json
	expect_in out '"switch_names":\["MF0;leaf1:MQM8700/U1",.*"endpoint_names":\["node1 mlx5_0",.*"node8 mlx5_0"\]'
done

begin "ibnetdiscover, contradictions"
sed 's/^\[7\]\(.*\)\[1\]/[7]\1[2]/' fabric.topo >bad.topo # leaf1 says port 2 of spine 2
run topo --import bad.topo
expect 2
expect_in err 'bad.topo:[0-9]+: the block of "S-000000000000000d" does not have its port 2'
sed '0,/"H-0000000000000101"\[1\]/s//"X-0000000000000101"[1]/' fabric.topo >bad.topo
run topo --import bad.topo
expect_in err 'bad.topo:11: "X-0000000000000101" is no GUID of a switch'
printf 'Switch\t2 "S-1"\n[1]\t"S-2"[1]\n' >bad.topo
run topo --import bad.topo
expect_in err 'bad.topo:2: switch "S-2" has no block'

# --- GraphML -------------------------------------------------------------------------------------------------------

begin "GraphML"
cat >graph.graphml <<'END'
<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d2" for="edge" attr.name="weight" attr.type="int"/>
  <key id="d1" for="node" attr.name="color" attr.type="string"><default>yellow</default></key>
  <key id="d0" for="node" attr.name="type" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="a"><data key="d0">switch</data></node>
    <node id="b &amp; c"><data key="d0">router</data></node>
    <node id="h1"><data key="d0">host</data></node>
    <node id="h2"><data key="d0">Host</data></node>
    <edge source="a" target="b &amp; c"><data key="d2">7</data></edge>
    <edge source="a" target="h1"/>
    <edge source="h2" target="b &amp; c"/>
  </graph>
</graphml>
END
run topo --import graph.graphml --json
expect 0
expect_in out '"switches":2,"endpoints":2,"links":1,'
expect_in out '"switch_names":\["a","b & c"\],"endpoint_names":\["h1","h2"\]'
expect_in err 'warning: graph.graphml: attributes that are not used: weight \(1\), color \(1\)$'
refused_graph() { # FORMAT TEXT WHAT
	printf "$2" >bad
	run topo --import bad --format $1
	expect 2
	expect_in err "$3"
}
refused_graph graphml '<graphml><graph><node id="a">' 'bad:1: is no XML: '
refused_graph graphml '<svg></svg>' 'bad:1: is no GraphML: its outermost element is <svg>'
refused_graph graphml '<graphml></graphml>' 'bad: has no graph'
refused_graph graphml '<graphml><graph>\n<node id="a"/>\n<edge source="a" target="b"/></graph></graphml>' 'an edge leads to node "b", which is not there'
refused_graph graphml '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>' 'entities are not supported: "a"'
refused_graph graphml '<graphml><graph><node id="a"/><node id="a"/></graph></graphml>' 'node "a" is given twice'
refused_graph graphml '<graphml><key id="k" for="node" attr.name="type"/><graph><node id="a"><data key="k">rack</data></node></graph></graphml>' '"a" has type "rack"; allowed are switch, router'

# --- JSON ----------------------------------------------------------------------------------------------------------

begin "node-link"
# a directed graph of networkx: both directions are one cable
python3 - >ring.json <<'P'
import json
n = 5
nodes = [{"id": [i, "x"], "kind": "switch", "endpoints": i} for i in range(n)]
links = [{"source": [i, "x"], "target": [(i + d) % n, "x"], "bandwidth": "100Gbps", "w": 1.5} for i in range(n) for d in (1, -1)]
print(json.dumps({"directed": True, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}))
P
run topo --import ring.json --json
expect 0
expect_in out '"switches":5,"endpoints":10,"links":5,'
expect_in out '"switch_names":\["\[0,\\"x\\"\]",'
expect_in err 'attributes that are not used: w \(10\)$'
run topo --import ring.json --edges -
[ "$(grep -c ' local bandwidth=100Gbps$' out)" = 5 ] || fail "bandwidths"
refused_graph node-link '{"nodes": [], "links": [' 'bad:1: is no JSON: '
refused_graph node-link '[]' 'bad: is no node-link JSON: an object is expected'
refused_graph node-link '{"nodes": []}' 'there is no "edges" in it'
refused_graph node-link '{"nodes": [{"id": 0}, {"id": 0}], "links": []}' 'nodes\[1\].id: "0" is given twice'
refused_graph node-link '{"nodes": [{"id": 0}], "links": [{"source": 0, "target": 3}]}' 'links\[0\].target: there is no node "3"'
refused_graph node-link '{"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [{"source": 0, "target": 1}]}' 'is not connected: no path leads from switch "0" to switch "2"'
refused_graph node-link '{"directed": true, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [{"source": 0, "target": 1}, {"source": 1, "target": 0}, {"source": 1, "target": 2}]}' 'the edge from "1" to "2" is not listed from the other end'
refused_graph node-link '{"nodes": [{"id": 0}, {"id": 1, "type": "host"}], "links": []}' 'host "1" has no cable'

# A bandwidth or latency that cannot be read is an error with the edge; a bare number is a weight, with a warning.
begin "bandwidths and latencies of edges"
edge_with() { # ATTRIBUTE VALUE: of the second of three edges, in Python's dictionary
	printf "a b {}\\nb c {'$1': '$2'}\\nc a {}\\n" >rate.edgelist
	run topo --import rate.edgelist --set topology.endpoints=2 --edges -
}
for value in 40Gbps '40 Gb/s' 40Gb/s; do
	edge_with bandwidth "$value"
	expect 0
	[ "$(grep -c 'bandwidth=40Gbps$' out)" = 1 ] || fail "$value"
done
for case in 'bandwidth banana|does not begin with a number' 'speed 40G|needs one of the units bps' 'rate 0Gbps|allowed are 1Mbps to 1000Tbps' \
	'latency -5ns|must not be negative' 'delay 2s|allowed are 1ps to 1s' 'latency 0ns|allowed are 1ps to 1s'; do
	value=${case#* }
	edge_with ${case%% *} "${value%|*}"
	expect 2
	expect_in err "rate.edgelist:2: the edge from \"b\" to \"c\" has ${case%% *} \"?${value%|*}\"?[,;] .*${case#*|}"
done
edge_with latency 5
expect 0
expect_in err 'warning: rate.edgelist:2: the edge from "b" to "c" has latency "5", which needs one of the units ps, .*: a number without a unit is not used'
refused_graph node-link '{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "speed": "fast"}]}' 'bad: the edge from "0" to "1" has speed "fast", which does not begin with a number'

begin "InfraGraph"
cat >infra.json <<'END'
{ "name": "two leaves", "devices": [
  { "name": "server", "components": [ { "name": "xpu", "choice": "xpu", "count": 4 }, { "name": "nic", "choice": "nic", "count": 2 } ], "links": [], "edges": [] },
  { "name": "box", "components": [ { "name": "asic", "choice": "cpu", "count": 1 }, { "name": "port", "choice": "port", "count": 16 } ], "links": [], "edges": [] } ],
  "links": [ { "name": "access" }, { "name": "trunk", "physical": { "bandwidth": { "choice": "gigabits_per_second", "gigabits_per_second": 400 } } } ],
  "instances": [ { "name": "host", "device": "server", "count": 4 }, { "name": "leaf", "device": "box", "count": 2 }, { "name": "spine", "device": "box", "count": 3 } ],
  "edges": [
  { "ep1": { "instance": "host[0:2]", "component": "nic[0:2]" }, "ep2": { "instance": "leaf[0]", "component": "port[0:4]" }, "scheme": "one2one", "link": "access" },
  { "ep1": { "instance": "host[2:4]", "component": "nic" }, "ep2": { "instance": "leaf[1]", "component": "port[0:4]" }, "scheme": "one2one", "link": "access" },
  { "ep1": { "instance": "leaf[:]", "component": "port[8]" }, "ep2": { "instance": "spine[0:3:2]", "component": "port[0]" }, "scheme": "many2many", "link": "trunk" } ] }
END
run topo --import infra.json --json
expect 0
expect_in out '"switches":4,"endpoints":8,"links":4,.*"links_by_class":\{"trunk":4\}'
expect_in out '"switch_names":\["leaf.0","leaf.1","spine.0","spine.2"\],"endpoint_names":\["host.0.nic.0","host.0.nic.1",'
sed 's/leaf\[0\]/leaf[2]/' infra.json >bad.json
run topo --import bad.json
expect_in err 'edges\[0\].ep2: "leaf\[2\]" is beyond the 2 that there are'
sed 's/nic\[0:2\]/nix[0:2]/' infra.json >bad.json
run topo --import bad.json
expect_in err 'edges\[0\].ep1.component: device "server" has no component "nix\[0:2\]"'
for value in -5 '"fast"' 0; do
	sed "s/\"gigabits_per_second\": 400/\"gigabits_per_second\": $value/" infra.json >bad.json
	run topo --import bad.json
	expect 2
	expect_in err "links \"trunk\".physical.bandwidth.gigabits_per_second: $value: a number from 0.001 to 1000000 is expected"
done

begin "SST"
cat >sst.json <<'END'
{ "program_options": {}, "components": [
  { "name": "rtr0", "type": "merlin.hr_router", "params": { "id": "0" } }, { "name": "rtr1", "type": "merlin.hr_router", "params": {} },
  { "name": "nid0", "type": "merlin.test_nic" }, { "name": "nid1", "type": "firefly.nic" }, { "name": "mem0", "type": "memHierarchy.MemController" } ],
  "links": [
  { "name": "a", "left": { "component": "rtr0", "port": "port0", "latency": "20ns" }, "right": { "component": "rtr1", "port": "port0", "latency": "20ns" } },
  { "name": "b", "left": { "component": "nid0:networkIF", "port": "rtr_port", "latency": "1ns" }, "right": { "component": "rtr0", "port": "port1", "latency": "2ns" } },
  { "name": "c", "left": { "component": "rtr1", "port": "port1", "latency": "1ns" }, "right": { "component": "nid1", "port": "rtr", "latency": "1ns" } },
  { "name": "d", "left": { "component": "nid1", "port": "m", "latency": "1ns" }, "right": { "component": "mem0", "port": "cpu", "latency": "1ns" } } ] }
END
run topo --import sst.json --json
expect 0
expect_in out '"switches":2,"endpoints":2,"links":1,.*"switch_names":\["rtr0","rtr1"\],"endpoint_names":\["nid0","nid1"\]'
expect_in err '1 links between components other than routers and 1 components without a link to a router are left out'

# --- lists ---------------------------------------------------------------------------------------------------------

begin "METIS"
# the example of METIS' manual: 7 vertices, 11 edges
printf '%% a comment\n7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n' >manual.graph
run topo --import manual.graph --json
expect 0
expect_in out '"switches":7,"endpoints":7,"links":11,'
# weights: endpoints of a vertex, parallel cables of an edge
printf '3 2 011\n4 2 2\n0 1 2 3 1\n5 2 1\n' >weights.metis
run topo --import weights.metis --json
expect_in out '"switches":3,"endpoints":9,"links":3,'
refused_graph metis '3 2\n2\n1 3\n2 1\n' '5 neighbours are listed, which is not twice the 2 edges'
refused_graph metis '3 2\n2\n1\n2\n' 'is not listed from the other end|not twice'
refused_graph metis '3 2\n2\n1 3\n' 'bad:3: ends at vertex 3 of 3'
refused_graph metis '2 1\n3\n1\n' 'bad:2: a neighbour is a number from 1 to 2: "3"'
refused_graph metis 'graph\n' 'bad:1: the first line is'

begin "adjacency lists"
printf '# nx.write_adjlist\n0 1 2\n1 2\n2\n' >nx.adjlist
run topo --import nx.adjlist --json
expect_in out '"switches":3,"endpoints":3,"links":3,'
printf '0 1 2\n1 0 2\n2 0 1\n' >both.adjlist # every neighbour from both ends
run topo --import both.adjlist --json
expect_in out '"switches":3,"endpoints":3,"links":3,'
refused_graph adjlist '0 1 {}\n' 'bad:1: attributes in braces: these are of edge lists'

begin "edge lists"
edges() { # LINKS TEXT
	printf "$2" >list.edgelist
	run topo --import list.edgelist --set topology.endpoints=2 --json
	expect 0
	expect_in out "\"links\":$1,"
}
edges 3 "a b {}\nb c {'weight': 3, 'note': '}, {'}\nc a {'class': 'long'}\n"
expect_in out '"links_by_class":\{"local":2,"long":1\}|"links_by_class":\{"long":1,"local":2\}'
expect_in out '"switch_names":\["a","b","c"\]'
expect_in err 'not used: weight \(1\), note \(1\)'
edges 3 '0 1 10\n1 2 5.5\n2 0 1e3\n'
expect_in err 'not used: weight \(3\)'
edges 3 '%% percent\n0,1\n1,2\n2,0\n'
edges 3 '\xef\xbb\xbf0 1\r\n1 2\r\n2 0\r\n'
edges 2 '3 2\n2 1\n1 0\n' # a header: three vertices, two edges
expect_in out '"switches":3,'
expect_in err 'list.edgelist:1: "3 2" is read as a header, because 2 edges of 3 vertices follow'
edges 5 '4 3\n0 1\n1 2\n2 3\n0 4\n' # none: one edge more
expect_in out '"switches":5,'
refused_graph edgelist '5 3\n0 1\n1 2\n2 5\n' 'bad:1: "5 3" could be a header, because 3 edges follow, but these have other than 5 vertices'
refused_graph edgelist '0 1 2x\n' 'bad:1: "2x": behind two vertices a weight or a dictionary'
refused_graph edgelist '0 1 {weight: 3}\n' 'bad:1: attributes that are no dictionary'
refused_graph edgelist '0\n' 'bad:1: two vertices are expected: "0"'
refused_graph edgelist '0 0\n' 'bad:1: a cable from a switch to itself: "0"'
refused_graph edgelist '%%%%MatrixMarket matrix coordinate pattern symmetric\n' 'is a Matrix Market file: these are not read'
printf '4 3\n0 1\n1 2\n2 3\n' >tree.list # the same in kind "edges"
echo 'topology = { kind = "edges"; file = "tree.list"; };' >list.cfg
run topo list.cfg --json
expect_in out '"switches":4,.*"links":3,'
expect_in err 'is read as a header'

begin "anynet"
printf 'router 0 node 0 node 1 router 1 15\nrouter 1 node 2 router 0 router 2\nrouter 2 node 3\n' >list.anynet
run topo --import list.anynet --json
expect_in out '"switches":3,"endpoints":4,"links":2,'
expect_in err 'not used: latency in cycles \(1\)'
refused_graph anynet 'router 0 router 1\nrooter 2\n' 'bad:2: "router" or "node" is expected: "rooter"'
refused_graph anynet 'router 0 node 1 router 1 node 1\nrouter 1 node 1\n' '"node 1" is connected to two routers, 0 and 1'
refused_graph anynet 'node 0 node 1\n' 'bad:1: a node is connected to a router, not to another node'

begin "CODES"
refused_graph codes-dragonfly 'x' 'topology.intra: is needed: the name of bad has no "inter"'
printf '\0\0\0\0' >cut-inter
cp fly-intra cut-intra
run topo --import cut-inter --format codes-dragonfly
expect 2
expect_in err 'cut-inter: has 4 bytes, which are no whole records of 8'
run topo --import fly-inter --format codes-dragonfly --set topology.intra=missing
expect_in err 'topology.intra.*missing cannot be opened'
run topo --import nx.adjlist --set topology.intra=fly-intra
expect_in err 'has an effect only with format codes-dragonfly'

# --- DOT -----------------------------------------------------------------------------------------------------------

begin "DOT without the library"
mkdir -p alone
cp "$program" alone/tilefly
echo 'graph { a -- b }' >pair.dot
alone/tilefly topo --import pair.dot >out 2>err
status=$?
expect 2
expect_in err "was built without Graphviz' library \(Debian: libgraphviz-dev\)"

begin "DOT, a program that crashes, hangs or writes nonsense"
for end in 'kill -SEGV $$' 'exit 3' 'echo nonsense' 'echo "{}"'; do
	printf '#!/bin/sh\n%s\n' "$end" >alone/tilefly-dot
	chmod +x alone/tilefly-dot
	alone/tilefly topo --import pair.dot >out 2>err
	status=$?
	expect 2
	expect_in err 'library, which reads DOT, (crashed \(Segmentation fault\)|gave up \(exit status 3\))|is no JSON|there is no "edges" in it'
done
if [ -x "$(dirname "$program")/tilefly-dot" ]; then
	begin "DOT"
	cat >graph.dot <<'END'
/* two switches */ strict graph "my net" {
  node [shape=box]; edge [color=red];
  subgraph cluster_0 { leaf [type=switch, label="Leaf <1>"]; spine [type=switch]; }
  leaf -- spine -- leaf; leaf:n -- spine;
  h0 [type=host]; h1 [type=host]; leaf -- h0; spine -- h1;
}
END
	run topo --import graph.dot --json
	expect 0
	expect_in out '"switches":2,"endpoints":2,"links":1,.*"switch_names":\["Leaf <1>","spine"\],"endpoint_names":\["h0","h1"\]'
	expect_in err 'not used:.*shape'
	refused_graph dot 'graph { a -- ' 'bad:1: is no DOT: .*syntax error in line 1'
	refused_graph dot 'graph { a -- b }\ngraph { c -- d }\n' 'there are several graphs in it'
	refused_graph dot 'digraph { a -> b; b -> a; b -> c }' 'the edge from "b" to "c" is not listed from the other end'
fi

# --- keys, options, results ----------------------------------------------------------------------------------------

begin "options"
run topo
expect 2
expect_in err 'either CONFIG or --import FILE is required'
run topo tree.cfg --import fabric.topo
expect_in err 'import replaces CONFIG: remove the argument "tree.cfg"'
run topo tree.cfg --format dot
expect_in err 'format has an effect only with --import: it is the format of the imported file'
run topo --import fabric.topo --format grphml
expect_in err 'grphml.*graphml'
run topo tree.cfg --export xml x
expect_in err '^tilefly topo: --export xml: must be one of ibnetdiscover, graphml'
run topo tree.cfg --export dot
expect_in err 'needs a file, too'
run topo --import fabric.topo --export graphml fabric.topo
expect 2
expect_in err 'fabric.topo'
cmp -s fabric.topo <(ib) || fail "the input was replaced"
run topo --import fabric.topo --set topology.endpoints=3
expect 2
expect_in err 'endpoints.*has no effect: fabric.topo says which endpoints each switch has'
run topo --import missing.graphml
expect_in err 'missing.graphml cannot be opened'
: >empty
run topo --import empty --format dot
expect_in err 'empty is empty'

begin "names in results"
cat >run.cfg <<'END'
time     = { warmup = "1us"; measure = "2us"; };
topology = { kind = "import"; file = "fabric.topo"; };
traffic  = ( { load = 0.3; } );
record   = { ports = true; packets = true; };
output   = { file = "named.jsonl"; csv = true; };
END
run run run.cfg --quiet
expect 0
python3 - <<'P' || fail "names"
import csv, gzip, json
names = {0: "MF0;leaf1:MQM8700/U1", 1: "MF0;leaf2:MQM8700/U1", 2: "MF0;spine1:MQM8700/U1", 3: "MF0;spine2:MQM8700/U1"}
host = lambda e: f"node{e + 1} mlx5_0"
kinds = set()
for line in open("named.jsonl"):
    r = json.loads(line)
    if r["record"] == "port":
        assert r["switch_name"] == names[r["switch"]]
        assert r["to_name"] == (host(r["to_endpoint"]) if "to_endpoint" in r else names[r["to_switch"]])
    if r["record"] == "packet":
        assert (r["src_name"], r["dst_name"]) == (host(r["src"]), host(r["dst"]))
    kinds.add(r["record"])
assert {"port", "packet"} <= kinds
ports = list(csv.DictReader(gzip.open("named.ports.csv.gz", "rt")))
assert ports and all(r["switch_name"] == names[int(r["switch"])] for r in ports)
assert all(r["to_name"] == (host(int(r["to_switch"])) if r["class"] == "terminal" else names[int(r["to_switch"])]) for r in ports)
packets = list(csv.DictReader(gzip.open("named.packets.csv.gz", "rt")))
assert packets and all(r["src_name"] == host(int(r["src"])) and r["dst_name"] == host(int(r["dst"])) for r in packets)
P
run report named.jsonl --out named.html
expect 0
grep -q 'switch 0 (MF0;leaf1:MQM8700/U1)' named.html || fail "no name in the page"

begin "one digest, of the same graph as edges and by all schedulers"
run topo --import fabric.topo --quiet --edges fabric.edges
sed 's/kind = "import"; file = "fabric.topo"/kind = "edges"; file = "fabric.edges"/; /output/d; /record/d' run.cfg >edges.cfg
run run edges.cfg --json
digest=$(grep -oE '"digest":"[0-9a-f]{16}"' out)
for sync in sequential conservative optimistic; do
	sed '/output/d; /record/d' run.cfg >plain.cfg
	run run plain.cfg --json --sync $sync
	expect 0
	[ "$(grep -oE '"digest":"[0-9a-f]{16}"' out)" = "$digest" ] || fail "another digest with $sync"
done
run run plain.cfg --json --audit
[ "$(grep -oE '"digest":"[0-9a-f]{16}"' out)" = "$digest" ] || fail "another digest with --audit"
finish
