# Runs the commands of one agent's computer, inside its walls, each in a session of its own.
# It lies in the folder of its pipes, beside begin.sh; what happens is told through the pipe "control".
# Arguments: the workspace, and the limits: processes, open files, file size in KiB, memory in KiB, CPU
# seconds. Standard input: NAME=value pairs, an empty one, then triples of id, folder and command, each ended
# by a NUL.
pipes=${0%/*} workspace=$1
ulimit -c 0
ulimit -u "$2"
ulimit -n "$3"
ulimit -f "$4"
ulimit -d "$5"
ulimit -t "$6"
umask 022
while IFS= read -r -d '' pair && [[ -n $pair ]]; do
  export -- "$pair"
done
cd -- "$workspace" || exit 1
printf 'ready %s\n' "$$"
exec >/dev/null 2>&1
# Job control, so that commands do not start with interrupts switched off.
set -m
while IFS= read -r -d '' id && IFS= read -r -d '' folder && IFS= read -r -d '' command; do
  {
    cd -- "$folder" || cd -- "$workspace"
    BASH_ENV=$pipes/begin.sh DAYSHIFT_JOB=$id \
      setsid "$BASH" --noprofile --norc -c "$command" bash >"$pipes/$id" 2>&1
    printf 'done %s %s\0' "$id" "$?" >"$pipes/control"
  } </dev/null &
done
