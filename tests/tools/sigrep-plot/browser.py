# browser.py FOLDER LINES - the pages that tests/tools/sigrep-plot/run made in FOLDER, in headless
# Chromium: they draw, zoom, play, and can be used by keyboard. LINES: what sigrep prints of
# sound.html's input.
import json
import os
import sys
import time
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

PATIENCE_S = 30
FOLDER, LINES = sys.argv[1], sys.argv[2].splitlines()

# The colours in a panel of the first chart: how many, and the share of pixels that are not paper.
COLOURS = '''
const [top, height] = arguments, chart = document.querySelector('.chart canvas');
const ratio = chart.width / chart.clientWidth, canvas = new OffscreenCanvas(chart.width, chart.height);
canvas.getContext('2d').drawImage(chart, 0, 0);
const data = canvas.getContext('2d').getImageData(60 * ratio, top * ratio,
    canvas.width - 80 * ratio, height * ratio).data;
const counts = new Map();
for (let i = 0; i < data.length; i += 4) {
    const colour = data[i] << 16 | data[i + 1] << 8 | data[i + 2] | (data[i + 3] ? 1 << 24 : 0);
    counts.set(colour, (counts.get(colour) || 0) + 1);
}
return [counts.size, 1 - Math.max(...counts.values()) / (data.length / 4)];'''

# Controls without a name, images without a text, ids that are there twice, text on a like ground.
UNNAMED = '''
const name = (e) => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim();
const bad = [];
for (const e of document.querySelectorAll('button, a, [role=button], [role=application], [role=region], [tabindex]'))
    if (!name(e)) bad.push('no name: ' + e.outerHTML.slice(0, 80));
for (const e of document.querySelectorAll('canvas'))
    if (!e.closest('[aria-hidden=true]') && !e.getAttribute('aria-label')) bad.push('no text: ' + e.outerHTML);
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push('twice: ' + id);
for (const e of document.querySelectorAll('[aria-labelledby], [aria-describedby]'))
    for (const a of ['aria-labelledby', 'aria-describedby'])
        if (e.getAttribute(a) && !document.getElementById(e.getAttribute(a))) bad.push('refers to nothing: ' + e.getAttribute(a));
const light = (c) => { const v = c.match(/[0-9.]+/g).slice(0, 3).map((x) => x / 255)
    .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
const ground = light(getComputedStyle(document.body).backgroundColor);
for (const e of document.querySelectorAll('p, h1, h2, h3, td, th, li, svg text')) {
    const style = getComputedStyle(e), text = light(e.closest('svg') ? style.fill : style.color);
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (e.textContent && !e.closest('.match') && ratio < 4.5) bad.push(`contrast ${ratio.toFixed(2)}: ${e.textContent.slice(0, 40)}`);
}
if (document.documentElement.lang !== 'en' || !document.title) bad.push('no language or title');
return bad;'''


def start():
    options = Options()
    for argument in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     '--window-size=1280,1300', '--autoplay-policy=document-user-activation-required',
                     f'--user-data-dir={FOLDER}/profile'):
        options.add_argument(argument)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    return webdriver.Chrome(service=Service('/usr/bin/chromedriver'), options=options)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, *arguments):
        end = time.monotonic() + PATIENCE_S
        while not self.js('return ' + script, *arguments):
            assert time.monotonic() < end, script
            time.sleep(0.02)

    def open(self, name):
        self.driver.get(f'file://{FOLDER}/{name}.html')
        self.until('document.body.dataset.ready === "true"')

    def one(self, css):
        return self.driver.find_element('css selector', css)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focus_chart(self, i=0):
        self.js('document.querySelectorAll(".chart")[arguments[0]].focus()', i)

    def view(self):
        return tuple(float(self.js(f'return document.querySelector(".chart").dataset.{name}')) for name in ('from', 'to'))

    def changes_view(self, act):
        before = self.view()
        act()
        self.until('document.querySelector(".chart").dataset.from != arguments[0] || '
                   'document.querySelector(".chart").dataset.to != arguments[1]', *before)
        return before, self.view()

    def rows(self, section=0):
        script = '''return [...document.querySelectorAll('section')[arguments[0]].querySelectorAll('tbody tr')]
            .map((r) => [...r.cells].map((c) => c.textContent))'''
        return self.js(script, section)


def a_sound_is_drawn(page):
    page.open('sound')
    for top, height, least in ((22, 64, 3), (116, 180, 100), (326, 120, 3)):
        colours, share = page.js(COLOURS, top, height)
        assert colours >= least and share > 0.005, (top, colours, share)


def its_table_has_what_sigrep_prints(page):
    found = [line.split('\t') for line in LINES]
    rows = page.rows()
    assert [[r[2], r[3], r[1]] for r in rows] == [[f[0], f[1], f[3]] for f in found], rows


def keys_zoom_to_samples_and_back(page):
    page.focus_chart()
    whole = page.view()
    for _ in range(14):
        page.changes_view(lambda: page.keys('+'))
    page.until('document.querySelector(".chart").dataset.samples === "true"')
    a, b = page.view()
    assert b - a < 0.001 * (whole[1] - whole[0])
    page.changes_view(lambda: page.keys('0'))
    assert page.view() == whole


def keys_move_the_view(page):
    page.focus_chart()
    page.changes_view(lambda: page.keys('+'))
    before, after = page.changes_view(lambda: page.keys(Keys.ARROW_RIGHT))
    assert after[0] > before[0] and abs((after[1] - after[0]) - (before[1] - before[0])) < 1e-6
    before, after = page.changes_view(lambda: page.keys(Keys.HOME))
    assert after[0] < 1e-6
    page.changes_view(lambda: page.keys('0'))


def tab_reaches_each_match(page):
    page.focus_chart()
    for row in page.rows():
        page.keys(Keys.TAB)
        name = page.js('return document.activeElement.getAttribute("aria-label")')
        assert row[1] in name and row[2] in name and row[3] in name, name


def enter_plays_the_match(page):
    page.focus_chart()
    page.keys(Keys.TAB, Keys.ENTER)
    page.until('document.querySelector("section").dataset.playing === "0"')
    page.until('player.context.state === "running" && player.context.currentTime > 0.05')
    page.until('document.querySelector(".playhead") !== null')
    page.until('document.querySelector("section").dataset.playing === ""')


def the_view_is_told(page):
    page.focus_chart()
    page.changes_view(lambda: page.keys('n'))
    page.until('/Shows .* 1 match\\./.test(document.querySelector("[role=status]").textContent)')
    page.changes_view(lambda: page.keys('0'))


def the_mouse_zooms_and_drags(page):
    chart = page.one('.chart')
    wheel = ScrollOrigin.from_element(chart)

    def zoom():
        ActionChains(page.driver).key_down(Keys.CONTROL).scroll_from_origin(wheel, 0, -400).key_up(Keys.CONTROL).perform()
    before, after = page.changes_view(zoom)
    assert after[1] - after[0] < before[1] - before[0]
    before, after = page.changes_view(lambda: ActionChains(page.driver).drag_and_drop_by_offset(chart, -150, 0).perform())
    assert after[0] > before[0]
    page.changes_view(lambda: page.one('button[aria-label="Show the whole input"]').click())


def the_path_is_drawn(page):
    words = page.js('return document.querySelector(".path canvas").getAttribute("aria-label")')
    assert '60 frames of the template' in words, words
    shown = page.js('''const e = document.querySelector('.path canvas'), c = new OffscreenCanvas(e.width, e.height);
        c.getContext('2d').drawImage(e, 0, 0);
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n / (c.width * c.height)''')
    assert shown > 0.02, shown


def dark_is_dark(page):
    emulate = 'Emulation.setEmulatedMedia'
    colours = {}
    for scheme in ('light', 'dark'):
        page.driver.execute_cdp_cmd(emulate, {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
        page.until(f'matchMedia("(prefers-color-scheme: {scheme})").matches')
        page.js('return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        colours[scheme] = page.js('''const e = document.querySelector('.chart canvas'), c = new OffscreenCanvas(1, 1).getContext('2d');
            c.drawImage(e, -300, -150);
            return [getComputedStyle(document.body).backgroundColor, [...c.getImageData(0, 0, 1, 1).data]]''')
        assert page.js(UNNAMED) == [], page.js(UNNAMED)
    page.driver.execute_cdp_cmd(emulate, {'features': []})
    assert colours['light'][0] == 'rgb(255, 255, 255)' and colours['dark'][0] == 'rgb(17, 22, 28)', colours
    assert colours['light'][1] != colours['dark'][1], colours


def several_inputs_have_sections(page):
    page.open('several')
    assert page.js('return document.querySelectorAll("section .chart").length') == 2
    assert [r[1] for r in page.rows(1)] == ['apple'], page.rows(1)


def three_axes_and_dates_are_drawn(page):
    page.open('wrist')
    texts = page.js('return [...document.querySelectorAll(".chart svg text")].map((t) => t.textContent)')
    assert all(name in texts for name in ('x', 'y', 'z', '23:59:00', '00:01:00')), texts
    assert [r[2] for r in page.rows()][0] == '2026-09-01T23:58:42.000Z', page.rows()
    page.focus_chart()
    for _ in range(7):
        page.changes_view(lambda: page.keys('+'))
    page.until('document.querySelector(".chart").dataset.samples === "true"')


def times_have_the_unit_that_is_said(page):
    for name, unit, axis in (('no_times', 'samples', ('500', 'samples')), ('epoch', 's', ('15:06:45',)),
                             ('back', 'UTC', ('500', 'samples'))):
        page.open(name)
        heads = page.js('return [...document.querySelectorAll("th")].map((e) => e.textContent)')
        assert heads[2:4] == [f'start, {unit}', f'end, {unit}'], (name, heads)
        texts = page.js('return [...document.querySelectorAll(".chart svg text")].map((t) => t.textContent)')
        assert all(text in texts for text in axis), (name, texts)


def a_count_of_samples_has_whole_ticks(page):
    page.open('back')
    page.focus_chart()
    for _ in range(7):
        page.changes_view(lambda: page.keys('+'))
    ticks = page.js('return [...document.querySelectorAll(".chart svg [text-anchor=middle]")].map((t) => t.textContent)')
    assert len(ticks) >= 3 and len(set(ticks)) == len(ticks), ticks


def whole_numbers_have_whole_ticks(page):
    page.open('named')
    ticks = page.js('return [...document.querySelectorAll(".chart svg [text-anchor=end]")].map((g) => '
                    '[...g.querySelectorAll(".tick text")].map((t) => t.textContent))')
    assert ticks[0] == ['0', '1'] and '1.5' in ticks[1], ticks


def names_are_only_text(page):
    page.open('hostile')
    assert page.js('return document.querySelectorAll("img, b").length') == 0
    assert page.js('return document.title') == '</script><b>x'
    assert page.rows()[0][1] == '<img src>', page.rows()


def an_hour_zooms_to_samples(page):
    page.open('hour')
    page.focus_chart()
    page.changes_view(lambda: page.keys('z'))
    for _ in range(6):
        page.changes_view(lambda: page.keys('+'))
    page.until('document.querySelector(".chart").dataset.samples === "true"')


def a_long_sound_has_minutes(page):
    page.open('hour')
    heads = page.js('return [...document.querySelectorAll("th")].map((e) => e.textContent)')
    assert heads[2:4] == ['start, h:min:s', 'end, h:min:s'], heads
    seconds = page.js('return JSON.parse(document.getElementById("data").textContent).inputs[0].matches.map((m) => m[5])')
    assert page.rows()
    for row, second in zip(page.rows(), sorted(seconds, key=float)):
        *hours, minutes, rest = row[2].split(':')
        found = 3600 * int(hours[0] if hours else 0) + 60 * int(minutes) + float(rest)
        assert len(rest.split('.')[0]) == 2 and abs(found - float(second)) < 1e-9, (row, second)


def other_pages_are_drawn(page):
    for name in ('best', 'pen', 'bundle', 'noise', 'long', 'broken'):
        page.open(name)
        assert page.js(UNNAMED) == [], (name, page.js(UNNAMED))
        colours, share = page.js(COLOURS, 22, 60)
        assert colours >= 2 and share > 0.003, (name, colours, share)


def no_console_errors_and_no_network(page):
    assert page.driver.get_log('browser') == []
    for entry in page.driver.get_log('performance'):
        message = json.loads(entry['message'])['message']
        params = message['params']
        if message['method'] == 'Network.requestWillBeSent' and params['documentURL'].startswith('file:'):
            url = params['request']['url']
            assert url.startswith((f'file://{FOLDER}/', 'data:', 'blob:')), url


TESTS = [a_sound_is_drawn, its_table_has_what_sigrep_prints, keys_zoom_to_samples_and_back, keys_move_the_view,
         tab_reaches_each_match, enter_plays_the_match, the_view_is_told, the_mouse_zooms_and_drags,
         the_path_is_drawn, dark_is_dark, several_inputs_have_sections, three_axes_and_dates_are_drawn,
         times_have_the_unit_that_is_said, a_count_of_samples_has_whole_ticks,
         whole_numbers_have_whole_ticks, names_are_only_text, an_hour_zooms_to_samples, a_long_sound_has_minutes, other_pages_are_drawn, no_console_errors_and_no_network]


def main():
    driver = start()
    failed = 0
    try:
        for test in TESTS:
            name = 'in a browser: ' + test.__name__.replace('_', ' ')
            try:
                test(Page(driver))
                print('ok  ', name, flush=True)
            except Exception:  # of any kind: the next test may pass
                traceback.print_exc(file=sys.stdout)
                print('FAIL', name, flush=True)
                failed += 1
    finally:
        driver.quit()
    return failed > 0


os.environ['HOME'] = FOLDER  # a profile of its own
sys.exit(main())
