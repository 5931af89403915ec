"""test_bundle.py - takes of labels, files of them, thresholds from background."""
import signal
import subprocess
import threading

import numpy as np
import pytest

import sigrep
from signals import bump, noise


def bumps():
    return [bump(), bump() * np.float32(1.1), np.repeat(bump(), 2)]


def test_train_keeps_takes_and_settings():
    ramp = np.arange(30, dtype=np.float32)
    bundle = sigrep.train({"bump": bumps(), "ramp": [ramp]}, threshold=0.2, length=(0.7, 1.5))
    assert list(bundle.labels) == ["bump", "ramp"]
    assert bundle.labels["bump"] == sigrep.Label("bump", 3, 0.2, (0.7, 1.5), 1, 0, 0, 0, 0, False)
    assert [take.label for take in bundle.takes] == ["bump"] * 3 + ["ramp"]
    assert bundle.takes[3].frames[:, 0].tolist() == ramp.tolist()
    assert bundle.takes[0].peer_score == 0 and bundle.takes[3].peer_score is None
    assert (bundle.front_end, bundle.rate, bundle.channels, bundle.audio) == ("raw", 0, 1, False)


def test_a_bundle_is_searched_with_its_own_settings():
    stream, bundle = noise(1000, copies=[200]), sigrep.train({"bump": bumps()}, threshold=0.1)
    assert sigrep.search(stream, bundle)[["label", "start", "end"]].tolist() == [("bump", 200, 250)]
    bundle.set_label("bump", threshold=None)
    assert sigrep.search(stream, bundle)["threshold"][0] == sigrep.Search(bump()).thresholds[0]
    assert sigrep.search(stream, bundle, threshold=0.3)["threshold"].tolist() == [0.3]
    assert len(sigrep.search(stream, bundle, threshold=0.1, length=(1.5, 2))) == 0
    bundle.set_label("bump", min_matches=3, threshold=0.01)
    assert len(sigrep.search(stream, bundle)) == 0
    assert len(sigrep.search(stream, bundle, min_matches=1)) == 1


def test_a_ceiling_bounds_estimates_and_is_kept():
    stream, bundle = noise(1000, copies=[200]), sigrep.train({"bump": bumps()})
    assert bundle.labels["bump"].ceiling is None
    free = sigrep.search(stream, bundle)["threshold"][0]
    bundle.set_label("bump", ceiling=free / 2)
    bundle.set_label("bump", length=(0.7, 1.5))
    again = sigrep.Bundle.from_bytes(bundle.to_bytes())
    assert again.labels["bump"].ceiling == free / 2
    assert sigrep.search(stream, again)["threshold"].tolist() == [free / 2]
    again.set_label("bump", ceiling=None)
    assert again.labels["bump"].ceiling is None
    assert sigrep.search(stream, again)["threshold"][0] == free


def test_a_bundle_outlives_its_file_and_is_replaced_whole(tmp_path):
    path = tmp_path / "bump.sigrep"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with pytest.raises(sigrep.Error):
        sigrep.Bundle().save(path)  # it has no take
    assert path.read_bytes() == b"old"
    bundle = sigrep.train({"bump": bumps()}, threshold=0.1, rate=100)
    bundle.save(path)
    assert sigrep.Bundle.load(path).to_bytes() == bundle.to_bytes() == path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["bump.sigrep"]


def test_the_program_reads_the_bundle(tmp_path):
    sigrep.train({"bump": bumps()}, threshold=0.1, rate=100).save(tmp_path / "bump.sigrep")
    stream = noise(1000, copies=[200])
    stream.tofile(tmp_path / "stream.f32")
    command = ["sigrep", "-f", "f32", "-r", "100", "bump.sigrep", "stream.f32"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert printed.stdout == "2.000\t2.500\t0\tbump\n"


@pytest.mark.parametrize("front_end", ["speech", "voices", "words"])
def test_takes_of_sounds_have_levels(front_end):
    chirp = np.sin(np.arange(8000, dtype=np.float32) ** 2 / 8000)
    bundle = sigrep.train({"up": [chirp, chirp[:6000].copy()]}, front_end=front_end, rate=8000,
                          audio=True, threshold=9)
    levels = [take.level for take in bundle.takes]
    assert min(levels) > 0 and levels[0] != levels[1]
    found = sigrep.search(np.concatenate([noise(4000), chirp, noise(4000)]), bundle)
    best = found[found["score"].argmin()]
    assert best["margin"] == 1 - best["score"] / levels[best["template"]]
    again = sigrep.Bundle.from_bytes(bundle.to_bytes())
    assert [take.level for take in again.takes] == levels
    assert [take.level for take in sigrep.train({"bump": bumps()}).takes] == [None] * 3


def test_an_average_stands_for_all_takes():
    bundle = sigrep.train({"bump": bumps()}, average=True)
    assert len(bundle.takes) == bundle.labels["bump"].n_takes == 1
    assert np.abs(bundle.takes[0].frames[:, 0] - bump()).max() < 0.2


def test_calibrate_gives_the_wanted_false_alarms():
    bundle = sigrep.train({"bump": bumps()}, rate=100)
    background = noise(720_000)
    background[1000:2000] = np.nan  # a gap, whose samples do not count
    result = sigrep.calibrate(bundle, background, per_hour=20)["bump"]
    label = bundle.labels["bump"]
    assert label.threshold == result.threshold and label.low <= label.threshold <= label.high
    assert label.per_hour == 20 and label.hours == 719_000 / 100 / 3600
    assert result.rate_low < 20 < result.rate_high and not result.is_extrapolated
    low = result.candidates["score"] <= result.threshold
    assert np.count_nonzero(low) == len(sigrep.search(background, bundle))


def test_calibrate_takes_several_recordings():
    bundle = sigrep.train({"bump": bumps()}, rate=100)
    several = [noise(360_000), noise(360_000, seed=2)]
    result = sigrep.calibrate(bundle, several, per_hour=20)["bump"]
    assert bundle.labels["bump"].hours == 2
    assert sorted(set(result.candidates["recording"])) == [0, 1]
    assert result.candidates["end_s"].max() <= 3600


def test_too_little_background_is_refused():
    bundle = sigrep.train({"bump": bumps()}, rate=100)
    with pytest.raises(sigrep.Error) as raised:
        sigrep.calibrate(bundle, noise(300), per_hour=1)
    assert raised.value.status == "SIGREP_NO_THRESHOLD"
    with pytest.raises(ValueError, match="background: 2 channels"):
        sigrep.calibrate(bundle, np.zeros((100, 2), np.float32))


def test_a_calibration_that_fails_changes_no_label():
    """The first label was calibrated, and the second one was not."""
    bundle = sigrep.train({"short": [bump(9)], "long": [noise(4000)]}, rate=100)
    before = bundle.to_bytes()
    with pytest.raises(sigrep.Error, match="^label 'long': too short a background"):
        sigrep.calibrate(bundle, noise(20_000, seed=2), per_hour=20)
    assert bundle.to_bytes() == before


def test_a_bundle_cannot_change_while_a_search_copies_it(monkeypatch):
    """The search read frames that another thread had freed."""
    create, could_change = sigrep._search.create, []

    def observed(*arguments, **options):
        other = threading.Thread(
            target=lambda: could_change.append(bundle._lock.acquire(blocking=False)))
        other.start()
        other.join()
        return create(*arguments, **options)

    bundle = sigrep.train({"bump": bumps()}, threshold=0.1)
    monkeypatch.setattr(sigrep._search, "create", observed)
    sigrep.Search(bundle)
    assert could_change == [False]


@pytest.fixture
def interrupted():
    """Ctrl-C as soon as the library asks in a call whether it shall stop."""
    def interrupt(number, frame):
        if frame.f_code.co_name == "py_stop":
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_ctrl_c_in_a_calibration_need_not_wait_for_the_end_of_a_push(interrupted):
    bundle = sigrep.train({"walk": [noise(4000)]}, rate=100)
    with pytest.raises(KeyboardInterrupt):
        sigrep.calibrate(bundle, noise(500_000, seed=2))
    assert bundle.labels["walk"].hours == 0


def test_ctrl_c_while_levels_are_measured_is_no_error_of_the_library(interrupted):
    chirp = np.sin(np.arange(8000, dtype=np.float32) ** 2 / 8000)
    with pytest.raises(KeyboardInterrupt):
        sigrep.Search([chirp] * 30, front_end="speech", rate=8000)
