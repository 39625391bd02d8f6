# Builds what runs on a GPU, without a GPU, a driver or an installed toolkit. Called from the root:
#   make -f gpu/cuda/build/worker.mk worker      bin/linchpin-worker
#   make -f gpu/cuda/build/worker.mk cuda-test   build/tests, the tests that run on a device, a program per package
#   make -f gpu/cuda/build/worker.mk with-cuda WITH_CUDA=command
#   make -f gpu/cuda/build/worker.mk fatbin      the kernels alone
#   make -f gpu/cuda/build/worker.mk gpu-bundle  build/bundle and build/bundle.tar.gz, all that a machine with only a
#                                                driver needs; DATA=folder with graphs
#   make -f gpu/cuda/build/worker.mk compiled    the worker and a test, only to see that they compile and start: slow code, built fast
# ARCHS="90" compiles for one architecture; the default runs on every GPU since Turing: code for 8.0 runs on 8.6 and 8.9, too, and PTX is
# for what is newer than all.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := worker

CACHE   ?= $(CURDIR)/.cache
ARCHS   ?= 75 80 90 100 120
LDFLAGS ?= -s -w
DATA    ?= ../shared/data
ROOM    := gpu/cuda
HERE    := $(ROOM)/build
STUB    := $(CACHE)/cuda-stub
# Changes with everything that the compiler's output depends on besides the sources.
STAMP   := $(ROOM)/fatbin/flags
TOOLKIT := $(shell $(HERE)/toolkit.sh $(CACHE))
ifeq ($(TOOLKIT),)
$(error no CUDA toolkit; see the message above)
endif
NVCC    := $(TOOLKIT)/bin/nvcc
# With netgo and osusergo, packages that know no device are the same as without cgo, and are compiled once.
TAGS    := cuda,netgo,osusergo
QUICK   := $(filter compiled,$(MAKECMDGOALS))
# Some constants are for the host alone (177). Of what the compiler from PyPI warns, nothing stays; others may warn of more.
NVFLAGS := $(if $(QUICK),--Ofast-compile=max,-O3) -std=c++17 --fatbin $(if $(filter $(CACHE)/%,$(TOOLKIT)),-Werror all-warnings) -diag-suppress 177 \
  -Xcompiler -Wall $(shell $(HERE)/archs.sh $(NVCC) "$(ARCHS)")

KERNELS := $(wildcard kernels/*/*.cu) gpu/probe.cu
ENGINES := $(patsubst %/kernels_gen.go,./%,$(filter-out kernels/device/%,$(wildcard kernels/*/kernels_gen.go)))
TESTED  := ./gpu/cuda ./gpu/built ./engine/worker $(ENGINES)
FATBINS := $(patsubst %.cu,$(ROOM)/fatbin/%.fatbin,$(notdir $(KERNELS)))
vpath %.cu $(sort $(dir $(KERNELS)))
ifneq ($(words $(FATBINS)),$(words $(sort $(FATBINS))))
$(error two .cu files have the same name)
endif
# A source that is gone or has moved: what was made of it is made again.
%.cu: ;
%.cuh: ;

# gorgonia.org/cu finds headers and library through these. Lazy binding lets the worker start on drivers that lack some
# function which it never calls.
export CGO_ENABLED := 1
export CGO_CFLAGS  := -O2 -I$(CURDIR)/$(HERE)/include -I$(TOOLKIT)/include
export CGO_LDFLAGS := -L$(STUB) -Wl,-z,lazy

.PHONY: worker with-cuda cuda-test compiled cuda-lint gpu-bundle fatbin force

worker: fatbin $(STUB)/libcuda.so
	go build -tags $(TAGS) -trimpath -ldflags '$(LDFLAGS)' -o bin/linchpin-worker ./cmd/linchpin-worker

# What runs in WITH_CUDA finds the flags for cgo, and the tags, in its environment: the release builds the worker among
# other programs.
with-cuda: export WORKER_TAGS := $(TAGS)
with-cuda: fatbin $(STUB)/libcuda.so
	$(WITH_CUDA)

cuda-test: fatbin $(STUB)/libcuda.so
	@rm -rf build/tests
	@mkdir -p build/tests
	go test -c -tags $(TAGS) -trimpath -ldflags '$(LDFLAGS)' -o build/tests/ $(TESTED)

# What comes of it goes: nobody should run it. Of the tests, one program is linked: cuda-lint checks the code of all.
compiled: fatbin $(STUB)/libcuda.so
	@rm -rf build/compiled
	@mkdir -p build/compiled
	go build -tags $(TAGS) -trimpath -ldflags '$(LDFLAGS)' -o build/compiled/ ./cmd/linchpin-worker
	go test -c -tags $(TAGS) -trimpath -ldflags '$(LDFLAGS)' -o build/compiled/ ./gpu/cuda
	CGO_ENABLED=0 LINCHPIN_WORKER=$(CURDIR)/build/compiled/linchpin-worker go test -vet=off -count=1 -run TestBuiltWorker ./engine
	@rm -rf build/compiled

build/cuda-start: $(HERE)/start.c $(STUB)/libcuda.so
	@mkdir -p $(@D)
	$(CC) -Wall $(CGO_CFLAGS) -o $@ $< $(CGO_LDFLAGS) -lcuda

gpu-bundle: worker cuda-test build/cuda-start
	LDFLAGS='$(LDFLAGS)' $(HERE)/bundle.sh build/bundle $(DATA)

# The packages in which the tag chooses files.
TAGGED = $(patsubst %/,./%,$(sort $(dir $(shell grep -rlE '^//go:build [^!]*\<cuda\>' --include='*.go' gpu engine kernels cmd))))
cuda-lint: fatbin $(STUB)/libcuda.so
	$(CACHE)/bin/golangci-lint run --build-tags $(TAGS) $(TAGGED)

fatbin: $(FATBINS)
	@rm -f $(filter-out $(FATBINS),$(wildcard $(ROOM)/fatbin/*.fatbin))

$(ROOM)/fatbin/%.fatbin: %.cu $(STAMP)
	@mkdir -p $(@D)
	@echo "nvcc $<"
	@$(NVCC) $(NVFLAGS) -MD -MF $(ROOM)/fatbin/$*.d -MT $@ -o $@ $<

-include $(FATBINS:.fatbin=.d)

$(STAMP): force
	@mkdir -p $(@D)
	@cmp -s <(echo '$(NVCC) $(NVFLAGS)') $@ || echo '$(NVCC) $(NVFLAGS)' >$@

$(STUB)/libcuda.so: $(HERE)/stub.sh $(HERE)/include/cuda.h $(TOOLKIT)/include/cuda.h
	@$< $(HERE)/include $(TOOLKIT)/include $@
