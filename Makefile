# The project's commands. `make run` and `make test` need only Debian 12 and Swift 6.3.

SWIFT ?= swift
# More arguments for `bellwether serve`, as in: make run ARGS="--port 9000"
ARGS ?=
FUZZ_SECONDS ?= 60
# The number of executions that ends a target before FUZZ_SECONDS have passed; -1: no limit
FUZZ_RUNS ?= -1
# make bench BENCH_ARGS='--only "poll 304"'; also curves, --list and --help (docs/performance.md)
BENCH_ARGS ?=

LIBRARIES := libevent-dev libsqlite3-dev libssl-dev libyaml-dev zlib1g-dev pkg-config
BENCH_PROGRAMS := .bench/evhttp_bare .bench/sqlite_ingest

.PHONY: run test test-nodes test-cluster cluster golden build release release-files release-check lint man bench fuzz \
    sanitize conformance test-goals tls-check test-browser web install-deps clean

# A debug build takes about half the time of a release build, and `make test` uses the same build
# (docs/decisions/0001-run-builds-debug.md). For speed: make run CONFIGURATION=release
CONFIGURATION ?= debug
# A release contains Swift's libraries: it runs without an installed Swift, uses less memory, and spends about a seventh
# less time on a decided poll (docs/decisions/0025-a-release-links-swifts-libraries-statically.md). It contains the C
# libraries, too (docs/releasing.md#what-a-release-contains).
BUILD_debug := -c debug
BUILD_release = -c release --static-swift-stdlib --pkg-config-path $(shell Scripts/static-libraries) \
    -Xlinker --build-id=none -Xlinker -z -Xlinker now

# With the archive of a release in dist/, `make run` builds nothing.
ARCHIVE := $(lastword $(sort $(wildcard dist/bellwether-*-linux-x86_64.tar.zst)))
SERVE = serve --dev --config config/bellwether.yaml --data .data --apps config/apps --recipes recipes $(ARGS)
ifeq ($(ARCHIVE),)
run: install-deps
	$(SWIFT) build $(BUILD_$(CONFIGURATION)) --product bellwether
	.build/$(CONFIGURATION)/bellwether $(SERVE)
else
run:
	@Scripts/install-deps zstd
	@echo "make run: the program of $(ARCHIVE); without this file it is built"
	@mkdir -p .build/unpacked
	@zstd --decompress --quiet --stdout $(ARCHIVE) | tar --extract --directory .build/unpacked --strip-components=1
	.build/unpacked/bellwether $(SERVE)
endif

# strace is for the test that counts system calls, openssl for certificates; librdkafka-dev has the simulated brokers of Kafka,
# which kcat reads; PostgreSQL's servers are started by the tests.
test: install-deps
	@Scripts/install-deps strace openssl gcc libc6-dev librdkafka-dev kcat
	@Scripts/install-postgresql
	SWIFT='$(SWIFT)' Scripts/swift-tests

# The end-to-end suites against three daemons over one database, each called in turn. To run some of them:
# make test-nodes NODES_ARGS="--filter FlowTurnTests"
NODES_ARGS ?=
test-nodes: install-deps
	@Scripts/install-postgresql
	Scripts/test-nodes $(NODES_ARGS)

# Records the expected answers of the golden tests again (docs/decisions/0047-golden-files-hold-recorded-answers.md).
# GOLDEN=answers: new answers to the same requests. GOLDEN=requests: new requests, after a change of their generator.
# GOLDEN=directory: one more data directory, after a change of the stored data.
GOLDEN ?= answers
golden: install-deps
	RECORD_GOLDEN=$(GOLDEN) $(SWIFT) test --filter GoldenTests

build: install-deps
	$(SWIFT) build

release: install-deps
	$(SWIFT) build $(BUILD_release) --product bellwether

# The files of a version, in dist/, and their checks (docs/releasing.md).
release-files: release
	Scripts/release-files

release-check:
	Scripts/release-check
	Scripts/package-check
	Scripts/first-https
	Scripts/image-check

lint:
	$(SWIFT) format lint --strict --parallel -r Sources Tests Package.swift $(wildcard Fuzz)
	Scripts/lint-comments
	Scripts/embed --check
	@Scripts/install-deps cmark-gfm python3
	Scripts/docs-pages --check
	Scripts/client-features --check
	Scripts/check-ios

# The manual pages of all commands, written by the program itself. To read one: man -l .build/man/bellwether-push.1
MAN ?= .build/man
man: install-deps
	$(SWIFT) build --product bellwether
	.build/debug/bellwether man --output $(MAN)

# The benchmarks contain the client in Swift, and with it FoundationNetworking, which uses libcurl.
bench: install-deps release $(BENCH_PROGRAMS)
	@Scripts/install-postgresql
	@Scripts/install-deps libcurl4-openssl-dev
	$(SWIFT) build $(BUILD_release) -Xlinker -lcurl --product Benchmarks
	.build/release/Benchmarks $(BENCH_ARGS)

.bench/%: Bench/reference/%.c
	Scripts/install-deps gcc libc6-dev libevent-dev libsqlite3-dev
	mkdir -p .bench
	gcc -O2 -Wl,--as-needed -o $@ $< -levent -levent_pthreads -lsqlite3 -lpthread

# Each fuzz target for FUZZ_SECONDS, from the seeds in Fuzz/Corpus. To run one target: make fuzz FUZZ=json
FUZZ ?= json jexl http recipe flow survey pattern ping settings
fuzz: install-deps
	@for target in $(FUZZ); do Fuzz/run.sh $$target $(FUZZ_SECONDS) -runs=$(FUZZ_RUNS) || exit 1; done

# All tests under AddressSanitizer and under ThreadSanitizer, each with its own build. For a part of them:
# Scripts/sanitize thread --filter EventLoopTests
sanitize: install-deps
	Scripts/sanitize

# Real peers (Python packages) and public schemas against the program. To run one file:
# make conformance CONFORMANCE=Conformance/cirrus_test.py
CONFORMANCE ?=
conformance: install-deps
	$(SWIFT) build --product bellwether
	$(SWIFT) build --product parquet-fixture
	$(SWIFT) build --product object-store-tool
	Scripts/conformance $(CONFORMANCE)

# Goals of experiments against references, and in simulated experiments: how often a verdict is wrong, how often an effect
# is found (docs/did-it-work.md#what-was-measured).
test-goals: install-deps
	$(SWIFT) build --product bellwether
	Scripts/conformance Conformance/goals/estimates_test.py Conformance/goals/looks_test.py

# testssl.sh against the program (docs/reference/tls.md#protocol).
tls-check: install-deps
	$(SWIFT) build --product bellwether
	Scripts/tls-check

# PostgreSQL, three daemons over it and a proxy in front, with the samples. Ctrl-C ends all. With five daemons:
# make cluster NODES=5
NODES ?= 3
cluster: install-deps
	@Scripts/install-postgresql
	@Scripts/install-deps python3 haproxy curl
	$(SWIFT) build --product bellwether
	python3 -B Cluster/serve.py --nodes $(NODES)

# One daemon over SQLite, and daemons over one database, under load: they are killed, stopped, disconnected and replaced
# (docs/reliability.md#shown-by). To run some rounds: make test-cluster KINDS="alone failover" ROUNDS=200
ROUNDS ?= 10
KINDS ?=
STOP ?= 30
test-cluster: install-deps
	@Scripts/install-postgresql
	@Scripts/install-deps python3 haproxy iproute2
	$(SWIFT) build --product bellwether
	Scripts/check-deploy .build/debug/bellwether
	python3 -B Cluster/rounds.py --rounds $(ROUNDS) --stop $(STOP) $(KINDS)

# The files of the web, made from Web/, and the pages of the documents, made from docs/. They are committed, and built
# into the program.
web:
	@Scripts/install-deps esbuild cmark-gfm python3
	Scripts/web-bundle

# The widget in browsers, and its modules alone (docs/web.md#goals-and-how-they-are-tested). To run some tests:
# make test-browser BROWSER_ARGS="-k goal_17"
BROWSER_ARGS ?=
test-browser: install-deps
	$(SWIFT) build --product bellwether
	Scripts/test-browser $(BROWSER_ARGS)

# The end-to-end tests use curl. The commands of the program use its library to send requests to a daemon.
install-deps:
	@Scripts/install-deps $(LIBRARIES) curl

clean:
	rm -rf .build .bench .fuzz .conformance .conformance-clients .conformance-data .conformance-goals .conformance-mcp1 dist
