# Read by bash before a command: tells that it began, and at its end which folder it ended in.
printf 'start %s %s\0' "$DAYSHIFT_JOB" "$$" >"${BASH_ENV%/*}/control"
printf -v BASH_ENV 'printf "cwd %s %%s\\0" "$PWD" >%q' "$DAYSHIFT_JOB" "${BASH_ENV%/*}/control"
trap -- "$BASH_ENV" EXIT
unset BASH_ENV DAYSHIFT_JOB
