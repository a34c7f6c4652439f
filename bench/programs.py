"""The programs of the comparison: how each is started, and how many results it has."""
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import mails

HOME = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HOME)


class NotReady(Exception):
    """A program does not wait for mail, or does not see it."""


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return (done.stdout or done.stderr).splitlines()[0].strip()
    except (OSError, IndexError):
        return "unknown"


def write(path, text):
    with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(text)
    return path


def count(database):
    """The transactions of a database; 0 while there is none."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10) as connection:
            return connection.execute("SELECT count(*) FROM transactions").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


class Program:
    name = ""
    what = ""
    good = (0,)
    # It cannot search for senders, so that it fetches every mail.
    reads_all = False
    watches = True

    def environment(self, folder):
        return {}

    def wait_until_ready(self, folder, process, limit):
        """Waits until the first mail may be delivered."""


class SpendWise(Program):
    name, what = "SpendWise", "searches, fetches, checks the sender, reads, categorises and books"

    def __init__(self, daemon):
        self.daemon = daemon
        self.version = "SpendWise " + first_line(daemon, "--version")

    def configuration(self, server, folder):
        secret = write(os.path.join(folder, "password"), server.password + "\n")
        return write(os.path.join(folder, "spendwise.yaml"), f"""\
database: {folder}/ledger.db
parsers: [{ROOT}/parsers]
categories: {ROOT}/config/categories.yaml
mailboxes:
  - name: bench
    host: localhost
    port: {server.port}
    ca_file: {server.authority}
    user: {server.user}
    password_file: {secret}
    authserv_id: mx.example.net
    since: 90d
""")

    def once(self, server, folder):
        return [self.daemon, "ingest", "--once", "--config", self.configuration(server, folder)]

    def watch(self, server, folder):
        return [self.daemon, "ingest", "--config", self.configuration(server, folder)]

    def wait_until_ready(self, folder, process, limit):
        wait_for_word("watching", os.path.join(folder, "output"), process, limit)

    def rows(self, folder):
        return count(os.path.join(folder, "ledger.db"))

    watched = rows


class Client(Program):
    name, what = "C client", "searches and fetches with libcurl, looks for an amount, keeps nothing"

    def __init__(self, tools):
        self.program = tools["client"]
        self.version = first_line("curl-config", "--version")

    def once(self, server, folder, *more):
        return [self.program, "localhost", str(server.port), server.authority, server.user, server.password, *more, *mails.SENDERS]

    def watch(self, server, folder):
        return self.once(server, folder, "--watch")

    def wait_until_ready(self, folder, process, limit):
        wait_for_word("ready", os.path.join(folder, "output"), process, limit)

    def rows(self, folder):
        with open(os.path.join(folder, "output"), encoding="utf-8") as file:
            return int(file.read().split()[0])

    def watched(self, folder):
        with open(os.path.join(folder, "output"), encoding="utf-8") as file:
            return sum(line == "mail\n" for line in file)


class Fetchmail(Program):
    name, what = "fetchmail + Python", "fetches every mail; a script reads amount, date and reference into SQLite"
    # 1: there was no mail.
    good = (0, 1)

    def __init__(self):
        self.version = first_line("fetchmail", "--version").removeprefix("This is ").split("+")[0] + f", Python {sys.version.split()[0]}"

    def rules(self, server, folder, more):
        return write(os.path.join(folder, "fetchmailrc"), f"""\
poll localhost protocol imap port {server.port} user "{server.user}" password "{server.password}" ssl sslcertck \
sslcertfile "{server.authority}" fetchall keep {more}
""")

    def importer(self, folder, *more):
        return " ".join([sys.executable, os.path.join(HOME, "importer.py"), os.path.join(folder, "rows.db"), *more])

    def command(self, folder, rules):
        return f"FETCHMAILHOME={folder} fetchmail -s --nosyslog -f {rules} -i {folder}/ids --pidfile {folder}/pid"

    def once(self, server, folder):
        rules = self.rules(server, folder, "bsmtp \"-\"")
        return ["sh", "-c", f"{self.command(folder, rules)} --nodetach | {self.importer(folder)}"]

    def watch(self, server, folder):
        rules = self.rules(server, folder, f"idle mda \"{self.importer(folder, '--one')}\"")
        return ["sh", "-c", f"exec env {self.command(folder, rules)} --nodetach --daemon 1"]

    def rows(self, folder):
        return count(os.path.join(folder, "rows.db"))

    watched = rows


class Mbsync(Program):
    name, what = "mbsync", "copies every mail into a Maildir, reads none"
    reads_all = True
    watches = False

    def __init__(self):
        self.version = first_line("mbsync", "--version")

    def once(self, server, folder):
        os.makedirs(os.path.join(folder, "mail"))
        rules = write(os.path.join(folder, "mbsyncrc"), f"""\
FSync no
IMAPAccount bench
Host localhost
Port {server.port}
User {server.user}
Pass {server.password}
SSLType IMAPS
SystemCertificates no
CertificateFile {server.authority}

IMAPStore far
Account bench

MaildirStore near
Path {folder}/mail/
Inbox {folder}/mail/INBOX

Channel bench
Far :far:
Near :near:
Patterns INBOX
Create Near
Sync Pull New
SyncState *
""")
        return ["mbsync", "-q", "-c", rules, "bench"]

    def rows(self, folder):
        return sum(len(os.listdir(os.path.join(folder, "mail", "INBOX", part))) for part in ("cur", "new"))


def wait_for_word(word, path, process, limit):
    end = time.perf_counter() + limit
    while True:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if word in text:
            return
        if time.perf_counter() > end or process.poll() is not None:
            raise NotReady(f"no '{word}' in its output: {text[-300:]}")
        time.sleep(0.01)


def available(tools, options):
    """The programs that are installed and asked for. The C client is always there: the others are compared with it."""
    chosen = [Client(tools)]
    wanted = options.only.split(",") if options.only else None
    for name, command, make in [
            (SpendWise.name, options.spendwised, lambda: SpendWise(options.spendwised)),
            (Fetchmail.name, "fetchmail", Fetchmail), (Mbsync.name, "mbsync", Mbsync)]:
        if wanted and name not in wanted:
            continue
        if not shutil.which(command):
            package = {"mbsync": "isync"}.get(command, command)
            print(f"skipped: {name}: {package} is not installed", flush=True)
            continue
        chosen.append(make())
    return chosen
