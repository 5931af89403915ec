# systemd hears READY=1 once the search reads, WATCHDOG=1 while it lives, STOPPING=1 at the end; a
# search that is stopped says nothing, so that its watchdog ends it. Commands do not inherit that.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
mkfifo in
cat >listen_in <<'END'
# listen_in ADDRESS COMMAND...: run it as systemd would; here are its words, and what is done then.
import os, signal, socket, subprocess, sys, time

address, command = sys.argv[1], sys.argv[2:]
heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
heard.bind('\0' + address[1:] if address[0] == '@' else address)
heard.settimeout(20)


def word():
    return heard.recv(100).decode()


def expect(*wanted):
    got = word()
    while got == 'WATCHDOG=1' and got not in wanted:
        got = word()
    print(got if got in wanted else f'{got}, not {wanted}')


def forget():  # what was sent before
    heard.settimeout(0.01)
    try:
        while True:
            word()
    except TimeoutError:
        heard.settimeout(20)


def is_silent(seconds):
    forget()
    heard.settimeout(seconds)
    try:
        word()
    except TimeoutError:
        return True
    finally:
        heard.settimeout(20)
    return False


def run(usec, pid=None, stdout=subprocess.DEVNULL):
    environment = dict(os.environ, NOTIFY_SOCKET=address, WATCHDOG_USEC=str(usec))
    if pid:
        environment['WATCHDOG_PID'] = str(pid)
    return subprocess.Popen(command, env=environment, stdout=stdout, stderr=open("said", "a"))


if command[-1] == 'in':
    search = run(200000)
    expect('READY=1')
    expect('WATCHDOG=1')  # it waits for a writer
    with open('in', 'w') as pipe:
        print('0\n1\n3\n1\n0', file=pipe, flush=True)
        expect('WATCHDOG=1')
        search.send_signal(signal.SIGSTOP)
        print('silence' if is_silent(1) else 'words in spite of that')
        search.send_signal(signal.SIGCONT)
        expect('WATCHDOG=1')
        search.terminate()
        expect('STOPPING=1')
    print('status', search.wait())
    search = run(200000, stdout=subprocess.PIPE)  # which nobody reads
    expect('READY=1')
    with open('in', 'w') as pipe:
        print('0\n1\n3\n1\n0\n9\n9\n9\n9\n9\n9\n' * 4000, file=pipe, flush=True)
        for _ in range(20):  # until it is stuck
            if is_silent(1):
                print('stuck: silence')
                break
    search.kill()
    search.wait()
    search = run(200000, pid=1)  # of another process
    expect('READY=1')
    print('silence' if is_silent(1) else 'words in spite of that')
    search.terminate()
    expect('STOPPING=1')
    search.wait()
elif command[-2] == 'in':
    search = run(200000)
    expect('READY=1')
    time.sleep(1)  # the file is searched meanwhile
    forget()
    expect('WATCHDOG=1')
    search.terminate()
    search.wait()
else:
    search = run(0)
    status = search.wait()
    heard.settimeout(0.01)
    try:
        while True:
            print(word())
    except TimeoutError:
        print('status', status)
END
listen() {
    rm -f said
    python3 listen_in "$@"
    sed 's/after [0-9.]* s/after some s/' said
}
echo "- a pipe"
listen "$PWD/socket" sigrep -t 0.1 t.txt in
rm socket
echo "- a pipe, and a file that another thread has searched: a thread that waits is alive"
listen "$PWD/socket" sigrep -j 2 -t 0.1 t.txt in s.txt | sed '/not read$/d'
rm socket
echo "- an abstract socket, a file, a command that must not know of it"
listen "@sigrep-test-$$" sigrep -t 0.1 --exec 'env | grep -E "NOTIFY|WATCHDOG"; true' t.txt s.txt
echo "- a search that --state says is over is ready, so its end is no failure"
sigrep -t 0.1 -m 1 --state S t.txt s.txt
listen "$PWD/socket" sigrep -t 0.1 -m 1 --state S t.txt s.txt
rm socket
echo "- an input that is not there is never ready"
listen "$PWD/socket" sigrep -t 0.1 t.txt none.txt
echo "- nobody listens: all goes on"
NOTIFY_SOCKET=$PWD/none sigrep -c -t 0.1 t.txt s.txt
NOTIFY_SOCKET=vsock:2:1 sigrep -c -t 0.1 t.txt s.txt
NOTIFY_SOCKET=/$(seq -s/ 100) sigrep -c -t 0.1 t.txt s.txt
