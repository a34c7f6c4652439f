"""The parts of a fleet on one machine: each in a network namespace, so that lines between them can be cut."""
import os
import pwd
import shutil
import subprocess
import time

DATABASE, MAIL = "10.77.1", "10.77.2"  # the two networks; the servers are .1
PASSWORD = "waiting"


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def times(process):
    """User and system time in ticks, of the process and of its ended children: proc(5), fields 14 to 17."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return [int(field) for field in file.read().rpartition(")")[2].split()[11:15]]
    except FileNotFoundError:
        return [0, 0, 0, 0]


class Network:
    """A namespace with the servers, and one for each worker, with a line to each network."""

    def __init__(self):
        self.prefix = f"fleet{os.getpid()}"
        self.hub, self.lines = self.prefix + "-hub", {}
        self.names = [self.hub]
        run("ip", "netns", "add", self.hub)
        self.ip(self.hub, "link", "set", "lo", "up")
        for bridge, network in [("database", DATABASE), ("mail", MAIL)]:
            self.ip(self.hub, "link", "add", bridge, "type", "bridge")
            self.ip(self.hub, "addr", "add", network + ".1/24", "dev", bridge)
            self.ip(self.hub, "link", "set", bridge, "up")

    def ip(self, name, *arguments):
        run("ip", "-n", name, *arguments)

    def station(self, number):
        """Adds the namespace of a worker."""
        name = f"{self.prefix}-w{number}"
        run("ip", "netns", "add", name)
        self.names.append(name)
        self.ip(name, "link", "set", "lo", "up")
        for bridge, network in [("database", DATABASE), ("mail", MAIL)]:
            line = f"{bridge[0]}{number}"
            self.ip(self.hub, "link", "add", line, "type", "veth", "peer", "name", bridge, "netns", name)
            self.ip(self.hub, "link", "set", line, "master", bridge, "up")
            self.ip(name, "addr", "add", f"{network}.{10 + number}/24", "dev", bridge)
            self.ip(name, "link", "set", bridge, "up")
        return name

    def cut(self, number, bridge):
        """From now on packets vanish, as behind a broken switch."""
        self.ip(self.hub, "link", "set", f"{bridge[0]}{number}", "nomaster")

    def heal(self, number, bridge):
        self.ip(self.hub, "link", "set", f"{bridge[0]}{number}", "master", bridge)

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)


class PostgreSQL:
    """A primary with a streaming replica, of Debian's packages."""

    def __init__(self, folder, network):
        versions = sorted(int(name) for name in os.listdir("/usr/lib/postgresql") if name.isdigit())
        self.programs = f"/usr/lib/postgresql/{versions[-1]}/bin/"
        self.folder, self.network, self.count = folder, network, 0
        owner = pwd.getpwnam("postgres")
        os.mkdir(folder)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        self.ports = [5432, 5433]
        self.primary = f"{folder}/d0"
        self.data = {self.primary: 5432}
        self.command("initdb", "-D", self.primary, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        with open(self.primary + "/postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"unix_socket_directories = '{folder}'\nlisten_addresses = '{DATABASE}.1'\nmax_connections = 300\n"
                       "shared_buffers = 512MB\nwal_level = replica\nmax_wal_size = 4GB\nwal_keep_size = 2GB\n"
                       "tcp_keepalives_idle = 5\ntcp_keepalives_interval = 2\ntcp_keepalives_count = 3\nlog_min_messages = fatal\n")
        with open(self.primary + "/pg_hba.conf", "a", encoding="utf-8") as file:
            file.write(f"host all all {DATABASE}.0/24 trust\nhost replication all {DATABASE}.0/24 trust\n")
        self.start(self.primary)
        self.sql("CREATE ROLE spendwise LOGIN", "postgres")
        self.sql("CREATE DATABASE spendwise OWNER spendwise ENCODING 'UTF8' TEMPLATE template0", "postgres")
        self.standby = self.follow()

    def command(self, program, *arguments):
        return run("ip", "netns", "exec", self.network.hub, "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                   self.programs + program, *arguments, cwd=self.folder)

    def control(self, data, *arguments):
        self.command("pg_ctl", "-D", data, "-s", "-w", "-t", "120", *arguments)

    def start(self, data):
        self.control(data, "start", "-l", f"{data}.log", "-o", f"-p {self.data[data]}")

    def restart(self, how):
        """Stops the primary (`fast`, or `immediate` as a crash does) and starts it."""
        self.control(self.primary, "stop", "-m", how)
        self.start(self.primary)

    def follow(self):
        """Makes a replica of the primary."""
        self.count += 1
        data = f"{self.folder}/d{self.count}"
        self.data[data] = next(port for port in self.ports if port != self.data[self.primary])
        self.command("pg_basebackup", "-D", data, "-R", "-c", "fast", "-h", self.folder, "-p", str(self.data[self.primary]), "-U",
                     "postgres", "--no-sync")
        self.start(data)
        return data

    def fail_over(self):
        """Ends the primary at once, as a broken machine, and promotes the replica."""
        former = self.primary
        self.control(former, "stop", "-m", "immediate")
        self.control(self.standby, "promote")
        self.primary = self.standby
        del self.data[former]
        shutil.rmtree(former)
        self.standby = self.follow()

    def seconds(self):
        """Processor time of all processes of the primary."""
        with open(f"{self.primary}/postmaster.pid", encoding="ascii") as file:
            main = int(file.readline())
        with open(f"/proc/{main}/task/{main}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
        ticks = sum(sum(times(child)[:2]) for child in children) + sum(times(main))
        return ticks / os.sysconf("SC_CLK_TCK")

    def sql(self, text, database="spendwise"):
        """The rows, as lists of texts, as the administrator."""
        lines = run("psql", "-X", "-q", "-A", "-t", "-F", "\t", "-h", self.folder, "-p", str(self.data[self.primary]), "-U", "postgres",
                    "-d", database, "-v", "ON_ERROR_STOP=1", "-c", text)
        return [line.split("\t") for line in lines.splitlines()]

    @property
    def address(self):
        """The connection string of workers: whichever server is the primary."""
        return (f"host={DATABASE}.1,{DATABASE}.1 port={self.ports[0]},{self.ports[1]} dbname=spendwise user=spendwise "
                "target_session_attrs=read-write connect_timeout=5 tcp_user_timeout=8000 keepalives_idle=5 keepalives_interval=2 "
                "keepalives_count=3")

    def close(self):
        for data in list(self.data):
            subprocess.run(["ip", "netns", "exec", self.network.hub, "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                            self.programs + "pg_ctl", "-D", data, "-s", "-m", "immediate", "stop"], check=False)


def certificate(folder):
    """Makes the certificate of the mail server, which is its own authority."""
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9", "-subj",
        "/CN=mail", "-addext", f"subjectAltName=IP:{MAIL}.1", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
        stderr=subprocess.DEVNULL)
    return folder + "/cert.pem"


class EmptyServer:
    """A mail server of empty mailboxes, see emptyserver.py."""

    def __init__(self, folder, network):
        os.mkdir(folder)
        self.authority = certificate(folder)
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "emptyserver.py")
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", network.hub, server, f"{MAIL}.1", "993", self.authority, folder + "/key.pem"],
            stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def close(self):
        self.process.kill()


class Dovecot:
    """A mail server with a mailbox for each user."""

    def __init__(self, folder, network, users):
        self.folder, self.network, self.number = folder, network, 0
        os.makedirs(folder + "/mail")
        self.authority = certificate(folder)
        owner = pwd.getpwnam("mail")
        self.owner = owner.pw_uid, owner.pw_gid
        os.chown(folder + "/mail", *self.owner)
        with open(folder + "/users", "w", encoding="utf-8") as file:
            file.writelines(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users)
        with open(folder + "/dovecot.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=folder, address=MAIL + ".1"))
        run("ip", "netns", "exec", network.hub, "dovecot", "-c", folder + "/dovecot.conf")

    def deliver(self, user, message):
        """Delivers a message by renaming it, as a mail server does."""
        self.number += 1
        box = f"{self.folder}/mail/{user}/Maildir"
        for part in ["", "/tmp", "/new", "/cur"]:
            if not os.path.isdir(box + part):
                os.makedirs(box + part, exist_ok=True)
                os.chown(box + part, *self.owner)
                os.chown(os.path.dirname(box), *self.owner)
        name = f"{int(time.time())}.M{self.number:07d}P{os.getpid()}.fleet"
        with open(f"{box}/tmp/{name}", "wb") as file:
            file.write(message)
        os.chown(f"{box}/tmp/{name}", *self.owner)
        os.rename(f"{box}/tmp/{name}", f"{box}/new/{name}")

    def close(self):
        subprocess.run(["dovecot", "-c", self.folder + "/dovecot.conf", "stop"], check=False)


CONFIGURATION = """protocols = imap
listen = {address}
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
auth_mechanisms = plain
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 0
# If fs.inotify.max_user_instances is small, the server polls.
mailbox_idle_check_interval = 1 secs
default_client_limit = 20000
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {{
  inbox = yes
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/users
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}/mail/%u
}}
service imap-login {{
  service_count = 0
  process_limit = 4
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = 993
    ssl = yes
  }}
}}
service imap {{
  process_limit = 20000
}}
"""


class Worker:
    """One worker, started again whenever it ends."""

    def __init__(self, number, program, folder, network, settings):
        self.number, self.program, self.namespace = number, program, network.station(number)
        self.name = f"worker-{number}"
        self.configuration = f"{folder}/{self.name}.yaml"
        self.log = f"{folder}/{self.name}.log"
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(settings + f"name: {self.name}\ncopies: {folder}/copies-{number}\n")
        self.process, self.starts, self.stopped = None, 0, False
        self.start()

    def start(self):
        self.starts += 1
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, self.program, "worker", "--config", self.configuration], stderr=log,
                stdout=log)
        self.stopped = False

    def signal(self, number):
        """`ip netns exec` becomes the program, so the process is the worker."""
        self.process.send_signal(number)

    def memory(self):
        """Kilobytes: proportional set size, and the anonymous part."""
        with open(f"/proc/{self.process.pid}/smaps_rollup", encoding="utf-8") as file:
            facts = dict(line.split(":", 1) for line in file if ":" in line)
        return int(facts["Pss"].split()[0]), int(facts["Anonymous"].split()[0])

    def seconds(self):
        """Processor time."""
        return sum(times(self.process.pid)[:2]) / os.sysconf("SC_CLK_TCK")

