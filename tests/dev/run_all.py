"""run_all.py - runs the functions of a Python test, and prints how each one ended."""
import sys
import traceback


def run_all(tests, skipped=0):
    """A test that raises has failed. Returns whether any did."""
    failed = 0
    for test in tests:
        try:
            test()
            print('ok  ', test.__name__)
        except Exception:
            failed += 1
            print('FAIL', test.__name__)
            traceback.print_exc(file=sys.stdout)
    print(f'{len(tests) - failed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return failed > 0
