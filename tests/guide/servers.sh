# shellcheck shell=bash
# Servers for the guide's commands, for tests to source. They have a folder $work, and an array pids
# of processes that they end. The clients find the servers as a user's would: by the configuration.

until_it_runs() { # PID COMMAND...: false if the process ends before COMMAND succeeds, or in 20 s
    local pid=$1 end=$((SECONDS + 20))
    shift
    until "$@" >"$work/tried" 2>&1; do
        is_child "$pid" && [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}

# An MQTT broker at a socket.
start_broker() {
    local broker=mosquitto
    command -v "$broker" >"$work/tried" || broker=/usr/sbin/mosquitto
    mkdir -p "$work/config"
    printf '%s\n' "user $(id -un)" "listener 0 $work/mqtt" 'allow_anonymous true' \
        >"$work/mosquitto.conf"
    echo "--unix $work/mqtt" | tee "$work/config/mosquitto_pub" >"$work/config/mosquitto_sub"
    export XDG_CONFIG_HOME=$work/config
    "$broker" -c "$work/mosquitto.conf" >"$work/mosquitto.log" 2>&1 &
    pids+=($!)
    until_it_runs $! mosquitto_pub -t started -n
}

# An InfluxDB server at a free port: $INFLUX is its address.
start_influxd() {
    command -v influxd >"$work/tried" || return
    local try port
    for try in 1 2 3 4 5; do
        port=$((20000 + (RANDOM + try) % 10000))
        INFLUXDB_HTTP_BIND_ADDRESS=127.0.0.1:$port \
            INFLUXDB_BIND_ADDRESS=127.0.0.1:$((port + 10000)) INFLUXDB_META_DIR=$work/meta \
            INFLUXDB_DATA_DIR=$work/data INFLUXDB_DATA_WAL_DIR=$work/wal \
            INFLUXDB_REPORTING_DISABLED=true influxd run >"$work/influxd.log" 2>&1 &
        pids+=($!)
        export INFLUX=http://127.0.0.1:$port
        until_it_runs $! curl -sf "$INFLUX/ping" && return
    done
    return 1
}
