# Each target calls the tools of one language or of all. `make help` lists the targets.
FILE ?=
CARGO = cargo
# Where a virtual environment has its programs.
BIN = $(if $(filter Windows_NT,$(OS)),Scripts,bin)
VENV = spec/vectors/.venv

PYTHON = python/.venv/$(BIN)/python
# Spark, Dask and Ray, with the Python package as `maturin develop` builds it in its folder.
ENGINES = interop/engines/.venv
WITH_ENGINES = PYTHONPATH=$(CURDIR)/python $(CURDIR)/$(ENGINES)/$(BIN)/python
# The programs of .ci have the settings of the vectors.
SCRIPTS = $(filter-out .ci/registries.py,$(wildcard .ci/*.py))

.PHONY: help run test test-spec test-archive test-rust test-crates test-msrv test-targets test-api test-python test-sdist \
	wheels test-wheels test-js test-runtimes test-clojure test-cljs test-connectors test-interop test-bench \
	test-engines test-exhaustive differences interop-programs engine-programs engine-jars bench-engines bench-rust bench-columns bench-tool bench-python bench-js bench-clojure bench bench-growth bench-keep figures peers suites \
	experiment footprint sizes site test-site test-site-quick site-engine lint deny fuzz fuzz-python golden golden-rust golden-python golden-js golden-jvm miri docs pictures clean data \
	need-rust need-python need-node need-java need-chromium

# The targets that everyone needs; `make help` lists the others below them.
PUBLIC = run test test-rust test-python test-js test-clojure test-interop lint bench site docs clean
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F '\t' -v public=' $(PUBLIC) ' \
		'{ line = sprintf("%-18s%s", $$1, $$2); if (index(public, " " $$1 " ")) print line; else rest = rest "\n" line } \
		END { print "\nfor maintainers:" rest }'

run: need-rust ## pack a real document (or FILE=yours.json) in each language, compare the formats, write out/report.html
	@bench/run "$(FILE)"

test: test-spec test-rust test-python test-js test-clojure test-cljs test-connectors test-interop test-bench test-site-quick ## run all tests; needs all toolchains

test-spec: $(VENV)/ready ## test that the vectors are correct, up to date and agree with other readers
	$(VENV)/$(BIN)/python -m pytest -q spec/vectors/tests

test-archive: ## test the archive of the vectors: its example runs them with a library for Go
	@command -v go >/dev/null || { echo "missing: Go 1.24 or newer (go.dev)." >&2; exit 1; }
	.ci/test-archive.sh

test-rust: need-rust ## test the crate and the tool
	cd rust && $(CARGO) test --workspace --all-features --locked --no-fail-fast
	for features in "" alloc notation "columns notation" serde "derive chrono time uuid" "bytes jiff" json; do \
		(cd rust && $(CARGO) check --locked -p packord --no-default-features --features "$$features") || exit; done
	cd rust && $(CARGO) test $(foreach crate,packord packord-cli serde_json sonic-rs,--config profile.dev.package.$(crate).opt-level=0) --locked -p packord-cli --no-default-features --test features
	cd rust && $(CARGO) test --release --locked -p packord-interop -p packord-stack-tests --test depth --test stacks
	cd rust && $(CARGO) test --config profile.dev.package.packord.opt-level=0 --locked -p packord-stack-tests --test stacks
	cd rust && $(CARGO) test --locked -p packord --doc
	cd rust/no-std && $(CARGO) run --quiet --locked

test-crates: need-rust ## test the packaged crates, unpacked outside the repository
	.ci/test-crates.sh

test-msrv: need-rust python/.venv/ready ## test the crates, and build the tool and the Python package, with the oldest Rust that they promise (needs toolchains 1.85 and 1.88)
	cd rust && CARGO_TARGET_DIR=target/msrv $(CARGO) +1.85 test --locked -p packord -p packord-derive -p packord-stack-tests -p packord-typed-tests --all-features --lib --tests
	cd rust && CARGO_TARGET_DIR=target/msrv $(CARGO) +1.88 check --quiet --locked -p packord-cli
	cd python && CARGO_TARGET_DIR=../rust/target/msrv PYO3_PYTHON=$(abspath $(PYTHON)) $(CARGO) +1.85 check --quiet --locked

# rust-lld links for i686 without a C compiler of that target.
TARGETS = cd rust/targets && CARGO_TARGET_DIR=../target/targets
# Big-endian. Debian: qemu-user, gcc-s390x-linux-gnu, libc6-dev-s390x-cross.
S390X = PACKORD_EMULATED=1 CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="qemu-s390x -L /usr/s390x-linux-gnu"
# The fast calls of Node's WASI write to memory that is freed when it grows (nodejs/node#53087).
NODE_WASI = node --no-warnings --no-turbo-fast-api-calls
# Debian: wine64, gcc-mingw-w64-x86-64.
WINDOWS = x86_64-pc-windows-gnu
WINE = PACKORD_EMULATED=1 CARGO_TARGET_DIR=target/targets CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$(CURDIR)/rust/targets/windows/run-wine
test-targets: need-rust need-node ## test the vectors on i686, wasm32 and s390x, which is big-endian, and the crate and the tool as programs of Windows (needs the targets, qemu-s390x with a C compiler for it, Wine with MinGW, and nightly miri)
	cd rust && $(WINE) $(CARGO) test --locked --target $(WINDOWS) -p packord -p packord-stack-tests -p packord-cli --all-features --lib --tests
	$(TARGETS) CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_LINKER=rust-lld $(CARGO) test --locked --target i686-unknown-linux-musl
	$(TARGETS) CARGO_TARGET_WASM32_WASIP1_RUNNER="$(NODE_WASI) $(CURDIR)/rust/targets/run-wasm.mjs" $(CARGO) test --locked --target wasm32-wasip1
	$(TARGETS) $(CARGO) build --locked --target wasm32-unknown-unknown
	$(TARGETS) $(S390X) $(CARGO) test --locked --target s390x-unknown-linux-gnu
	$(TARGETS) $(CARGO) +nightly miri test --locked --target s390x-unknown-linux-gnu --test sample

test-api: need-rust ## compare the public items of the crates with the lists in public-api.txt (needs nightly; WRITE=1 writes them)
	cd rust/public-api && $(CARGO) run --quiet --locked -- $(if $(WRITE),--write)

CHECKS = advisories bans licenses sources
deny: need-rust ## check licences, sources and advisories of what the crates depend on (needs cargo-deny, and git for advisories)
	@cargo deny --version >/dev/null 2>&1 || { echo "missing: cargo-deny (cargo install cargo-deny)." >&2; exit 1; }
	cd rust && $(CARGO) deny --locked check $(CHECKS)

# Two workers, which take each other's last tests. What measures memory or time runs alone.
ON_BOTH = -n 2 --dist worksteal
MEASURED = tests/test_garbage.py tests/test_leaks.py tests/test_output.py
test-python: need-rust python/.venv/ready ## test the Python package
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	cd python && .venv/$(BIN)/pytest $(ON_BOTH) $(MEASURED:%=--ignore=%)
	cd python && .venv/$(BIN)/pytest $(MEASURED)
	cd python && $(CARGO) test --quiet --locked --test shared --features free-threaded

test-sdist: need-rust python/.venv/ready ## test the Python package's source distribution, unpacked outside the repository
	.ci/test-sdist.sh

wheels: need-rust python/.venv/ready ## build wheels for every CPython that is installed, and the source distribution, in out/wheels
	.ci/wheels.sh

test-wheels: wheels ## test the wheels, each with its CPython, and with eight threads for a minute (PACKORD_THREAD_SECONDS=n for another time)
	.ci/test-wheels.py

.PHONY: package test-packages rehearse reproduce release-notes
package: ## build what a release publishes, in out/package (PARTS="crates tool" for a part of it)
	.ci/package.py $(PARTS)

test-packages: ## install the packages of out/package in projects of a user, and run them (PARTS="npm"; PACKORD_SHIPPED=1 runs the tests in them too; PACKORD_PUBLISHED=1 takes those of the registries)
	.ci/test-packages.py $(PARTS)

rehearse: ## package what is committed in a fresh clone, publish it into registries on this machine, and install it from them (PARTS="npm")
	.ci/rehearse.py $(PARTS)

reproduce: ## package what is committed twice, in two fresh clones with other paths, times and rights, and compare the files (PARTS="tool")
	.ci/reproduce.py $(PARTS)

release-notes: ## print what the changelog says about this version
	.ci/release-notes.py

test-js: need-node js/node_modules/.package-lock.json ## test the JavaScript package
	cd js && npm run --silent build && npm test --silent

golden-js: need-node js/node_modules/.package-lock.json ## compare what JavaScript reads and writes with hashes of what it did (WRITE=1 keeps the new ones)
	cd js && npm run --silent build && node test/golden/golden.js $(if $(WRITE),--write)

test-runtimes: need-node js/node_modules/.package-lock.json ## test the JavaScript package in Bun, Deno, workerd, Hermes, bundlers and test runners, which it downloads (650 MB, Linux on x86-64)
	cd js && npm run --silent build
	cd js/runtimes && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && node --test
	cd js/bundlers && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && node --test bundlers.test.js

test-clojure: need-java ## test the Clojure and Java library
	mvn -q -B -f jvm/pom.xml -pl :packord,:packord-kafka,:packord-jackson,:packord-container test

golden-jvm: need-java ## compare what the Java core reads and writes with recorded hashes (QUICK=1 for a twentieth; WRITE=1 records)
	mvn -q -B -f jvm/pom.xml -pl :packord -Dmain=packord.golden -Dtiers=-XX:TieredStopAtLevel=4 test

test-cljs: need-java need-node js/node_modules/.package-lock.json ## test the ClojureScript library in Node and Chromium, against the JVM
	cd js && npm run --silent build
	cd jvm/cljs-tests && mvn -q test

# The library of this checkout is built with them, and its own tests are not run again. -q hides what surefire counts.
CONNECTORS = mvn -q -B -f jvm/pom.xml -Dpackord.skipTests -Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=info
test-connectors: need-java ## test the connectors for Kafka Connect and Spark (220 MB are downloaded)
	$(CONNECTORS) test

test-engines: engine-programs ## test container files in Spark, on a cluster too, in Dask and Ray (600 MB are downloaded), and the connectors in a worker of Kafka Connect
	$(WITH_ENGINES) -m pytest -q --confcutdir=interop/engines interop/engines
	cd bench && $(WITH_ENGINES) -m pytest -q engines
	$(CONNECTORS) -Pengines -Dgroups=engines test

engine-programs: need-rust need-java python/.venv/ready $(ENGINES)/ready
	cd rust && $(CARGO) build --release --locked -p packord-cli
	cd python && .venv/$(BIN)/maturin develop --release --quiet

# The tool as the tests of the workspace build it, so that `make test` builds it once.
test-interop: interop-programs ## test that the four languages agree, with each other and with other packages
	cd rust && $(CARGO) test --workspace --all-features --locked --no-run --test golden
	cd interop/jsonpath && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	$(PYTHON) -m pytest -q -rs $(ON_BOTH) interop
	cd interop/msgpackr && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && node --test

# These build what the interoperability tests run, so they must not run at the same time.
ifneq ($(filter test,$(MAKECMDGOALS)),)
test-cljs: | test-js
test-connectors: | test-clojure
test-interop: | test-rust test-python test-js test-cljs
test-site-quick: | test-interop
endif

test-bench: need-rust bench/.venv/ready ## test the benchmark report, the tables of sizes and the scripts of .ci
	cd bench && .venv/$(BIN)/python -m pytest -q report sizes ../.ci/tests

differences: interop-programs ## count what each language writes with other bytes than it has read, for the page of evidence
	KEEP=1 $(PYTHON) -m pytest -q interop/test_differences.py

test-exhaustive: interop-programs test-engines ## test every input of three bytes, the largest hostile ones, and a broker of Kafka, and the engines (an hour on an idle machine)
	PACKORD_EXHAUSTIVE=1 $(PYTHON) -m pytest -v interop/test_hostile.py interop/test_matrix.py interop/test_ring.py interop/test_verdicts.py interop/test_columns.py interop/test_container.py
	cd rust && PACKORD_EXHAUSTIVE=1 $(CARGO) test --locked -p packord-typed-tests --test defaults
	cd rust && PACKORD_EXHAUSTIVE=1 $(CARGO) test --locked -p packord-cli --all-features --test all -- arrow::damaged
	cd python && PACKORD_EXHAUSTIVE=1 .venv/$(BIN)/pytest -q tests/test_defaults.py
	cd js && PACKORD_EXHAUSTIVE=1 node --test test/defaults.test.js
	PACKORD_EXHAUSTIVE=1 PACKORD_TESTS=packord.defaults-test mvn -q -B -f jvm/pom.xml -pl :packord -Dtiers=-XX:TieredStopAtLevel=4 test
	cd jvm/kafka/broker-tests && mvn -q test

interop-programs: need-rust need-java js/node_modules/.package-lock.json python/.venv/ready
	cd rust && $(CARGO) build --release --locked -p packord-interop --bins --examples
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	cd js && npm run --silent build
	cd interop/clojure && mvn -q compile
	bench/fetch-data >/dev/null

COLUMN_DOCUMENTS = $(addprefix $(CURDIR)/bench/sizes/node_modules/,airports/airports.json mime-db/db.json \
	$(addprefix vega-datasets/data/,movies.json flights-20k.json earthquakes.json) world-atlas/countries-50m.json)

bench-rust: need-rust ## compare the speed of the Rust crate with other packages (QUICK=1 for a rough run)
	mkdir -p out
	cd rust && $(CARGO) run --release --locked -p packord-bench --bin packord-bench -- $(if $(QUICK),--quick) --json ../out/bench-rust.json
	documents=$$(bench/fetch-data | sed 's/^/FILE=/'); cd rust && $(CARGO) run --release --locked -p packord-bench --bin dynamic -- $(if $(QUICK),--quick) --json ../out/bench-rust-dynamic.json $$documents
	cd rust && $(CARGO) run --release --locked -p packord-bench --bin survey -- $(if $(QUICK),--quick) --json ../out/bench-rust-survey.json
	cd rust && $(CARGO) run --release --locked -p packord-bench --bin container -- $(if $(QUICK),--quick) --json ../out/bench-rust-container.json

bench-columns: need-rust need-node js/node_modules/.package-lock.json ## compare columns with plain MessagePack, in Rust and JavaScript (QUICK=1 for a rough run)
	cd bench/sizes && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd rust && $(CARGO) run --release --locked -p packord-bench --bin columns -- $(if $(QUICK),--quick) $(COLUMN_DOCUMENTS:%=FILE=%)
	cd js && npm run --silent build && node bench/columns.js $(COLUMN_DOCUMENTS)

bench-tool: need-rust ## measure the command-line tool, jq and a plain read, as whole processes (QUICK=1 for a rough run)
	cd rust && $(CARGO) build --release --locked -p packord-cli --bin packord --example pairs
	mkdir -p out && rust/target/release/packord sample --size $(if $(QUICK),4m,40m) --out out/events.json
	rust/target/release/examples/pairs rust/target/release/packord out/events.json

experiment: need-rust need-node ## compare sizes and times of JSON and MessagePack (KEEP=1 keeps the figures; QUICK=1 for fewer compressors)
	cd rust && $(CARGO) build --release --locked -p packord-cli
	cd bench/experiment && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	mkdir -p out && node bench/experiment/run.mjs $(if $(KEEP),bench/experiment/results.json,out/experiment.json)

footprint: need-rust bench/.venv/ready ## measure the size of programs with the Rust crate and the time to build it, and write the table of its README (needs the target thumbv7em-none-eabi)
	cd bench && .venv/$(BIN)/python -m report footprint

sizes: need-rust need-node bench/.venv/ready ## compare sizes of columns with Parquet, Arrow and Avro, and keep the figures
	cd rust && $(CARGO) build --release --locked -p packord-cli
	cd bench/sizes && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd bench && .venv/$(BIN)/python -m sizes --keep

# The tool as WebAssembly, without what the playground does not show.
WASI = CC_wasm32_wasip1=clang AR_wasm32_wasip1=llvm-ar CFLAGS_wasm32_wasip1="--sysroot=/usr -isystem /usr/include/wasm32-wasi"
ENGINE = rust/target/wasm32-wasip1/wasm/packord.wasm
site-engine: need-rust
	@command -v clang >/dev/null && command -v llvm-ar >/dev/null && command -v wasm-ld >/dev/null && test -d /usr/include/wasm32-wasi || { echo "missing: clang for WebAssembly (Debian: clang lld llvm wasi-libc libclang-rt-dev-wasm32)." >&2; exit 1; }
	@test -d "$$(rustc --print sysroot)/lib/rustlib/wasm32-wasip1" || { echo "missing: rustup target add wasm32-wasip1" >&2; exit 1; }
	cd rust && $(WASI) $(CARGO) build --quiet --locked --profile wasm --target wasm32-wasip1 -p packord-cli --no-default-features --features zstd

# The engine takes minutes to build, so the quick part has pages without it.
SITE_PAGES = need-node site/.venv/ready figures js/node_modules/.package-lock.json
SITE_READY = need-node site-engine $(SITE_PAGES)
site: need-java $(SITE_READY) python/.venv/ready ## build the site with its playground and the API references, in out/site/html
	cd js && npm run --silent build
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	site/.venv/$(BIN)/python site/build.py --api --engine $(ENGINE)

test-site: need-chromium $(SITE_READY) ## build the site without the API references, check its links, and use it in Chromium
	cd js && npm run --silent build
	cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent check
	site/.venv/$(BIN)/python site/build.py --engine $(ENGINE)
	cd site && npm test --silent

test-site-quick: need-chromium $(SITE_PAGES) ## build the pages of the site without the engine of the playground, check their links, and open them in Chromium
	cd js && npm run --silent build
	cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent check
	site/.venv/$(BIN)/python site/build.py --no-engine
	cd site && npm run --silent quick

bench-python: need-rust python/.venv/ready ## compare the speed of the Python package with other packages
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	mkdir -p out && $(PYTHON) python/bench/run.py --out out/bench-python.json
	$(PYTHON) python/bench/run.py --survey --out out/bench-python-survey.json

bench-js: need-node js/node_modules/.package-lock.json ## compare the speed of the JavaScript package with other packages
	cd js && npm run --silent build && npm run --silent bench
	cd js && npm run --silent survey

bench-clojure: need-java ## compare the speed of the Clojure library with other packages (QUICK=1 for a rough run)
	mvn -q -f jvm/bench/pom.xml test dependency:build-classpath -Dmdep.outputFile=target/classpath
	test "$(QUICK)" = 1 || (cd jvm && SURVEY=1 mvn -q -f bench/pom.xml test)

bench: bench-rust bench-tool bench-python bench-js bench-clojure bench-growth ## measure everything, and write one report, out/bench.html (QUICK=1 for a rough run)
	cd bench && .venv/$(BIN)/python -m report html

# The connector in Java, and Spark's own source of Avro files, which is not part of Spark.
JARS = out/bench-engines/jars
engine-jars: need-java
	mvn -q -B -f jvm/pom.xml -DskipTests package
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -Dartifact=org.apache.spark:spark-avro_2.13:4.2.0 -DoutputDirectory=$(CURDIR)/$(JARS)
	cp jvm/core/target/packord-$$(cat VERSION).jar jvm/container/target/packord-container-$$(cat VERSION).jar jvm/spark/target/packord-spark-$$(cat VERSION).jar $(JARS)

bench-engines: engine-programs engine-jars ## compare container files with NDJSON, Avro and Parquet in DuckDB, Polars and Spark (SIZE=1g; QUICK=1 for 20 MB; KEEP=1 keeps the figures)
	cd bench/sizes && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd bench && $(WITH_ENGINES) -m engines $(if $(QUICK),--quick,--size $(or $(SIZE),1g)) $(if $(KEEP),--keep)

bench-growth: need-rust need-node need-java bench/.venv/ready ## measure how cost grows with size and depth, in each language
	cd rust && $(CARGO) build --release --locked -p packord-cli -p packord-roundtrip
	cd bench && .venv/$(BIN)/python -m report measure

bench-keep: bench/.venv/ready ## copy the figures of the last `make bench` to bench/results.json
	cd bench && .venv/$(BIN)/python -m report keep

figures: bench/.venv/ready ## make the site's pages of figures from the recorded runs and results, in out/figures
	cd bench && .venv/$(BIN)/python -m report pages

peers: need-rust need-node need-java bench/.venv/ready ## ask the registries for newer versions of the packages that packord is compared with
	cd bench && .venv/$(BIN)/python -m report peers

suites: need-rust need-node need-java js/node_modules/.package-lock.json python/.venv/ready ## run the tests of msgpacker, lmdb, msgpackr, @msgpack/msgpack, msgpack, ormsgpack, msgspec, msgpack-clj and clojure-msgpack with packord in their place (NAMES=… for some; KEEP=1 records the numbers)
	cd js && npm run --silent build
	$(PYTHON) interop/suites/run.py $(if $(KEEP),--keep) $(NAMES)

lint: need-rust need-node need-java $(VENV)/ready bench/.venv/ready python/.venv/ready js/node_modules/.package-lock.json ## check formatting, lints, documentation, versions and prose
	cd rust && $(CARGO) fmt --all --check
	cd rust && $(CARGO) clippy --workspace --all-targets --all-features --locked -- -D warnings
	for feature in arrow json-schema terminal zstd; do \
		(cd rust && $(CARGO) check --quiet --locked -p packord-cli --bin packord --no-default-features --features $$feature) || exit; done
	for own in no-std fuzz targets public-api footprint/host; do (cd rust/$$own && $(CARGO) fmt --check && $(CARGO) clippy --locked -- -D warnings) || exit; done
	cd rust && RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --all-features --no-deps --locked
	$(VENV)/$(BIN)/ruff format --check spec .ci/tests .ci/registries.py bench interop site
	$(VENV)/$(BIN)/ruff check spec .ci/tests .ci/registries.py bench interop site
	$(VENV)/$(BIN)/ruff format --check --config spec/vectors/ruff.toml $(SCRIPTS)
	$(VENV)/$(BIN)/ruff check --config spec/vectors/ruff.toml $(SCRIPTS)
	cd python && $(CARGO) fmt --check && $(CARGO) clippy --locked --all-targets -- -D warnings
	cd python && $(CARGO) clippy --locked --all-targets --features free-threaded -- -D warnings
	for version in 3.14 3.14t; do (cd python && PYO3_CONFIG_FILE=$$PWD/ci/python-$$version.txt \
		$(CARGO) clippy --locked --features free-threaded --target-dir target/$$version -- -D warnings) || exit; done
	cd python && .venv/$(BIN)/pyright --pythonpath .venv/$(BIN)/python
	cd python && .venv/$(BIN)/mypy && .venv/$(BIN)/ruff check . && .venv/$(BIN)/ruff format --check .
	cd js && npm run --silent build && npm run --silent lint
	cd js && npx biome check --config-path=. ../interop/js ../jvm/cljs-tests/test
	mvn -q -B -f jvm/pom.xml -Plint -Dpackord.skipTests test-compile
	! rustc +nightly --version >/dev/null 2>&1 || $(MAKE) --no-print-directory test-api
	! command -v actionlint >/dev/null || actionlint
	.ci/check-version.py
	.ci/prose.py
	cd bench && .venv/$(BIN)/python -m report check

fuzz: need-rust ## read mutated vectors for ten minutes (PACKORD_FUZZ_SECONDS=n for another time)
	cd rust && PACKORD_FUZZ_SECONDS=$${PACKORD_FUZZ_SECONDS:-600} $(CARGO) test --profile fuzz --locked -p packord --all-features --test agree -- --nocapture

fuzz-python: need-rust python/.venv/ready ## read mutated messages with the Python package and the allocator that checks (PACKORD_FUZZ_SECONDS=n)
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	PYTHONMALLOC=debug $(PYTHON) python/tests/fuzz.py $${PACKORD_FUZZ_SECONDS:-600}

golden: golden-rust golden-python golden-js golden-jvm ## compare what the packages read and write with what they did: before and after a change that must change nothing

golden-rust: need-rust ## compare what each way of the crate reads of 100,000 damaged messages and writes of 20,000 generated values with kept hashes (WRITE=1 keeps new ones)
	cd rust && $(CARGO) test --quiet --locked -p packord-typed-tests --test golden_run -- --ignored

golden-python: need-rust python/.venv/ready ## compare what the Python package reads of 100,000 mutated messages and writes of 20,000 generated values, each in every way, with kept hashes (WRITE=1 keeps new ones)
	cd python && .venv/$(BIN)/maturin develop --release --quiet
	$(PYTHON) python/tests/golden.py --share 10 $(if $(WRITE),--write)

miri: need-rust ## the unsafe code under Miri (needs a nightly toolchain with miri and rust-src)
	cd rust && $(CARGO) +nightly miri test --locked -p packord --features bytes,arrow --lib -- wire:: typed::raw:: value::raw:: columns::arrow:: columns::view::
	cd rust && $(CARGO) +nightly miri test --locked -p packord --features bytes,columns,notation --test derive_hostile -- wrong_ half_made

docs: need-rust ## build the crate's documentation in rust/target/doc
	cd rust && $(CARGO) doc --workspace --no-deps --locked

pictures: need-rust ## draw the front page's picture from the tool's output
	cd rust && $(CARGO) build --release --locked -p packord-cli --bin packord --example picture
	rust/target/release/examples/picture rust/target/release/packord docs/pictures/inspect.svg

data: ## fetch the documents of bench/data.lock from npm
	bench/fetch-data

clean: ## delete everything that the other targets build
	rm -rf out rust/target python/target python/.venv python/LICENSES-OTHERS.txt js/node_modules js/runtimes/node_modules js/bundlers/node_modules js/dist jvm/core/target jvm/container/target jvm/cljs-tests/target jvm/kafka/target jvm/kafka/broker-tests/target jvm/jackson/target jvm/connect/target jvm/connect/runtime-tests/target jvm/bench/target jvm/spark/target bench/.venv $(ENGINES) bench/data/node_modules bench/experiment/node_modules bench/sizes/node_modules interop/jsonpath/node_modules interop/msgpackr/node_modules interop/clojure/target site/.venv site/node_modules $(VENV)

$(VENV)/ready: spec/vectors/requirements.txt | need-python
	python3 -m venv $(VENV)
	$(VENV)/$(BIN)/python -m pip install -q --disable-pip-version-check -r spec/vectors/requirements.txt
	touch $@

bench/.venv/ready: bench/report/requirements.txt bench/sizes/requirements.txt | need-python
	python3 -m venv bench/.venv
	bench/.venv/$(BIN)/python -m pip install -q --disable-pip-version-check $(addprefix -r ,$^)
	touch $@

site/.venv/ready: site/requirements.txt | need-python
	python3 -m venv site/.venv
	site/.venv/$(BIN)/python -m pip install -q --disable-pip-version-check -r $<
	touch $@

python/.venv/ready: python/requirements-test.txt | need-python
	python3 -m venv python/.venv
	$(PYTHON) -m pip install -q --disable-pip-version-check -r python/requirements-test.txt
	touch $@

$(ENGINES)/ready: interop/engines/requirements.txt | need-python
	python3 -m venv $(ENGINES)
	$(ENGINES)/$(BIN)/python -m pip install -q --disable-pip-version-check -r interop/engines/requirements.txt
	touch $@

js/node_modules/.package-lock.json: js/package-lock.json | need-node
	cd js && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

need-rust:
	@command -v cargo >/dev/null || { echo "missing: cargo. Install a Rust toolchain, 1.88 or newer (rustup.rs)." >&2; exit 1; }
need-python:
	@python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { echo "missing: python3 3.10 or newer with venv (Debian: python3-venv)." >&2; exit 1; }
need-node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: node and npm. Install Node.js 20 or newer (nodejs.org)." >&2; exit 1; }
need-chromium: need-node
	@node -e "import('./js/test/chromium.js').then((it) => process.exit(it.findChromium() ? 0 : 1))" || { echo "missing: Chromium (Debian: chromium), in PATH or named by CHROMIUM." >&2; exit 1; }
need-java:
	@command -v javac >/dev/null && command -v mvn >/dev/null || { echo "missing: a JDK (17 or newer) and Maven (Debian: default-jdk maven)." >&2; exit 1; }
