#!/usr/bin/env bash
# The entity library beside the raw calls that do the same work (cells of the embedded store, HBase's client against our own
# server, Cassandra's driver), in turns: calls per second, best of several rounds, and how many times faster the raw calls are
# (aim at most 1.2 on Cassandra). The server's HTTP port is compared with HBase's client too: it has no other driver.
# usage: benchmarks/entity.sh [rows, default 100000; 2000 is a trial] [rounds, default 3] [stores, default "embedded server cassandra"]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rows=${1:-100000}
rounds=${2:-3}
stores=${3:-embedded server cassandra}
threads=8
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"

maven="${MVN:-mvn} -q -B -f $root/pom.xml"
[ -d "$root/benchmarks/target/lib" ] || $maven -pl benchmarks -am package -DskipTests
lib="$root/benchmarks/target/classes:$root/benchmarks/target/lib/*"
opens="--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED"

start_node() {
  [ -f "$root/testbeds/cassandra-node/target/classpath" ] || $maven -pl testbeds/cassandra-node package
  [ -d "$root/entity-cassandra/target/test-classes" ] || $maven -pl entity-cassandra -am test-compile
  java -Dpolytable.root="$root" -Dpolytable.cassandra.options="-Xms1g -Xmx1g" \
    -Djava.io.tmpdir="$work" -cp "$root/entity-cassandra/target/test-classes:$lib" \
    io.polytable.entity.cassandra.NodeProcess >"$work/node.log" 2>&1 &
  theirs_pid=$!
  await_line "$work/node.log" '^ready ' "$theirs_pid"
}

start_server() {
  http=$(free_port) zookeeper=$(free_port)
  mkdir -p "$work/ours"
  "$root/polytable" serve --data.dir="$work/ours" --redis.enabled=false --sql.enabled=false --hbase.port="$(free_port)" \
    --hbase.master.port="$(free_port)" --zookeeper.port="$zookeeper" --http.port="$http" ${POLYTABLE_FLAGS:-} \
    >"$work/ours.log" 2>&1 &
  ours_pid=$!
  await_line "$work/ours.log" '^polytable ready' "$ours_pid"
}

echo "$(nproc) processors, $rows rows, $threads threads, best of $rounds"
for store in $stores; do
  case $store in
    embedded) place=$work/embedded ;;
    server)
      start_server
      place=$http:$zookeeper
      ;;
    cassandra)
      start_node
      place=127.0.0.1:$(awk '/^ready / { print $2 }' "$work/node.log")
      ;;
    *)
      echo "no such store: $store" >&2
      exit 1
      ;;
  esac
  # shellcheck disable=SC2086
  java $opens -Xmx2g -cp "$lib" io.polytable.benchmarks.entity.EntityBenchmark "$rows" "$threads" "$rounds" "$store=$place"
  stop
done
