# shellcheck shell=bash
# For tests to source: the processes that they began, by number. Bash forgets a child when it ends,
# and its number may soon be a stranger's, so a signal goes to children alone.

is_child() { # PID: is it, and has it not ended?
    grep -qs "^PPid:[[:space:]]*$$\$" "/proc/$1/status"
}

end_children() { # PID...
    local pid
    for pid in "$@"; do
        ! is_child "$pid" || kill "$pid"
    done
}
