#!/usr/bin/env python3
"""dask_archive.py LIST [--workers N | --gpus N | --scheduler ADDRESS] - run the commands of LIST,
one a line, by Dask. Merge their outputs into LIST.csv, and store the matches in LIST.parquet.

The output of line N becomes LIST.d/N. Started again, it runs only the missing ones. The commands
are made with `-o csv`. --gpus N: N workers, each with a GPU of its own.
"""
import argparse
import os
import pathlib
import subprocess

import pandas
from dask.distributed import Client, get_worker, wait

SHARD = pathlib.Path(__file__).resolve().with_name('shard.sh')


def run(line, shards, folder, has_gpu):
    """In a worker. Raises if the command fails."""
    gpu = {'CUDA_VISIBLE_DEVICES': str(get_worker().name)} if has_gpu else {}
    subprocess.run(['sh', SHARD, shards, str(line)], check=True, cwd=folder, env=os.environ | gpu)


def merge(files, merged):
    with open(merged, 'wb') as output:
        status = subprocess.run(['sigrep-shards', '--merge', *files], stdout=output).returncode
    if status > 1:  # 1: no match
        raise SystemExit(status)
    return pandas.read_csv(merged, dtype={'file': str, 'label': str}, keep_default_na=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('list', type=pathlib.Path)
    parser.add_argument('--workers', type=int, default=os.cpu_count())
    parser.add_argument('--gpus', type=int)
    parser.add_argument('--scheduler')
    given = parser.parse_args()
    results = pathlib.Path(f'{given.list}.d')
    files = [results / str(n) for n, _ in enumerate(given.list.open('rb'), start=1)]
    missing = [file.name for file in files if not file.exists()]

    with Client(given.scheduler, n_workers=given.gpus or given.workers, threads_per_worker=1,
                silence_logs=False) as client:
        tasks = [client.submit(run, n, given.list, os.getcwd(), given.gpus, key=f'line-{n}')
                 for n in missing]
        wait(tasks)
        failed = [task.key for task in tasks if task.status != 'finished']
    if failed:
        raise SystemExit(f'{given.list}: failed, start again: {" ".join(failed)}')
    matches = merge(files, f'{given.list}.csv')
    matches.to_parquet(f'{given.list}.parquet', engine='pyarrow')
    print(matches)


if __name__ == '__main__':
    main()
