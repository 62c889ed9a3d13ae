#!/usr/bin/env bash
# Redis commands through Polytable with its log in Fluss, against Fluss' own client on the same cluster of one server:
# ours, raw, and the ratio; how long a GET takes, beside the same with the log in files; the seconds that a start on an
# empty disk takes.
# usage: benchmarks/fluss.sh [requests a test, default 300000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
requests=${1:-300000}
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"
need redis-benchmark redis-cli
jars=$(ls "$root"/store-fluss/target/cluster/*.jar 2>/dev/null | paste -sd:) || true
lib=$root/benchmarks/target/lib
if [ -z "$jars" ] || [ ! -d "$lib" ]; then
  echo "first use: mvn -Dtest=None -pl benchmarks -am package builds what is measured" >&2
  exit 1
fi
await_port() {
  for _ in $(seq 1 600); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "nobody listens on port $1" >&2
  exit 1
}

launch() { # name heap class words...
  local name=$1 heap=$2
  shift 2
  java --add-opens=java.base/java.nio=ALL-UNNAMED "-Xmx$heap" -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
    -cp "$jars" "$@" >"$work/$name.log" 2>&1 &
  theirs_pid="$theirs_pid $!"
}

configure() { # name port more
  mkdir -p "$work/$1"
  cat >"$work/$1/server.yaml" <<Y
zookeeper.address: 127.0.0.1:$zookeeper
data.dir: $work/data-$1
remote.data.dir: $work/remote
bind.listeners: FLUSS://127.0.0.1:$2
log.replica.fetch.wait-max-time: 5ms
$3
Y
}

zookeeper=$(free_port) coordinator=$(free_port) tablet=$(free_port)
printf 'dataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n' \
  "$work/zookeeper" "$zookeeper" >"$work/zoo.cfg"
launch zookeeper 128m org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.quorum.QuorumPeerMain "$work/zoo.cfg"
await_port "$zookeeper"
configure coordinator "$coordinator" ""
launch coordinator 256m org.apache.fluss.server.coordinator.CoordinatorServer --configDir "$work/coordinator"
configure tablet "$tablet" "tablet-server.id: 0"
launch tablet 1g org.apache.fluss.server.tablet.TabletServer --configDir "$work/tablet"
await_port "$coordinator"
await_port "$tablet"

java --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$root/benchmarks/target/classes:$lib/*" \
  io.polytable.benchmarks.RawFluss "127.0.0.1:$coordinator" "$requests" 2>/dev/null >"$work/raw"
raw() { awk -v name="$1" '$1 == name { print $2 }' "$work/raw"; }

rate() { # pipeline requests arguments...
  local pipeline=$1 count=$2
  shift 2
  redis-benchmark -h 127.0.0.1 -p "$ours_port" -c 50 -n "$count" -P "$pipeline" -d 100 -r 1000000 --csv "$@" |
    awk -F, 'NR > 1 { gsub(/"/, ""); print $2 }' | tail -n 1
}

serve() {
  start_ours --store.log=fluss --fluss.bootstrap.servers="127.0.0.1:$coordinator"
}

stop_ours() { # signal
  kill "-$1" "$ours_pid"
  wait "$ours_pid" 2>/dev/null || true
}

# Prints the median and the 99th percentile of a GET, in milliseconds, when the second half of as many has run before.
get_latency() {
  for _ in 1 2; do
    redis-benchmark -h 127.0.0.1 -p "$ours_port" -c 50 -n $((requests / 2)) -d 100 -r 1000000 --csv -t get
  done | awk -F, '/GET/ { gsub(/"/, ""); median = $5; high = $7 } END { print median, high }'
}

start_ours
rate 16 "$requests" -t set >/dev/null
file_latency=$(get_latency)
stop_ours TERM
rm -rf "$work/ours"
serve

line() { # name ours raw-name
  local theirs
  theirs=$(raw "$3")
  awk -v name="$1" -v ours="$2" -v raw="$theirs" -v what="$3" \
    'BEGIN { printf "%-12s ours %9.0f/s   raw %-16s %9.0f/s   ratio %.2f\n", name, ours, what, raw, ours / raw }'
}

for pipeline in 16 1; do
  count=$((pipeline == 1 ? requests / 10 : requests))
  line "SET -P $pipeline" "$(rate "$pipeline" "$count" -t set)" upsert-pipelined
  line "SET -P $pipeline" "$(rate "$pipeline" "$count" -t set)" upsert-alone
  line "HSET -P $pipeline" "$(rate "$pipeline" "$count" -t hset)" upsert-pipelined
  line "ZADD -P $pipeline" "$(rate "$pipeline" "$count" -t zadd)" upsert-pipelined
  line "GET -P $pipeline" "$(rate "$pipeline" "$count" -t get)" lookup-pipelined
done

echo "$(get_latency) $file_latency" | awk '{
  printf "GET -P 1     median %.3f ms, 99%% %.3f ms   log in files %.3f, %.3f   ratio %.2f, %.2f\n", $1, $2, $3, $4, $1 / $3, $2 / $4 }'

stop_ours KILL
rm -rf "$work/ours"
begun=$(date +%s%N)
serve
ended=$(date +%s%N)
# Four writing tests at each pipeline.
rows=$((4 * (requests + requests / 10)))
awk -v nanos=$((ended - begun)) -v rows="$rows" -v keys="$(redis-cli -p "$ours_port" dbsize)" 'BEGIN {
  printf "empty disk: %.1f s for %d commits (%d keys) from Fluss, %.1f s a million\n", nanos / 1e9, rows, keys, nanos / rows / 1e3 }'
