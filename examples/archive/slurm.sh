#!/bin/sh
# slurm.sh LIST [OPTION OF sbatch]... - run the commands of LIST, one a line, as an array of Slurm,
# and wait for it. The output of line N becomes LIST.d/N. Started again, it submits only the tasks
# of missing lines. Slurm itself requeues a task whose node died. TASKS=N: tasks of the array; task
# T runs the lines T, T + N, T + 2 N and so on. MaxArraySize of the cluster must be above N.
set -eu
tasks=${TASKS:-1000}
here=$(cd "$(dirname "$0")" && pwd)
list=$(realpath "$1")
shift
lines=$(wc -l <"$list")

missing=$(for line in $(seq "$lines"); do
    [ -e "$list.d/$line" ] || echo $(((line - 1) % tasks + 1))
done | sort -nu | paste -sd , -)
[ -n "$missing" ] || exit 0

export here list lines tasks
exec sbatch --wait --requeue --array="$missing" --output="$list.log.%a" --open-mode=append "$@" <<'END'
#!/bin/sh
status=0
for line in $(seq "$SLURM_ARRAY_TASK_ID" "$tasks" "$lines"); do
    sh "$here/shard.sh" "$list" "$line" || status=$?
done
exit "$status"
END
