# SpendWise. `make demo` demonstrates it, `make test` tests it; both install missing packages. `make help` lists all targets.
SHELL   = /bin/bash
SWIFT   = swift
# Self-contained programs: an installed daemon must not depend on the folder of the Swift toolchain. Nor do they contain
# the path of the checkout, or what depends on it: debug information, and the digest that incremental builds write.
# Each function is a section that the linker leaves out if nothing calls it, public ones included.
RELEASE = -c release --static-swift-stdlib -debug-info-format none -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
  -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xcc -ffunction-sections -Xcc -fdata-sections -Xcc -fno-asynchronous-unwind-tables
# What --version shows after the number, which is in Sources/CVersion.
COMMIT  = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)

# One program with two names, and one that reads PDFs for it, which alone contains Poppler.
BUILT    = .build/release
PROGRAMS = $(BUILT)/spendwised $(BUILT)/spendwise-pdf

PREFIX     = /usr/local
SYSCONFDIR = /etc
DESTDIR    =
bindir     = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec/spendwise
datadir    = $(PREFIX)/share/spendwise
mandir     = $(PREFIX)/share/man
unitdir    = $(PREFIX)/lib/systemd/system
sysusers   = $(PREFIX)/lib/sysusers.d
tmpfiles   = $(PREFIX)/lib/tmpfiles.d
bashdir    = $(PREFIX)/share/bash-completion/completions
zshdir     = $(PREFIX)/share/zsh/site-functions
fishdir    = $(PREFIX)/share/fish/vendor_completions.d
# The sources name the paths of PREFIX=/usr and SYSCONFDIR=/etc. The programs find $(datadir) from their own path, and
# the configuration by a link in it.
places     = sed -e 's,/usr/bin/\(spendwised\|parserctl\|spendwise-fleet\),$(bindir)/\1,g' -e 's,/usr/share/spendwise,$(datadir),g' \
  -e 's,/etc/spendwise,$(SYSCONFDIR)/spendwise,g'
# Follows the commands of a test run: copies their output to a file and prints the failures again at the end.
summarised = 2>&1 | tee $(1); status=$${PIPESTATUS[0]}; if [ $$status != 0 ]; then echo '==> Failures:'; grep -A 3 '^✘' $(1); fi; exit $$status

.PHONY: all help demo demo-mail test torture bench check security fuzz format build fleet sbom deb tarball install install-fleet uninstall clean writable servers FORCE

all: build

help:
	@echo 'make demo           demonstrate it with a private mail server; Ctrl-C ends it'
	@echo 'make demo ONCE=1    the same, compare with the expected ledger and exit'
	@echo 'make demo-mail      deliver one more mail to a demonstration in another terminal'
	@echo 'make test           build and run every test'
	@echo 'make torture        build and run the long tests: hundreds of kills, and connections broken at every byte'
	@echo 'make bench          compare it with other programs that read mail (docs/benchmarks.md); BENCH="--rtt 30"'
	@echo 'make check          check format, scripts, systemd units and man pages'
	@echo 'make security       run the proof of every claim of SECURITY.md'
	@echo 'make fuzz           fuzz every parser of foreign bytes; SECONDS=60 is the time of each'
	@echo 'make sbom           print the bill of materials of the programs (CycloneDX)'
	@echo 'make format         format the Swift files'
	@echo 'make build          build the programs (.build/release)'
	@echo 'make fleet          build the program of a fleet of households (docs/fleet.md)'
	@echo 'make deb            build the Debian package (.build/packages)'
	@echo 'make tarball        build an archive of the programs with their libraries (.build/packages)'
	@echo 'make install        install the programs (PREFIX=$(PREFIX), SYSCONFDIR=$(SYSCONFDIR), DESTDIR=)'
	@echo 'make install-fleet  install the program of a fleet, beside the others'
	@echo 'make uninstall      remove what was installed, except the configuration and the ledger'
	@echo 'make clean          remove the build and the demonstration'

# Packages that the purpose after the hyphen needs.
dependencies-%:
	@scripts/install-dependencies $(subst -, ,$*)

# A build as root leaves files that another user's build cannot replace; report that before the build.
writable:
	@if [ -e .build ] && ! [ -w .build ]; then \
	  echo "make: .build belongs to $$(stat -c %U .build) (an earlier build as that user?): sudo rm -rf .build" >&2; exit 1; fi

build: $(PROGRAMS)

$(PROGRAMS) &: Package.swift $(shell find Sources -type f) .build/commit | dependencies-build writable
	@echo '==> Building SpendWise; the first build takes some minutes'
	SPENDWISE_COMMIT='$(COMMIT)' $(SWIFT) build $(RELEASE) --product spendwised
	SPENDWISE_COMMIT='$(COMMIT)' $(SWIFT) build $(RELEASE) --product spendwise-pdf
	ln -sfn spendwised $(BUILT)/parserctl
	@touch -c $(PROGRAMS)

# Not a part of `build`: one household needs neither PostgreSQL nor its client library.
fleet: dependencies-build-fleet writable
	SPENDWISE_COMMIT='$(COMMIT)' $(SWIFT) build $(RELEASE) --product spendwise-fleet

# For a package of its own, beside `install`, whose profiles it reads.
install-fleet:
	@[ -x '$(BUILT)/spendwise-fleet' ] || { echo "make: no program; run 'make fleet' first, not as root" >&2; exit 1; }
	install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(datadir)/fleet' '$(DESTDIR)$(unitdir)' '$(DESTDIR)$(sysusers)' '$(DESTDIR)$(tmpfiles)' \
	  '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(bashdir)' '$(DESTDIR)$(zshdir)' '$(DESTDIR)$(fishdir)'
	install -m 755 '$(BUILT)/spendwise-fleet' '$(DESTDIR)$(bindir)'
	! command -v strip >/dev/null || strip '$(DESTDIR)$(bindir)/spendwise-fleet'
	for unit in systemd/spendwise-fleet*.service; do $(places) "$$unit" >"$(DESTDIR)$(unitdir)/$${unit##*/}"; done
	install -m 644 systemd/spendwise-fleet.sysusers '$(DESTDIR)$(sysusers)/spendwise-fleet.conf'
	$(places) systemd/spendwise-fleet.tmpfiles >'$(DESTDIR)$(tmpfiles)/spendwise-fleet.conf'
	$(places) man/spendwise-fleet.1 >'$(DESTDIR)$(mandir)/man1/spendwise-fleet.1'
	for file in fleet fleet-serve; do $(places) config/$$file.yaml >"$(DESTDIR)$(datadir)/fleet/$$file.example.yaml"; done
	install -m 644 config/grafana-fleet.json '$(DESTDIR)$(datadir)/fleet'
	cp -R --no-preserve=ownership,mode config/kubernetes '$(DESTDIR)$(datadir)/fleet'
	program='$(BUILT)/spendwise-fleet'; \
	  $$program --generate-completion-script bash | sed '1{/^#!/d}' >'$(DESTDIR)$(bashdir)/spendwise-fleet' && \
	  $$program --generate-completion-script zsh >'$(DESTDIR)$(zshdir)/_spendwise-fleet' && \
	  $$program --generate-completion-script fish >'$(DESTDIR)$(fishdir)/spendwise-fleet.fish'

# Changes with the commit only.
.build/commit: FORCE | writable
	@mkdir -p .build
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@

sbom: build
	@scripts/bill-of-materials

security: dependencies-build-demo-test writable
	@scripts/verify-claims SECURITY.md

# Time of each target.
SECONDS = 60
fuzz: dependencies-build-fleet writable
	$(SWIFT) build
	scripts/fuzz build
	scripts/fuzz all $(SECONDS)

deb: dependencies-build-fleet-package build fleet
	@scripts/package $@

tarball: dependencies-build-package build
	@scripts/package $@

demo: dependencies-build-demo build
	@ONCE='$(or $(ONCE),0)' scripts/demo

demo-mail:
	@scripts/demo-deliver $(if $(MAIL),'$(MAIL)')

check:
	@scripts/check

format:
	find Sources Tests -name '*.swift' -print0 | xargs -0 scripts/wrap-comments
	$(SWIFT) format format -i -p -r --configuration .swift-format Sources Tests Package.swift

test: dependencies-build-demo-test writable servers check
	@echo '==> Building the tests; the first build takes some minutes'
	$(SWIFT) build --build-tests
	@echo '==> Running the unit tests, then the programs against a mail server'
	@TMPDIR=$$(mktemp -d /tmp/spendwise-tests.XXXXXX); chmod 711 "$$TMPDIR"; export TMPDIR; trap 'rm -rf "$$TMPDIR"' EXIT; \
	{ $(SWIFT) test --skip-build --disable-xctest --skip EndToEndTests; parts=$$?; \
	   $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests; exit $$((parts | $$?)); } $(call summarised,.build/tests.log)

# Mail servers that Debian does not install beside Dovecot. Their tests are skipped without them.
servers: | writable
	@scripts/unpack-servers

# Installs what the programs and the private mail server need; other programs are compared if they are installed.
bench: dependencies-build-demo build
	@bench/bench $(BENCH)

# About an hour. `make test` runs a small part of it. SPENDWISE_CRASHES=N sets the number of kills.
torture: dependencies-build-demo-test writable servers
	@echo '==> Building the tests; the first build takes some minutes'
	$(SWIFT) build --build-tests
	@echo '==> Running the long tests'
	@TMPDIR=$$(mktemp -d /tmp/spendwise-torture.XXXXXX); export TMPDIR; trap 'rm -rf "$$TMPDIR"' EXIT; \
	export SPENDWISE_FAULTS=all SPENDWISE_CRASHES=$${SPENDWISE_CRASHES:-500}; \
	{ $(SWIFT) test --skip-build --disable-xctest --filter 'IMAPTests|IngestTests'; parts=$$?; \
	   $(SWIFT) test --skip-build --disable-xctest --filter 'EndToEndTests.EndToEnd/(Lines|RandomCrashes|Crashes|Restores|HalfDone)'; exit $$((parts | $$?)); } $(call summarised,.build/torture.log)

install:
	@[ -x '$(firstword $(PROGRAMS))' ] || { echo "make: no programs; run 'make build' first, not as root" >&2; exit 1; }
	install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(libexecdir)' '$(DESTDIR)$(datadir)' '$(DESTDIR)$(unitdir)' '$(DESTDIR)$(sysusers)' \
	  '$(DESTDIR)$(tmpfiles)' '$(DESTDIR)$(mandir)'/man{1,5,8} '$(DESTDIR)$(bashdir)' '$(DESTDIR)$(zshdir)' '$(DESTDIR)$(fishdir)'
	install -d -m 755 '$(DESTDIR)$(SYSCONFDIR)/spendwise' '$(DESTDIR)$(SYSCONFDIR)/spendwise/parsers'
	install -d -m 700 '$(DESTDIR)$(SYSCONFDIR)/spendwise/credentials'
	install -m 755 '$(BUILT)/spendwised' '$(DESTDIR)$(bindir)'
	ln -sfn spendwised '$(DESTDIR)$(bindir)/parserctl'
	install -m 755 '$(BUILT)/spendwise-pdf' '$(DESTDIR)$(libexecdir)'
	! command -v strip >/dev/null || strip '$(DESTDIR)$(bindir)/spendwised' '$(DESTDIR)$(libexecdir)/spendwise-pdf'
	rm -rf '$(DESTDIR)$(datadir)/parsers'
	cp -R --no-preserve=ownership,mode parsers '$(DESTDIR)$(datadir)/parsers'
	$(places) parsers/README.md >'$(DESTDIR)$(datadir)/parsers/README.md'
	install -m 644 config/categories.yaml '$(DESTDIR)$(datadir)'
	$(places) config/spendwise.yaml >'$(DESTDIR)$(datadir)/spendwise.example.yaml'
	[ -e '$(DESTDIR)$(SYSCONFDIR)/spendwise/spendwise.yaml' ] || \
	  install -m 644 '$(DESTDIR)$(datadir)/spendwise.example.yaml' '$(DESTDIR)$(SYSCONFDIR)/spendwise/spendwise.yaml'
	ln -sfn '$(SYSCONFDIR)/spendwise/spendwise.yaml' '$(DESTDIR)$(datadir)/spendwise.yaml'
	for unit in $(filter-out systemd/spendwise-fleet%,$(wildcard systemd/*.service)) systemd/*.timer; do $(places) $$unit >"$(DESTDIR)$(unitdir)/$${unit##*/}"; done
	install -m 644 systemd/spendwise.sysusers '$(DESTDIR)$(sysusers)/spendwise.conf'
	$(places) systemd/spendwise.tmpfiles >'$(DESTDIR)$(tmpfiles)/spendwise.conf'
	for page in $(filter-out man/spendwise-fleet.1,$(wildcard man/*.[158])); do $(places) $$page >"$(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}"; done
	for name in spendwised parserctl; do program='$(BUILT)'/$$name; \
	  $$program --generate-completion-script bash | sed '1{/^#!/d}' >'$(DESTDIR)$(bashdir)'/$$name && \
	  $$program --generate-completion-script zsh >'$(DESTDIR)$(zshdir)'/_$$name && \
	  $$program --generate-completion-script fish >'$(DESTDIR)$(fishdir)'/$$name.fish || exit 1; done

uninstall:
	rm -f '$(DESTDIR)$(bindir)'/{spendwised,parserctl} '$(DESTDIR)$(unitdir)'/spendwise-{ingest,web,backup}.service \
	  '$(DESTDIR)$(unitdir)'/spendwise-backup.timer \
	  '$(DESTDIR)$(sysusers)/spendwise.conf' '$(DESTDIR)$(tmpfiles)/spendwise.conf' \
	  '$(DESTDIR)$(mandir)'/man{8/spendwised.8,1/parserctl.1,5/spendwise.yaml.5} \
	  '$(DESTDIR)$(bashdir)'/{spendwised,parserctl} '$(DESTDIR)$(zshdir)'/_{spendwised,parserctl} \
	  '$(DESTDIR)$(fishdir)'/{spendwised,parserctl}.fish
	rm -f '$(DESTDIR)$(bindir)/spendwise-fleet' '$(DESTDIR)$(unitdir)'/spendwise-fleet{,-serve}@.service \
	  '$(DESTDIR)$(sysusers)/spendwise-fleet.conf' '$(DESTDIR)$(tmpfiles)/spendwise-fleet.conf' \
	  '$(DESTDIR)$(mandir)/man1/spendwise-fleet.1' '$(DESTDIR)$(bashdir)/spendwise-fleet' \
	  '$(DESTDIR)$(zshdir)/_spendwise-fleet' '$(DESTDIR)$(fishdir)/spendwise-fleet.fish'
	rm -rf '$(DESTDIR)$(datadir)' '$(DESTDIR)$(libexecdir)'

clean:
	rm -rf .build demo
