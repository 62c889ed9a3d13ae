#!/usr/bin/env bash
# redis-benchmark against redis-server (append-only file) and Polytable, alternating, best of several rounds:
# operations per second, 99th percentile, server processor time an operation, and the ratio.
# usage: benchmarks/redis.sh [requests a test, default 1000000] [rounds, default 3] [parts, default "everysec always large"]
# Parts "acl" and "tls" compare clients that are an ACL user, or encrypted, with those of the default user on the same servers.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
requests=${1:-1000000}
rounds=${2:-3}
parts=${3:-everysec always large}
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"
need redis-server redis-benchmark redis-cli
keys=1000000

# Options of redis-benchmark that say who its clients are, and what is added to a port for encrypted ones.
client=()

loads="$root/benchmarks/target/classes"
[ -f "$loads/io/polytable/benchmarks/TransactionLoad.class" ] ||
  mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests

# One run: prints "ops p99 cpu". Arguments are redis-benchmark's, or "multi" for transactions of three writes, or "publish" for
# messages to a hundred subscribers, an operation being one message that all of them have got.
run() { # port pid pipeline requests arguments...
  local port=$1 pid=$2 pipeline=$3 count=$4 before after
  shift 4
  before=$(cpu_ticks "$pid")
  if [ "$1" = multi ]; then
    java -cp "$loads" io.polytable.benchmarks.TransactionLoad "$port" "$pipeline" "$count" "$keys" >"$work/csv"
  elif [ "$1" = publish ]; then
    java -cp "$loads" io.polytable.benchmarks.PublishLoad "$port" "$pipeline" "$count" >"$work/csv"
  else
    redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -n "$count" -P "$pipeline" -d 100 -r "$keys" --csv \
      "${client[@]}" "$@" >"$work/csv"
  fi
  after=$(cpu_ticks "$pid")
  awk -F, -v ticks=$((after - before)) -v n="$count" \
    'NR > 1 { gsub(/"/, ""); printf "%s %s %.2f\n", $2, $7, ticks * 10000 / n }' "$work/csv" | tail -n 1
}

ratios=
compare() { # name pipeline requests arguments...
  local name=$1 pipeline=$2 count=$3 best_ours="0 0 0" best_theirs="0 0 0" result
  shift 3
  for _ in $(seq "$rounds"); do
    result=$(run "$theirs_port" "$theirs_pid" "$pipeline" "$count" "$@")
    best_theirs=$(printf '%s\n%s\n' "$best_theirs" "$result" | sort -n | tail -n 1)
    result=$(run "$ours_port" "$ours_pid" "$pipeline" "$count" "$@")
    best_ours=$(printf '%s\n%s\n' "$best_ours" "$result" | sort -n | tail -n 1)
  done
  ratio=$(echo "$best_ours $best_theirs" | awk '{printf "%.2f", $1 / $4}')
  ratios="$ratios $ratio"
  echo "$name|$best_ours|$best_theirs|$ratio" | awk -F'[| ]' \
    '{printf "%-10s %10.0f %8s %8s   %10.0f %8s %8s   %6s\n", $1, $2, $3, $4, $5, $6, $7, $8}'
}

# redis-benchmark's own zpopmin pops what its zadd left, which is nothing after the first round: each round needs as many.
fill_sorted_set() { # elements a round
  for port in "$theirs_port" "$ours_port"; do
    redis-cli -p "$port" del zset >/dev/null
    # The range of random numbers is an int to redis-benchmark: beyond it every element would be the same.
    redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -n $(($1 * rounds)) -P 64 -r 2000000000 -q \
      zadd zset __rand_int__ element:__rand_int__ >/dev/null
  done
}

# Scripts of one command each; a server forgets them when it restarts.
load_scripts() {
  for port in "$theirs_port" "$ours_port"; do
    script_get=$(redis-cli -p "$port" script load "return redis.call('get', KEYS[1])")
    script_set=$(redis-cli -p "$port" script load "return redis.call('set', KEYS[1], ARGV[1])")
  done
}

head_line() { # title
  echo
  echo "$1"
  printf '%-10s %10s %8s %8s   %10s %8s %8s   %6s\n' "" "ours/s" "p99 ms" "cpu us" "redis/s" "p99 ms" "cpu us" ratio
  ratios=
}

mean_line() {
  echo "$ratios" | awk '{s = 0; for (i = 1; i <= NF; i++) s += log($i); printf "geometric mean %.2f\n", exp(s / NF)}'
}

suite() { # title pipeline requests
  head_line "$1, -P $2"
  for test in set get incr hset zadd sadd spop lpush rpush lpop rpop; do compare $test "$2" "$3" -t $test; done
  fill_sorted_set $(($3 / 5))
  compare zpopmin "$2" $(($3 / 5)) zpopmin zset
  for test in lrange_100 lrange_600; do compare $test "$2" $(($3 / 20)) -t $test; done
  # Not "-t xadd", which redis-benchmark only has since 7.2.
  compare xadd "$2" "$3" xadd stream '*' field "$(printf '%0100d' 0)"
  compare mset "$2" $(($3 / 5)) -t mset
  compare multi "$2" $(($3 / 5)) multi
  load_scripts
  compare eval-get "$2" "$3" evalsha "$script_get" 1 key:__rand_int__
  compare eval-set "$2" "$3" evalsha "$script_set" 1 key:__rand_int__ "$(printf '%0100d' 0)"
  compare publish "$2" $(($3 / 50)) publish
  mean_line
}

both() { # durability of ours = appendfsync of theirs
  stop
  rm -rf "$work/ours" "$work/theirs"
  start_theirs "$1"
  start_ours --store.durability="$1"
}

# What a server that has run for a minute has behind it: a million keys, compiled code.
warm_up() {
  for test in set get incr hset zadd sadd spop lpush rpush lpop rpop lrange_100 mset; do
    run "$ours_port" "$ours_pid" 16 $((requests / 2)) -t $test >/dev/null
    run "$theirs_port" "$theirs_pid" 16 $((requests / 2)) -t $test >/dev/null
  done
  run "$ours_port" "$ours_pid" 16 $((requests / 20)) -t lrange_600 >/dev/null
  run "$theirs_port" "$theirs_pid" 16 $((requests / 20)) -t lrange_600 >/dev/null
  fill_sorted_set $((requests / 5))
  for port_pid in "$ours_port $ours_pid" "$theirs_port $theirs_pid"; do
    # shellcheck disable=SC2086
    run $port_pid 16 $((requests / 5)) zpopmin zset >/dev/null
    # shellcheck disable=SC2086
    run $port_pid 16 $((requests / 2)) xadd warm '*' field "$(printf '%0100d' 0)" >/dev/null
  done
  load_scripts
  for port_pid in "$ours_port $ours_pid" "$theirs_port $theirs_pid"; do
    # shellcheck disable=SC2086
    run $port_pid 16 $((requests / 2)) evalsha "$script_get" 1 key:__rand_int__ >/dev/null
    # shellcheck disable=SC2086
    run $port_pid 16 $((requests / 2)) evalsha "$script_set" 1 key:__rand_int__ "$(printf '%0100d' 0)" >/dev/null
  done
  run "$ours_port" "$ours_pid" 16 $((requests / 5)) multi >/dev/null
  run "$theirs_port" "$theirs_pid" 16 $((requests / 5)) multi >/dev/null
}

recovery() {
  local started
  kill -9 "$ours_pid"
  wait "$ours_pid" 2>/dev/null || true
  started=$(date +%s%N)
  start_ours "$@"
  echo "ours after kill -9: answers after $((($(date +%s%N) - started) / 1000000)) ms"
}

# Each test in turns by plain clients of the default user and by the clients in question, and what these cost each server:
# the best throughput and the least processor time an operation, of which the second says more on a busy machine.
cost() { # title pipeline requests; "client" and the ports ours_second and theirs_second are those of the clients in question
  local second=("${client[@]}") test kind who port pid result
  local -A ops cpu
  echo
  printf '%-40s %9s %9s %6s   %9s %9s %6s   %6s\n' "$1, -P $2" "ours/s" "plain/s" "cpu" "redis/s" "plain/s" "cpu" "ratio"
  for test in set get incr hset lpush lpop; do
    ops=() cpu=()
    for _ in $(seq "$rounds"); do
      for kind in plain second; do
        client=()
        [ $kind = plain ] || client=("${second[@]}")
        for who in ours theirs; do
          port=${who}_port pid=${who}_pid
          [ $kind = plain ] || port=${who}_second
          result=$(run "${!port}" "${!pid}" "$2" "$3" -t "$test")
          ops[$who$kind]=$(printf '%s\n%s\n' "${ops[$who$kind]:-0}" "${result%% *}" | sort -n | tail -n 1)
          cpu[$who$kind]=$(printf '%s\n%s\n' "${cpu[$who$kind]:-1000000}" "${result##* }" | sort -n | head -n 1)
        done
      done
    done
    echo "$test ${ops[ourssecond]} ${ops[oursplain]} ${cpu[ourssecond]} ${cpu[oursplain]}" \
      "${ops[theirssecond]} ${ops[theirsplain]} ${cpu[theirssecond]} ${cpu[theirsplain]}"
  done | tee "$work/costs" | awk '{
    printf "%-40s %9.0f %9.0f %6.3f   %9.0f %9.0f %6.3f   %6.2f\n", $1, $2, $3, $4 / $5, $6, $7, $8 / $9, $2 / $6
  }'
  awk '{ o += log($2 / $3); oc += log($4 / $5); t += log($6 / $7); tc += log($8 / $9); r += log($2 / $6); n++ } END {
    printf "geometric means: throughput %.3f of plain, redis-server %.3f; processor time %.3f of plain, redis-server %.3f; ratio %.2f\n",
      exp(o / n), exp(t / n), exp(oc / n), exp(tc / n), exp(r / n)
  }' "$work/costs"
  client=("${second[@]}")
}

for part in $parts; do
  case $part in
    acl)
      stop
      rm -rf "$work/ours" "$work/theirs"
      start_theirs everysec
      # Beside a user with a password the default user still needs none.
      start_ours --store.durability=everysec --auth.loopback=trust
      warm_up
      for port in "$theirs_port" "$ours_port"; do
        redis-cli -p "$port" acl setuser bench on '>benchmark' resetkeys '~key:*' '~counter:*' '~my*' \
          nocommands +@read +@write +@connection +config >/dev/null
      done
      ours_second=$ours_port theirs_second=$theirs_port
      client=(--user bench -a benchmark)
      cost "an ACL user" 16 "$requests"
      cost "an ACL user" 1 $((requests / 4))
      client=()
      ;;
    tls)
      stop
      rm -rf "$work/ours" "$work/theirs"
      "$root/polytable" tls self-signed "$work/tls" >/dev/null
      certificate="$work/tls/certificate.pem" key="$work/tls/key.pem"
      theirs_second=$(free_port)
      start_theirs everysec --tls-port "$theirs_second" --tls-cert-file "$certificate" --tls-key-file "$key" \
        --tls-ca-cert-file "$certificate" --tls-auth-clients no
      start_ours --store.durability=everysec --tls.certificate="$certificate" --tls.key="$key" --redis.tls.mode=optional
      ours_second=$ours_port
      warm_up
      client=(--tls --cacert "$certificate")
      cost "encrypted" 16 "$requests"
      cost "encrypted" 1 $((requests / 4))
      client=()
      ;;
    everysec)
      both everysec
      warm_up
      suite "everysec beside appendfsync everysec" 16 "$requests"
      suite "everysec beside appendfsync everysec" 1 $((requests / 4))
      recovery --store.durability=everysec
      ;;
    always)
      both always
      warm_up
      suite "always beside appendfsync always" 16 $((requests / 4))
      suite "always beside appendfsync always" 1 $((requests / 8))
      ;;
    large)
      # Ten million keys, about 1.6 GB of rows, in 512 MiB of heap and 256 MiB of blocks: most reads come from files.
      stop
      rm -rf "$work/ours" "$work/theirs"
      keys=10000000
      start_theirs everysec
      start_ours --memory.heap=512m --memory.blocks=256m
      for port in "$theirs_port" "$ours_port"; do
        redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -n $((keys * 2)) -P 64 -d 100 -r "$keys" -t set -q >/dev/null
      done
      head_line "ten million keys, ours with 768 MiB of heap and blocks, -P 16"
      for test in set get; do compare $test 16 "$requests" -t $test; done
      echo "memory: ours $(awk '/VmRSS/ {print int($2 / 1024)}' /proc/"$ours_pid"/status) MB," \
        "theirs $(awk '/VmRSS/ {print int($2 / 1024)}' /proc/"$theirs_pid"/status) MB"
      recovery --memory.heap=512m --memory.blocks=256m
      ;;
    *)
      echo "no such part: $part" >&2
      exit 1
      ;;
  esac
done
