# browser.py FOLDER - the page of --monitor-page in headless Chromium, while a pipe is fed. FOLDER
# has the template t.txt.
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PATIENCE_S = 60
FOLDER = sys.argv[1]
LABEL = '<b>&"'
SAMPLES = b'9\n9\n9\n0\n1\n3\n1\n0\n9\n9\n9\n9\n9\n9\n9\n9\n'

# Text on a like ground: its contrast is below 4.5.
PALE = '''
const light = (c) => { const v = c.match(/[0-9.]+/g).slice(0, 3).map((x) => x / 255)
    .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
const ground = light(getComputedStyle(document.body).backgroundColor), pale = [];
for (const e of document.querySelectorAll('h1, p, dt, dd, caption, th, td')) {
    const text = light(getComputedStyle(e).color);
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (e.textContent && ratio < 4.5) pale.push(`${ratio.toFixed(2)}: ${e.textContent}`);
}
return pale;'''


def start_browser():
    options = Options()
    for argument in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     f'--user-data-dir={FOLDER}/profile'):
        options.add_argument(argument)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    return webdriver.Chrome(service=Service('/usr/bin/chromedriver'), options=options)


class Page:
    def __init__(self, driver):
        self.driver = driver
        self.search = subprocess.Popen(
            ['sigrep', '--monitor-page', '0', '-T', 'samples', '-t', '0.1', '-e', f'{LABEL}=t.txt',
             '-e', 'top=t.txt@1-4', '-'],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.url = re.search(r'http://\S+', self.search.stderr.readline().decode())[0]

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, css):
        return self.js('return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)', css)

    def until(self, css, wanted):
        end = time.monotonic() + PATIENCE_S
        while (found := self.text(css)) != wanted:
            assert time.monotonic() < end, (css, found)
            time.sleep(0.02)

    def emulate(self, scheme):
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia',
                                    {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})

    def size(self, width):
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',
                                    {'width': width, 'height': 640, 'deviceScaleFactor': 1, 'mobile': False})


def it_waits_for_the_first_samples(page):
    page.driver.get(page.url)
    page.until('#state', ['Waiting for the first samples'])
    page.until('tbody td', [])


def level_scores_thresholds_and_a_match_appear(page):
    page.search.stdin.write(SAMPLES)
    page.search.stdin.flush()
    page.until('#read', ['16 samples'])
    page.until('#input', ['(standard input)'])
    page.until('#level', ['0 to 9'])
    page.until('#matches', ['2'])
    page.until('#lost', ['0 samples in 0 gaps'])
    page.until('#labels td.number', ['0', '0.1', '0', '0.1'])
    page.until('#last tbody tr', ['380' + LABEL + '(standard input)', '470top(standard input)'])
    widths = page.js('return [...document.querySelectorAll(".bar div")].map((e) => [e.className, '
                     'e.clientWidth / e.parentNode.clientWidth > 0.5])')
    assert widths == [['full', True], ['full', True]], widths


def a_label_is_only_text(page):
    assert page.text('#labels td:first-child') == [LABEL, 'top'], page.text('#labels td')
    assert page.js('return document.querySelectorAll("b").length') == 0


def it_fits_a_narrow_screen(page):
    for width in (320, 1280):
        page.size(width)
        wide = page.js('return document.documentElement.scrollWidth')
        assert wide <= width, (width, wide)


def dark_is_dark_and_both_can_be_read(page):
    grounds = {}
    for scheme in ('light', 'dark'):
        page.emulate(scheme)
        grounds[scheme] = page.js('return getComputedStyle(document.body).backgroundColor')
        assert page.js(PALE) == [], page.js(PALE)
    assert grounds == {'light': 'rgb(255, 255, 255)', 'dark': 'rgb(17, 22, 28)'}, grounds


def nothing_comes_from_elsewhere(page):
    assert page.driver.get_log('browser') == []
    for entry in page.driver.get_log('performance'):
        message = json.loads(entry['message'])['message']
        if message['method'] == 'Network.requestWillBeSent' and message['params']['documentURL'] == page.url:
            url = message['params']['request']['url']
            assert url.startswith((page.url, 'data:')), url


# Regression: rows were made anew four times a second, and what was selected in them was lost.
def matches_stay_selected(page):
    selected = 'return String(getSelection())'
    page.js('getSelection().selectAllChildren(document.querySelector("#last tbody"))')
    before = page.js(selected)
    page.search.stdin.write(b'9\n')
    page.search.stdin.flush()
    page.until('#read', ['17 samples'])
    assert LABEL in before and page.js(selected) == before, before


def it_says_whether_samples_come(page):
    page.until('#state', ['No new samples'])
    end = time.monotonic() + PATIENCE_S
    while page.text('#state') != ['Live']:
        assert time.monotonic() < end, page.text('#state')
        page.search.stdin.write(b'9\n')
        page.search.stdin.flush()
        time.sleep(0.02)
    page.until('#state', ['No new samples'])


# Regression: it stayed Live for ever.
def it_says_that_there_is_no_answer(page):
    page.search.send_signal(signal.SIGSTOP)
    page.until('#state', ['The search has ended, or does not answer'])
    page.search.send_signal(signal.SIGCONT)
    page.until('#state', ['No new samples'])


def it_says_that_the_search_has_ended(page):
    page.search.communicate()
    page.until('#state', ['The search has ended, or does not answer'])
    page.until('#matches', ['2'])


TESTS = [it_waits_for_the_first_samples, level_scores_thresholds_and_a_match_appear, a_label_is_only_text,
         it_fits_a_narrow_screen, dark_is_dark_and_both_can_be_read, nothing_comes_from_elsewhere,
         matches_stay_selected, it_says_whether_samples_come, it_says_that_there_is_no_answer,
         it_says_that_the_search_has_ended]


def main():
    driver = start_browser()
    page = Page(driver)
    failed = 0
    try:
        for test in TESTS:
            name = 'in a browser: ' + test.__name__.replace('_', ' ')
            try:
                test(page)
                print('ok  ', name, flush=True)
            except Exception:  # of any kind: the next test may pass
                traceback.print_exc(file=sys.stdout)
                print('FAIL', name, flush=True)
                failed += 1
    finally:
        driver.quit()
        page.search.kill()
    return failed > 0


os.environ['HOME'] = FOLDER  # a profile of its own
sys.exit(main())
