# make demo   the main job on air-routes, start to finish      make test   everything that is checked
# make build  bin/linchpin      make worker  bin/linchpin-worker (GPU)      make help  the rest
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

CACHE    ?= $(CURDIR)/.cache
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS  := -s -w -X main.version=$(VERSION)
GOLANGCI := $(CACHE)/bin/golangci-lint
LINT_VERSION := v2.15.0
PEERS    := $(CACHE)/peers
export LINCHPIN_PEER_PYTHON ?= $(PEERS)/bin/python

.PHONY: help build worker demo cypher test test-short lint peers gpu-bundle clean requirements

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

requirements:
	@scripts/requirements.sh

build: ## bin/linchpin, pure Go
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/linchpin ./cmd/linchpin

demo: requirements build ## air-routes through a real Neo4j: export, score, write back, query (KEEP=1 leaves the server running)
	go run ./demo $(if $(KEEP),-keep)

lint: $(GOLANGCI) ## formatting, vet, and the arrows between the rooms
	$(GOLANGCI) run ./...

$(GOLANGCI):
	GOFLAGS=-mod=mod GOBIN=$(CACHE)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

peers: $(PEERS)/ready ## a Python with NetworkX, igraph, NetworKit and pyarrow, for the comparison tests

$(PEERS)/ready: bench/peers/requirements.txt
	python3 -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

clean: ## remove what was built; caches stay
	rm -rf bin build dist
