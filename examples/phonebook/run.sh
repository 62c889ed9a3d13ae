#!/usr/bin/env bash
# Runs the phone book on any URI; by default embedded, in a temporary directory. Builds what is not built.
set -euo pipefail
root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
home=$root/examples/phonebook
if [ ! -f "$home/target/classpath" ]; then
  (cd "$root" && mvn -q -B -DskipTests -pl examples/phonebook -am package)
fi
uri=${1:-}
if [ -z "$uri" ]; then
  directory=$(mktemp -d)
  trap 'rm -rf "$directory"' EXIT
  uri=polytable://$directory/phones
fi
java -cp "$home/target/classes:$(cat "$home/target/classpath")" io.polytable.examples.phonebook.Phonebook "$uri"
