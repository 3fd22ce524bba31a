"""Pages in headless Chromium: what the tests of all pages use.

argv of a test: chromium, chromedriver, axe-core's script, a folder for screenshots or "". In the working folder: the pages and
what they were made from."""
import csv
import io
import os
import re
import sys
import time
import xml.etree.ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

chromium, chromedriver, axe_path, shots = sys.argv[1:5]
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def open_browser():
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(chromedriver), options=options)
    browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    return browser


def look_as(browser, width, dark, height=900):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
    scheme = "dark" if dark else "light"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def load(browser, name):
    browser.get("file://" + os.path.abspath(name))


def check_console(browser, where):
    said = [entry["message"] for entry in browser.get_log("browser")]
    check(not said, f"{where}: the console says {said[:3]}")


def value_of(text):
    """The first number of a text in ns, B, Gb/s or as it stands; the unit is one of format.js."""
    scale = {"ps": 1e-3, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "KB": 1e3, "MB": 1e6, "GB": 1e9, "kb/s": 1e-6, "Mb/s": 1e-3, "Gb/s": 1,
             "Tb/s": 1e3, "%": 0.01, "thousand/s": 1e3, "million/s": 1e6, "million": 1e6}
    found = re.match(r"\s*(-?[\d,]*\.?\d+)\s*([^\s(]*)", text)
    return float(found[1].replace(",", "")) * scale.get(found[2], 1)


def is_near(a, b):
    return abs(a - b) <= 6e-4 * max(abs(a), abs(b)) + 1e-12


# --- drawn ---------------------------------------------------------------------------------------------------

DRAWN = """return tilefly.figures.map(f => ({ name: f.name, plots: f.plots.map(p => {
    const svg = p.place.querySelector('svg'), canvas = p.place.querySelector('canvas');
    const pixels = canvas ? new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size : 0;
    return { kind: p.chart.kind, marks: svg ? svg.querySelectorAll('path').length : 0, pixels,
             sizes: svg ? [...new Set([...svg.querySelectorAll('text')].map(t => getComputedStyle(t).fontSize))] : [],
             series: (p.chart.series || []).map(s => s.points.length), wide: p.place.clientWidth }; }) }))"""


def check_drawn(browser, where):
    browser.execute_script("tilefly.drawAll()")
    figures = browser.execute_script(DRAWN)
    for figure in figures:
        for plot in figure["plots"]:
            check(plot["marks"] > 5 or plot["pixels"] > 8, f"{where}: {figure['name']} is not drawn: {plot}")
            check(plot["sizes"] in ([], ["12px"]), f"{where}: labels of {figure['name']} have sizes {plot['sizes']}")
    return figures


# --- pointing ------------------------------------------------------------------------------------------------

PLACE = """const [f, c, s, i] = arguments, p = tilefly.figures[f].plots[c], q = p.chart.series[s].points[i];
    const bars = p.chart.kind === 'bars' || p.chart.kind === 'stack';
    p.place.scrollIntoView({ block: 'center' });
    const at = p.echart.convertToPixel('grid', bars ? [q[1], q[0]] : [q[0], q[1]]), box = p.place.getBoundingClientRect();
    return [box.left + at[0], box.top + at[1]];"""
BUBBLE = "const b = tilefly.figures[arguments[0]].plots[arguments[1]].place.querySelector('.bubble'); return b && b.style.visibility !== 'hidden' && b.style.display !== 'none' ? b.innerText : ''"


def point_at(browser, x, y):
    for kind, dx in (("mouseMoved", 3), ("mouseMoved", 0)):
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x + dx, "y": y})
    time.sleep(0.05)


def rows_of(bubble):
    rows = dict(line.split("\t", 1) for line in bubble.split("\n")[1:] if "\t" in line)
    return bubble.split("\n")[0], rows


def figure_named(browser, name):
    return browser.execute_script("return tilefly.figures.findIndex(f => f.name === arguments[0])", name)


def hover(browser, figure, chart, series, point):
    x, y = browser.execute_script(PLACE, figure, chart, series, point)
    point_at(browser, x, y)
    return rows_of(browser.execute_script(BUBBLE, figure, chart))


# --- of a whole page -----------------------------------------------------------------------------------------

def check_words(browser, where):
    text = browser.execute_script("""document.querySelectorAll('details').forEach(d => { d.open = d.classList.contains('run'); });
        return document.body.innerText + [...document.querySelectorAll('.plot text')].map(t => t.textContent).join('\\n')""")
    for pattern in (r"\d[eE][-+]?\d{1,3}\b(?![\da-f]{4})", r"\d ?us\b", r"\bNaN\b", r"\bundefined\b", r"\bInfinity\b"):
        found = re.search(r".{0,30}" + pattern, re.sub(r"\b[\da-f]{16}\b", "", text))
        check(not found, f"{where}: machine notation: {found and found[0]!r}")


def check_defined(browser):
    unknown = browser.execute_script("const t = JSON.parse(document.getElementById('terms').textContent); return [...document.querySelectorAll('[data-term]')].map(e => e.dataset.term).filter(n => !t[n])")
    check(not unknown, f"terms without a definition: {unknown}")


def check_saved(browser):
    for name in browser.execute_script("return tilefly.figures.map(f => f.name)"):
        f = figure_named(browser, name)
        svg, text = browser.execute_script("const f = tilefly.figures[arguments[0]]; return [f.svg(), csvOf(f.charts)]", f)
        tree = xml.etree.ElementTree.fromstring(svg)
        check(len(list(tree.iter())) > 8, f"{name}.svg is nearly empty: {len(list(tree.iter()))} elements")
        rows = list(csv.reader(io.StringIO(text)))
        check(len(rows) > 1 and len({len(r) for r in rows}) == 1, f"{name}.csv: {rows[:3]}")


def saved_rows(browser, name):
    """The rows of a figure's CSV file, without its heading."""
    rows = list(csv.reader(io.StringIO(browser.execute_script("return csvOf(tilefly.figures[arguments[0]].charts)", figure_named(browser, name)))))
    return rows[1:]


def check_axe(browser, where):
    browser.execute_script(open(axe_path).read())
    found = browser.execute_async_script("const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => [v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 160)])))")
    bad = [v for v in found if v[1] in ("serious", "critical")]
    check(not bad, f"{where}: axe-core: {bad}")


def screenshot(browser, name, height=2400):
    if not shots:
        return
    os.makedirs(shots, exist_ok=True)
    browser.execute_script("scrollTo(0, 0)")
    browser.save_screenshot(os.path.join(shots, name + ".png"))


def check_looks(browser, page):
    """Both widths and both themes: drawn, not too wide, axe-core, a silent console. Each theme at one width; screenshots
    are of all."""
    for width in (390, 1280):
        for dark in (False, True) if shots else (width == 1280,):
            where = f"{page}-{width}-{'dark' if dark else 'light'}"
            look_as(browser, width, dark, 4000 if shots else 900)
            load(browser, page + ".html")
            check_drawn(browser, where)
            check(browser.execute_script("return document.documentElement.scrollWidth") <= width, f"{where}: wider than the window")
            if dark == (width == 1280):  # contrast is of the theme, overlaps are of the width
                check_axe(browser, where)
            check_console(browser, where)
            screenshot(browser, where)


def end():
    print(f"{len(failures)} failed" if failures else "passed")
    sys.exit(bool(failures))
