"""run_all.py - what the Python tests share: run functions, say of each how it ended."""
import sys
import traceback


def run_all(tests, skipped=0):
    """Those that raise have failed. Did any?"""
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
