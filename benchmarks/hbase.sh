#!/usr/bin/env bash
# HBase's client against a real HBase and Polytable, alternating, best of several rounds: operations per second, 99th
# percentile and the ratio; then memory and bytes on disk. 1 KB values, 8 threads.
# usage: benchmarks/hbase.sh [rows, default 200000; 5000 is a trial] [rounds, default 1] [columns of the wide row, default 100000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rows=${1:-200000}
rounds=${2:-1}
columns=${3:-100000}
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"

# The client's class path is the one that HBase itself is made of: nothing of ours but the loads.
maven="${MVN:-mvn} -q -B -f $root/pom.xml"
[ -f "$root/testbeds/hbase-node/target/classpath" ] || $maven -Ppeers -pl testbeds/hbase-node package
[ -d "$root/benchmarks/target/lib" ] || $maven -pl benchmarks -am package -DskipTests
client="$root/benchmarks/target/classes:$(ls "$root"/benchmarks/target/lib/HdrHistogram-*.jar):$root/hbase/target/test-classes"
client="$client:$(cat "$root/testbeds/hbase-node/target/classpath")"
opens="--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED"

start_hbase() {
  mkdir -p "$work/theirs"
  java -Dpolytable.root="$root" -cp "$client" io.polytable.hbase.peer.HBaseNode "$work/theirs" -Xmx2g >"$work/theirs.log" 2>&1 &
  theirs_pid=$!
  await_line "$work/theirs.log" '^ready ' "$theirs_pid"
  read -r _ theirs_port theirs_node < <(grep '^ready ' "$work/theirs.log")
}

start_polytable() {
  mkdir -p "$work/ours"
  zookeeper=$(free_port)
  "$root/polytable" serve --data.dir="$work/ours" --redis.enabled=false --hbase.port="$(free_port)" \
    --hbase.master.port="$(free_port)" --zookeeper.port="$zookeeper" --http.port=0 ${POLYTABLE_FLAGS:-} >"$work/ours.log" 2>&1 &
  ours_pid=$!
  await_line "$work/ours.log" '^polytable ready' "$ours_pid"
}

start_hbase
start_polytable
echo "$(nproc) processors, $rows rows, $rounds rounds; hbase -Xmx2g, polytable as ./polytable serve starts it"
# shellcheck disable=SC2086
java $opens -Xmx1g -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "$client" \
  io.polytable.benchmarks.hbase.HBaseBenchmark "$rows" "$columns" "$rounds" \
  "$theirs_port:$theirs_node:$work/theirs" "$zookeeper:$ours_pid:$work/ours"
