"""conftest.py - tests print what tests/run reads: ok, FAIL and SKIP lines."""


def pytest_report_teststatus(report):
    name, bracket, case = report.nodeid.rpartition("::")[2].partition("[")
    name = name.removeprefix("test_").replace("_", " ") + bracket + case
    if report.skipped:
        return "skipped", f"SKIP {name}: {report.longrepr[2]}\n", "SKIP"
    if report.when == "call" or report.failed:
        return report.outcome, f"{'ok  ' if report.passed else 'FAIL'} {name}\n", report.outcome
    return "", "", ""
