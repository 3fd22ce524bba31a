"""The interactive page in headless Chromium: every chart is drawn, what is pointed at has the value of the result, legend, zoom,
keyboard, files to save, sizes of labels, both themes, a telephone's width, axe-core.

argv: chromium, chromedriver, axe-core's script, a folder for screenshots or "". In the working folder: page.html and what it
was made from."""
import base64
import csv
import json
import re
import shutil
import subprocess
import time

from selenium.webdriver import ActionChains, Keys

from browser import check, check_console, check_defined, check_drawn, check_looks, check_saved, check_words, end
from browser import figure_named, hover, is_near, load, look_as, open_browser, point_at, rows_of, saved_rows, value_of, BUBBLE


def check_sweep(browser):
    """Points of the sweep's two figures, against its table."""
    rows = [json.loads(line) for line in open("loads/summary.jsonl")]
    seen = 0
    for name, member in (("accepted-load", "accepted_load"), ("latency", "latency_mean_ns")):
        f = figure_named(browser, name)
        charts = browser.execute_script("return tilefly.figures[arguments[0]].charts.map(c => [c.title, c.series.map(s => [s.name, s.points.map(p => p[0])])])", f)
        for c, (panel, series) in enumerate(charts):
            for s, (routing, loads) in enumerate(series):
                for i, x in enumerate(loads):
                    row = next((r for r in rows if r["labels"] == {"pattern": panel, "routing": routing, "load": str(x)}), None)
                    if not row:
                        continue
                    head, said = hover(browser, f, c, s, i)
                    check(value_of(head.split(":")[-1]) == x, f"{name} {panel} {routing}: {head} at {x}")
                    check(routing in said and is_near(value_of(said[routing]), row[member]), f"{name} {panel} {routing} at {x}: {said} is not {row[member]}")
                    seen += 1
    check(seen >= 14, f"only {seen} points of the sweep could be pointed at")


def check_heat(browser):
    """The queue of some output ports, against the log's records."""
    f = figure_named(browser, "plain-occupancy")
    ports = [r for r in map(json.loads, open("plain.jsonl")) if r["record"] == "port" and r["vc_mean_bytes"]]
    for record in ports[:: len(ports) // 6]:
        x, y = browser.execute_script("""const p = tilefly.figures[arguments[0]].plots[0]; p.place.scrollIntoView({ block: 'center' });
            const at = p.echart.convertToPixel('grid', [arguments[1], arguments[2]]), b = p.place.getBoundingClientRect(); return [b.left + at[0], b.top + at[1]]""",
                                      f, record["port"], record["switch"])
        point_at(browser, x, y)
        head, said = rows_of(browser.execute_script(BUBBLE, f, 0))
        check(head == f"switch {record['switch']}, output port {record['port']}", f"heat map: {head}")
        wanted = float(f"{record['vc_mean_bytes'][0]:.3g}")
        check("mean queue" in said and is_near(value_of(said["mean queue"]), wanted), f"heat map: {said} is not {wanted}")


def check_bars(browser):
    rows = {(r["labels"]["routing"], r["labels"]["load"]): r for r in map(json.loads, open("names/summary.jsonl"))}
    f = figure_named(browser, "accepted-load-3")
    for s, x in enumerate(("0.1", "0.3")):
        head, said = hover(browser, f, 0, s, 1)
        value, first = rows["valiant", x]["accepted_load"], rows["minimal", x]["accepted_load"]
        check(head == "routing: valiant" and is_near(value_of(said[x]), value), f"bars: {head} {said}")
        check(said.get("against minimal", "").replace("−", "-") == f"{100 * (value / first - 1):+.1f} %", f"bars: {said} is not {value} against {first}")
    f = figure_named(browser, "saturation")
    row = next(csv.DictReader(open("find/saturation.csv")))
    head, said = hover(browser, f, 0, 0, 0)
    wanted = f"{float(row['low']):g} (between: {float(row['low']):g} to {float(row['high']):g})"
    check(head == row["routing"] and said.get("saturation") == wanted, f"saturation: {head} {said} is not {wanted}")
    f = figure_named(browser, "inside-latency-stack")
    log = next(r for r in map(json.loads, open("inside.jsonl")) if r["record"] == "switch")
    stage = log["classes"][0]["stages"][0]
    head, said = hover(browser, f, 0, 0, 0)
    check(is_near(value_of(said.get(stage["stage"], "0")), stage["mean_ns"]), f"stack: {said} is not {stage['mean_ns']}")


def check_network(browser):
    f = browser.execute_script("return tilefly.figures.findIndex(f => f.name.endsWith('-network') && f.charts[0].network.nodes.length === 50)")
    for switch in (0, 7, 49):
        x, y = browser.execute_script("""const p = tilefly.figures[arguments[0]].plots[0], n = p.chart.network.nodes[arguments[1]]; p.place.scrollIntoView({ block: 'center' });
            const at = p.echart.convertToPixel({ seriesIndex: 0 }, [1000 * n[0], -1000 * n[1]]), b = p.place.getBoundingClientRect(); return [b.left + at[0], b.top + at[1]]""", f, switch)
        point_at(browser, x, y)
        said = browser.execute_script(BUBBLE, f, 0)
        check(said.startswith(f"switch {switch}\n4 endpoints, 7 ports to switches"), f"network: {said!r}")


def check_cost(browser):
    """The parts of an endpoint's cost, against what tilefly cost says."""
    wanted = json.load(open("cost.json"))

    f = figure_named(browser, "cost")
    total = browser.execute_script("return tilefly.figures[arguments[0]].charts[0].series.reduce((sum, s) => sum + s.points[0][1], 0)", f)
    check(is_near(total, wanted["cost"]["per_endpoint"]["total"]), f"cost: {total} is not {wanted['cost']['per_endpoint']['total']}")
    head, said = hover(browser, f, 0, 0, 0)
    check("USD" in said.get("switches", ""), f"cost: {head} {said}")


BARS = [71, 46, 71, 46]


def bars_on_paper(browser):
    """Lengths of the bars of a page in its PDF, in pt; None without poppler."""
    if not shutil.which("pdftocairo"):
        return None
    names = [f"case {i}" for i in range(len(BARS))]
    chart = {"kind": "bars", "title": "", "x": {"title": "rate", "unit": "Gb/s", "zero": True}, "y": {"title": "", "unit": "", "names": names},
             "series": [{"key": "r", "name": "rates", "colour": "#123456", "style": "", "points": list(map(list, enumerate(BARS)))}]}
    text = open("page.html").read()
    place = '<div class="figures"><script type="application/json">%s</script></div>' % json.dumps({"name": "f", "caption": "c", "charts": [chart]})
    open("bars.html", "w").write(text[:text.index("<main>")] + "<main>" + place + text[text.index("</main>"):])
    load(browser, "bars.html")
    open("bars.pdf", "wb").write(base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]))
    subprocess.run(["pdftocairo", "-svg", "bars.pdf", "bars.svg"], check=True)
    lengths = []
    for path in re.findall(r"<path [^>]*>", open("bars.svg").read()):
        fill = re.search(r'fill[:=]"?rgb\(([\d.]+)%, ?([\d.]+)%, ?([\d.]+)%\)', path)
        if fill and [round(2.55 * float(part)) for part in fill.groups()] == [0x12, 0x34, 0x56]:
            xs = [float(x) for x in re.findall(r"[ML] ([-\d.]+) [-\d.]+", path)]
            lengths.append(max(xs) - min(xs))
    load(browser, "page.html")
    return lengths


def check_print(browser):
    """On paper: drawings as wide as it, in light colours, and bars as long as their values."""
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    drawn, figures = browser.execute_script("return [document.querySelectorAll('.paper > svg').length, tilefly.figures.length]")
    check(drawn == figures, f"print: {drawn} drawings of {figures} figures")
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    check(not browser.find_elements("css selector", ".paper"), "the screen is not as before printing")
    lengths = bars_on_paper(browser)
    if lengths is not None:
        check(len(lengths) == len(BARS) and all(abs(a / lengths[0] - b / BARS[0]) < 0.01 for a, b in zip(lengths, BARS)), f"print: bars of {BARS} are {lengths} long")


# --- tools ---------------------------------------------------------------------------------------------------

def check_tools(browser):
    f = figure_named(browser, "accepted-load")
    element = browser.find_elements("css selector", "figure.charts")[f]
    browser.execute_script("arguments[0].scrollIntoView()", element)
    shown = "return tilefly.figures[arguments[0]].plots[0].echart.getOption().series.filter(s => s.name === 'minimal').length"
    key = next(b for b in element.find_elements("css selector", ".legend button") if b.text == "minimal")
    key.click()
    check(browser.execute_script(shown, f) == 0 and key.get_attribute("aria-pressed") == "false", "the legend does not hide")
    key.send_keys(Keys.ENTER)
    check(browser.execute_script(shown, f) == 1 and key.get_attribute("aria-pressed") == "true", "the legend does not show again")

    zoomed = "return tilefly.figures[arguments[0]].plots[0].echart.getOption().dataZoom.map(z => z.end - z.start)"
    tool = {b.text: b for b in element.find_elements("css selector", ".tools button")}
    if tool["Zoom"].get_attribute("aria-pressed") != "true":
        tool["Zoom"].click()
    plot = element.find_element("css selector", ".plot")
    ActionChains(browser, duration=60).move_to_element_with_offset(plot, -40, -40).click_and_hold().move_by_offset(20, 20).move_by_offset(40, 40).release().perform()
    time.sleep(0.2)
    check(all(part < 60 for part in browser.execute_script(zoomed, f)), "dragging does not zoom")
    tool["Whole"].click()
    check(browser.execute_script(zoomed, f) == [100, 100], "the whole does not come back")

    plot.send_keys(Keys.ARROW_RIGHT)
    plot.send_keys(Keys.HOME)
    plot.send_keys(Keys.ARROW_RIGHT)
    said = browser.execute_script("return tilefly.live.textContent")
    check(said.startswith("offered load: 0.3. minimal"), f"the keyboard says {said!r}")
    plot.send_keys("+")
    check(all(part < 70 for part in browser.execute_script(zoomed, f)), "the keyboard does not zoom")
    plot.send_keys("0")

    tool["Numbers"].click()
    check("0.3" in element.find_element("css selector", ".shown").text, "no table of numbers")
    tool["Numbers"].click()
    check(not element.find_elements("css selector", ".shown"), "the table stays")


def check_files(browser):
    check_saved(browser)
    rows = saved_rows(browser, "accepted-load")
    table = {(r["labels"]["pattern"], r["labels"]["routing"], float(r["labels"]["load"])): r["accepted_load"] for r in map(json.loads, open("loads/summary.jsonl")) if "accepted_load" in r}
    found = [r for r in rows if (r[0], r[1], float(r[2])) in table]
    check(len(found) == len(table), "accepted-load.csv has not every point")
    check(all(is_near(float(r[3]), table[r[0], r[1], float(r[2])]) for r in found), "accepted-load.csv has other values")


def check_terms(browser):
    term = browser.find_element("css selector", "[data-term=accepted_load]")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' }); arguments[0].focus()", term)
    tip = browser.find_element("id", "tip")
    check(tip.is_displayed() and "delivered in the measured window" in tip.text, f"a definition: {tip.text!r}")
    check_defined(browser)


def main():
    browser = open_browser()
    try:
        look_as(browser, 1280, False)
        load(browser, "page.html")
        figures = check_drawn(browser, "1280 px")
        kinds = {p["kind"] for f in figures for p in f["plots"]}
        check(kinds >= {"lines", "scatter", "bars", "stack", "heat", "cells", "network"}, f"kinds of charts: {kinds}")
        for part in (check_sweep, check_heat, check_bars, check_network, check_cost, check_tools, check_files, check_terms):
            part(browser)
        check_print(browser)
        check_words(browser, "1280 px")
        check_console(browser, "1280 px")
        check_looks(browser, "page")
        ground = "return getComputedStyle(document.body).backgroundColor"
        before = browser.execute_script(ground)
        browser.find_element("css selector", ".theme").click()
        check(browser.execute_script(ground) != before, "the switch to light does nothing in the dark")
    finally:
        browser.quit()
    end()


main()
