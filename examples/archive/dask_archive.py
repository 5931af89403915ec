#!/usr/bin/env python3
"""dask_archive.py LIST [--workers N] [--gpus N] - run the commands of LIST, one a line, by Dask.

The output of line N becomes LIST.d/N. Started again, it runs only the missing ones. When all are
there, they are merged, and the matches become a pandas DataFrame and LIST.parquet. The commands
must print CSV (sigrep -o csv). --gpus N: N workers, each with a GPU of its own.
"""
import argparse
import os
import pathlib
import subprocess

import pandas
from dask.distributed import Client, LocalCluster, get_worker, wait

SHARD = pathlib.Path(__file__).resolve().with_name('shard.sh')


def run(shards, line, one_gpu_each):
    """In a worker. Raises if the command fails."""
    gpu = {'CUDA_VISIBLE_DEVICES': str(get_worker().name)} if one_gpu_each else {}
    subprocess.run(['sh', SHARD, shards, str(line)], check=True, env={**os.environ, **gpu})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('list', type=pathlib.Path)
    parser.add_argument('--workers', type=int, default=os.cpu_count())
    parser.add_argument('--gpus', type=int, default=0)
    given = parser.parse_args()
    shards = given.list.resolve()
    results = pathlib.Path(f'{shards}.d')
    results.mkdir(exist_ok=True)
    files = [results / str(line + 1) for line in range(len(shards.read_bytes().splitlines()))]
    missing = [int(file.name) for file in files if not file.exists()]

    with LocalCluster(n_workers=given.gpus or given.workers, threads_per_worker=1) as cluster, \
            Client(cluster) as client:
        tasks = client.map(run, [str(shards)] * len(missing), missing,
                           [given.gpus > 0] * len(missing), key=[f'line-{n}' for n in missing])
        wait(tasks)
        failed = [task.key for task in tasks if task.status != 'finished']
    if failed:
        raise SystemExit(f'{given.list}: failed, start again: {" ".join(failed)}')

    with subprocess.Popen(['sigrep-shards', '--merge', *files], stdout=subprocess.PIPE) as merge:
        matches = pandas.read_csv(merge.stdout)
    if merge.returncode > 1:
        raise SystemExit(merge.returncode)
    matches.to_parquet(f'{shards}.parquet', engine='pyarrow')
    print(matches)


if __name__ == '__main__':
    main()
