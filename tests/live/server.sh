# shellcheck shell=bash
# A PulseAudio server without hardware, for tests to source. What is played to its null sink vsink is
# heard by mic:vmic, which is mic: as well. They have a folder $work, and an array pids of processes
# that they end, by tests/support/children.sh.

# within SECONDS COMMAND...: try it until it succeeds.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >"$work/tried" 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}

# ended SECONDS PID: wait that long for a process, then kill it. Returns its status, 99 if killed.
ended() {
    local status
    gone() { ! is_child "$1"; }
    if ! within "$1" gone "$2"; then
        ! is_child "$2" || kill -9 "$2"
        wait "$2"
        return 99
    fi
    wait "$2"
    status=$?
    return $status
}

device() { # name, device of the server
    echo "pcm.$1 { type pulse device \"$2\" hint { show on description \"$1\" } }"
}

# start_server [OPTION OF PULSEAUDIO]...: its process is $server, which joins the pids.
start_server() {
    mkdir -p "$work/home" "$work/run/pulse"
    chmod 700 "$work/run" "$work/run/pulse"
    export HOME=$work/home XDG_RUNTIME_DIR=$work/run PULSE_RUNTIME_PATH=$work/run/pulse
    export PULSE_SERVER=unix:$work/run/pulse/native ALSA_CONFIG_PATH=$work/asound.conf
    export JACK_NO_START_SERVER=1
    {
        device default vsink.monitor
        echo 'ctl.default { type pulse }'
        device vmic vsink.monitor
        device stall stall
    } >"$work/asound.new"
    mv "$work/asound.new" "$ALSA_CONFIG_PATH" # PortAudio aborts at an empty one
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes \
        --log-target=file:"$work/log" \
        -L "module-native-protocol-unix auth-anonymous=1 socket=$PULSE_RUNTIME_PATH/native" \
        -L "module-null-sink sink_name=vsink rate=48000 format=float32le channels=1 norewinds=1" \
        "$@" >"$work/server.out" 2>&1 &
    server=$!
    disown "$server" # so that the shell does not report how it ended
    pids+=("$server")
    within 20 pactl info
}

# listeners N: so many programs listen, at least.
listeners() {
    [ "$(pactl list short source-outputs | wc -l)" -ge "$1" ]
}
