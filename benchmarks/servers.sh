# Starts and stops the servers that are compared. To be sourced; needs $root.
work=$(mktemp -d)
# Theirs may be several processes.
ours_pid= theirs_pid=

need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "$tool is needed (Debian: redis-server, redis-tools)" >&2; exit 1; }
  done
}

stop() {
  for pid in $ours_pid $theirs_pid; do kill "$pid" 2>/dev/null || true; done
  # Whoever needs another that is gone already (a Fluss server its ZooKeeper) might wait for ever.
  for pid in $ours_pid $theirs_pid; do
    for _ in $(seq 1 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  ours_pid= theirs_pid=
}
trap 'stop; rm -rf "$work"' EXIT

free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

# Until a server that was just started has printed a line.
await_line() { # file pattern pid
  for _ in $(seq 1 3000); do
    grep -q "$2" "$1" 2>/dev/null && return
    kill -0 "$3" 2>/dev/null || break
    sleep 0.1
  done
  cat "$1" >&2
  exit 1
}

await() {
  for _ in $(seq 1 6000); do
    [ "$(redis-cli -p "$1" ping 2>/dev/null)" = PONG ] && return
    sleep 0.1
  done
  echo "no answer on port $1" >&2
  exit 1
}

start_theirs() { # appendfsync settings...
  local fsync=$1
  shift
  mkdir -p "$work/theirs"
  theirs_port=$(free_port)
  (cd "$work/theirs" && exec redis-server --port "$theirs_port" --bind 127.0.0.1 --save "" \
    --appendonly yes --appendfsync "$fsync" "$@" >/dev/null) &
  theirs_pid=$!
  await "$theirs_port"
}

start_ours() { # settings...
  mkdir -p "$work/ours"
  ours_port=$(free_port)
  "$root/polytable" serve --data.dir="$work/ours" --redis.port="$ours_port" --hbase.enabled=false --http.port=0 "$@" \
    ${POLYTABLE_FLAGS:-} >>"$work/ours.log" 2>&1 &
  ours_pid=$!
  await "$ours_port"
}

cpu_ticks() { # of a process and its threads
  awk '{print $14 + $15}' "/proc/$1/stat"
}
