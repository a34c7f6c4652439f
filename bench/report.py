"""Writes the results of a benchmark: a table (Markdown), a picture (SVG) and all figures (JSON)."""
import html
import json
import os
import platform
import statistics
import time

import programs

REFERENCE = programs.Client.name
WHAT = {kind.name: kind.what for kind in (programs.SpendWise, programs.Client, programs.Fetchmail, programs.Mbsync)}


def line_after(path, key):
    """The value of the first line `key: value` of a file of /proc."""
    with open(path, encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith(key)), "unknown")


def machine():
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        system = platform.system()
    return {
        "processor": f"{line_after('/proc/cpuinfo', 'model name')}, {len(os.sched_getaffinity(0))} cores",
        "memory": f"{int(line_after('/proc/meminfo', 'MemTotal').split()[0]) / 1048576:.1f} GiB",
        "system": f"{system}, Linux {platform.release()}",
        "server": "Dovecot " + programs.first_line("dovecot", "--version"),
        "load at the end": " ".join(f"{value:.1f}" for value in os.getloadavg()),
        "date": time.strftime("%Y-%m-%d"),
    }


def ratio(results, name, key):
    """The median of the ratios of each round to the C client in the same round."""
    pairs = zip(results[name], results.get(REFERENCE, []))
    ratios = [own[key] / other[key] for own, other in pairs if other[key] > 0]
    return statistics.median(ratios) if ratios else None


def summary(results, waits):
    """The medians of each program."""
    rows = []
    for name, rounds in results.items():
        row = {key: statistics.median(figures[key] for figures in rounds) for key in ("wall", "cpu", "memory", "wire")}
        row["name"], row["rounds"] = name, len(rounds)
        row["rows"], row["expected"] = rounds[0]["rows"], rounds[0]["expected"]
        row["rate"] = row["rows"] / row["wall"]
        row["wall ratio"], row["cpu ratio"] = ratio(results, name, "wall"), ratio(results, name, "cpu")
        row["latency"] = statistics.median(waits[name]) if waits.get(name) else None
        rows.append(row)
    return sorted(rows, key=lambda row: row["wall"])


def number(value, form):
    return "" if value is None else format(value, form)


def table(rows, facts, setting):
    lines = [
        "# Benchmark", "", setting, "",
        "| program | mails/s | wall s | of the C client | CPU ms/mail | of the C client | memory MiB | on the wire MB "
        "| delivery to result ms | results |", "|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        cells = [
            row["name"], number(row["rate"], ".0f"), number(row["wall"], ".3f"), number(row["wall ratio"], ".2f"),
            number(row["cpu"] * 1000 / max(row["rows"], 1), ".3f"), number(row["cpu ratio"], ".2f"), number(row["memory"], ".1f"),
            number(row["wire"], ".2f"), number(row["latency"], ".0f"), f"{row['rows']} of {row['expected']}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += [""] + [f"- {row['name']}: {WHAT[row['name']]}" for row in rows]
    return "\n".join(lines + [""] + [f"- {key}: {value}" for key, value in facts.items()]) + "\n"


def picture(rows, facts, setting):
    """Bars of mails per second, one below the other."""
    width, left, step = 720, 170, 34
    most = max(row["rate"] for row in rows) or 1
    height = 70 + step * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<text x="10" y="22" font-size="16" fill="#222222">Mails per second</text>',
        f'<text x="10" y="42" fill="#555555">{html.escape(setting)}</text>']
    for index, row in enumerate(rows):
        y, bar = 60 + step * index, (width - left - 90) * row["rate"] / most
        colour = "#2b6cb0" if row["name"] == programs.SpendWise.name else "#a0aec0"
        parts += [
            f'<text x="{left - 8}" y="{y + 16}" text-anchor="end" fill="#222222">{html.escape(row["name"])}</text>',
            f'<rect x="{left}" y="{y}" width="{bar:.1f}" height="22" fill="{colour}"/>',
            f'<text x="{left + bar + 6:.1f}" y="{y + 16}" fill="#222222">{row["rate"]:.0f}</text>']
    parts.append(f'<text x="10" y="{height - 10}" font-size="11" fill="#555555">{html.escape(facts["processor"])}; '
                 f'{html.escape(facts["server"])}; {facts["date"]}</text></svg>')
    return "\n".join(parts) + "\n"


def write(folder, results, waits, options, versions):
    facts = machine()
    facts["programs"] = "; ".join(versions)
    rows = summary(results, waits)
    line = f"a round trip of {options.rtt:g} ms" if options.rtt else "the loopback interface"
    setting = (f"{options.mails} mails, {options.share:.0%} of them alerts, over TLS on {line}; "
               f"median of {max(row['rounds'] for row in rows)} rounds")
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, time.strftime("%Y%m%d-%H%M%S"))
    for ending, text in [
            ("md", table(rows, facts, setting)), ("svg", picture(rows, facts, setting)),
            ("json", json.dumps({"setting": vars(options), "machine": facts, "medians": rows, "rounds": results, "latency": waits},
                                indent=1) + "\n")]:
        with open(f"{name}.{ending}", "w", encoding="utf-8") as file:
            file.write(text)
    print("\n" + table(rows, facts, setting))
    shown = os.path.relpath(name)
    print(f"written: {shown}.md {shown}.svg {shown}.json")
