"""The page of 500 runs in headless Chromium: its size, how soon it answers, a run that is unfolded.

argv: chromium, chromedriver, axe-core's script, a folder for screenshots or "". In the working folder: many.html."""
import os
import time

from browser import check, check_console, end, load, look_as, open_browser


def check_many(browser):
    size = os.path.getsize("many.html")
    check(size < 5e6, f"the page of 500 runs has {size} bytes")
    times = []
    for _ in range(3):
        load(browser, "many.html")
        times.append(browser.execute_script("return tilefly.ready"))
    check(min(times) < 2000, f"the page of 500 runs is interactive after {times} ms")
    print(f"500 runs: {size / 1e6:.2f} MB, interactive after {min(times):.0f} ms")
    check(browser.execute_script("return tilefly.figures[0].charts[0].series[0].points.length") == 500, "not every run is a point")
    run = browser.find_elements("css selector", "details.run")[250]
    browser.execute_script("arguments[0].scrollIntoView(); arguments[0].open = true", run)
    time.sleep(0.5)
    check(run.find_elements("css selector", ".plot svg"), "an unfolded run is not drawn")
    check_console(browser, "500 runs")


def main():
    browser = open_browser()
    try:
        look_as(browser, 1280, False)
        check_many(browser)
    finally:
        browser.quit()
    end()


main()
