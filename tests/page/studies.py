"""Pages of a comparison and of a search for designs: every chart is drawn, what is pointed at equals compare.json and design.json,
nothing that failed is left out, keyboard, files to save, both themes, a telephone's width, axe-core.

argv: see browser.py. In the working folder: compare.html and design.html, and the folders that they were made from."""
import json

from selenium.webdriver import Keys

from browser import check, check_console, check_defined, check_drawn, check_looks, check_saved, check_words, end, figure_named, hover, is_near
from browser import load, look_as, open_browser, saved_rows, value_of

CHARTS = "return tilefly.figures[arguments[0]].charts.map(c => ({ title: c.title, names: c.y.names, series: c.series.map(s => ({ name: s.name, points: s.points })) }))"


def name_of(design):
    return ", ".join(part for part in (design["network"], design["routing"], design["congestion"]) if part)


def series_of(design, traffic):
    return next(s for s in design["series"] if s["traffic"] == traffic)


def near_all(some, others):
    return len(some) == len(others) and all(map(is_near, some, others))


def charts_of(browser, name):
    f = figure_named(browser, name)
    check(f >= 0, f"there is no figure {name}")
    return f, browser.execute_script(CHARTS, f) if f >= 0 else []


def check_ranked(browser, data, name, member, factor):
    """Bars of designs: in the order of places, each says its interval or at most how much; what failed has its name."""
    f, charts = charts_of(browser, name)
    seen = 0
    for c, chart in enumerate(charts):
        shown = sorted((d for d in data["designs"]), key=lambda d: name_of(d))
        labels = [name_of(d) + (" (failed)" if d["failed"] or series_of(d, chart["title"])["state"] == "failed" else "") for d in shown]
        check(sorted(chart["names"]) == sorted(labels), f"{name} {chart['title']}: {chart['names']}")
        places = [series_of(next(d for d in data["designs"] if name_of(d) == n), chart["title"])["place"] for n in chart["names"] if "(failed)" not in n]
        check(places == sorted(places), f"{name} {chart['title']}: places {places}")
        for s, series in enumerate(chart["series"]):
            for i, point in enumerate(series["points"]):
                design = next(d for d in data["designs"] if name_of(d) == chart["names"][point[0]])
                low, high = (factor * x for x in series_of(design, chart["title"])[member])
                head, said = hover(browser, f, c, s, i)
                text = said.get(series["name"], "")
                wanted = low if series["name"] == design["network"] else high
                check(head == name_of(design) and is_near(value_of(text), wanted), f"{name}: {head} {said} is not {wanted}")
                if series["name"] == design["network"]:
                    ends = [value_of(x) for x in text.split("between: ")[1].rstrip(")").split(" to ")]
                    check(is_near(ends[0], low) and is_near(ends[1], high), f"{name}: {head} {said} is not {low} to {high}")
                check("known" in said and "runs" in said, f"{name}: {head} has no notes: {said}")
                seen += 1
    check(seen >= 10, f"only {seen} bars of {name} could be pointed at")


def check_latency(browser, data):
    for name, member in (("latency-load", "mean"), ("latency-p99", "p99")):
        f, charts = charts_of(browser, name)
        seen = 0
        for c, chart in enumerate(charts):
            for s, series in enumerate(chart["series"]):
                design = next(d for d in data["designs"] if d["network"] == series["name"] and d["routing"] == chart["title"])
                points = {p["load"]: p for p in design["curve"] + [design.get("latency", design["curve"][0])]}
                check([p[0] for p in series["points"]] == sorted(points), f"{name}: loads {series['points']}")
                for i, point in enumerate(series["points"]):
                    head, said = hover(browser, f, c, s, i)
                    run = points[point[0]]
                    check(is_near(value_of(said.get(series["name"], "0")), run[member + "_ns"]) and "95 %" in said[series["name"]], f"{name}: {head} {said}")
                    seen += 1
        check(seen >= 6, f"only {seen} points of {name}")


def check_compare(browser):
    data = json.load(open("compare/compare.json"))
    whole = [n for n in data["networks"] if not n["failed"]]
    check_ranked(browser, data, "worth", "worth", 1000)
    check_ranked(browser, data, "saturation", "saturation", 1)
    check_latency(browser, data)
    _, (cost,) = charts_of(browser, "cost")
    for row, net in enumerate(whole):
        total = sum(p[1] for s in cost["series"] for p in s["points"] if p[0] == row)
        check(cost["names"][row] == net["name"] and is_near(total, net["cost_per_endpoint"]), f"cost: {net['name']}: {total}")
    _, parts = charts_of(browser, "parts")
    for chart, member in zip(parts, ("ports_per_endpoint", "cables_per_endpoint", "optical_m_per_endpoint", "watts_per_endpoint")):
        check(near_all([p[1] for s in chart["series"] for p in s["points"]], [n[member] for n in whole]), f"parts: {member}")
    f, (cut,) = charts_of(browser, "cut-off")
    head, said = hover(browser, f, 0, 0, 0)
    r = whole[0]["resilience"]
    check(is_near(value_of(said[head]), r["disconnected_median"]) and "by the degrees of switches" in said, f"cut-off: {head} {said}")
    _, (left,) = charts_of(browser, "failures")
    for series, net in zip(left["series"], whole):
        check(near_all([p[1] for p in series["points"]], [1] + [x["uniform_left"] for x in net["resilience"]["removed"] if x["uniform_left"]]), f"failures: {series}")
    _, (reach,) = charts_of(browser, "reach")
    check(sum(p[1] for s in reach["series"] for p in s["points"]) == len(data["designs"]) * len(reach["names"]), "reach: not every design")
    text = browser.execute_script("return document.body.innerText")
    check("6 is not a prime power" in text and "by-group" in text and "What failed, and why" in text, "what failed is not told")
    check("First place changes" in text or "No factor on the price" in text, "nothing of prices")
    tables = browser.execute_script("return [...document.querySelectorAll('details table')].map(t => t.rows.length - 1)")
    check(tables[:2] == [len(data["designs"])] * 2, f"rankings have {tables} rows")
    check(browser.execute_script("return tilefly.figures.filter(f => f.name.endsWith('-network')).length") == len(whole), "not every network is drawn")


def check_design(browser):
    data = json.load(open("design/design.json"))
    of = {c["name"].split("_")[0]: c for c in data["candidates"]}
    f, charts = charts_of(browser, "front")
    seen = 0
    for c, (chart, (x, y)) in enumerate(zip(charts, (("cost", "saturation"), ("cost", "p99"), ("saturation", "p99")))):
        for s, series in enumerate(chart["series"]):
            if series["name"] != "on the front":
                continue
            wanted = [k for k, v in of.items() if v["state"] == "front" and v["objectives"][y][1] is not None]
            check(sorted(p[6] for p in series["points"]) == sorted(wanted), f"front {x} {y}: {series['points']}")
            for i, point in enumerate(series["points"]):
                # neighbours may lie on each other: the keyboard goes to every one
                candidate = of[point[6]]
                for at, goal in ((0, x), (1, y)):
                    check(is_near(point[at], sum(candidate["objectives"][goal]) / 2), f"front: {point} is not {candidate['objectives']}")
                check(dict(point[7])["configuration file"] == f"configs/{candidate['name']}.cfg", f"front: {point[7]}")
                head, said = hover(browser, f, c, s, i)
                check(head in of and (of[head]["state"] != "front" or said.get("configuration file") == f"configs/{of[head]['name']}.cfg"), f"front: {head} {said}")
                check(said.get("routing.kind") == of[head]["variables"]["routing.kind"], f"front: {head} {said}")
                seen += 1
    check(seen >= 4, f"only {seen} points of the front")
    plot = browser.find_element("css selector", "figure.charts .plot")
    plot.send_keys(Keys.ARROW_RIGHT)
    plot.send_keys(Keys.END)
    said = browser.execute_script("return tilefly.live.textContent")
    check(said.split(".")[0] in of and "cost of an endpoint" in said and "routing.kind" in said, f"the keyboard says {said!r}")
    rows = saved_rows(browser, "front")
    check(len(rows) == sum(len(s["points"]) for chart in charts for s in chart["series"]), "front.csv has not every point")
    text = browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; }); return document.body.innerText")
    check("6 is not a prime power" in text and "is better" in text, "why candidates went is not told")
    for candidate in data["candidates"]:
        check(candidate["name"].split("_")[0] + "\t" in text, f"{candidate['name']} is not in a table")
    _, fates = charts_of(browser, "fates")
    check(all(sum(p[1] for s in chart["series"] for p in s["points"]) == len(of) for chart in fates), "fates: not every candidate")


def main():
    browser = open_browser()
    try:
        for page, part in (("compare", check_compare), ("design", check_design)):
            look_as(browser, 1280, False)
            load(browser, page + ".html")
            check_drawn(browser, page)
            part(browser)
            check_saved(browser)
            check_defined(browser)
            check_words(browser, page)
            check_console(browser, page)
            check_looks(browser, page)
    finally:
        browser.quit()
    end()


main()
