# Builds the kernels for the emulated device, in host memory and without CUDA; see ARCHITECTURE.md, section 7. Called from the
# root, by `go test -tags emulate` itself:
#   make -f gpu/emulated/emulate/build.mk     build/emulate/*.so
# SANITIZE=undefined adds g++'s checks of shifts, array bounds and alignment.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

HERE    := gpu/emulated/emulate
OUT     := build/emulate
CXX     ?= g++
SWITCH  := $(if $(filter x86_64,$(shell uname -m)),-mno-red-zone)
FLAGS   := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fsanitize-undefined-trap-on-error)
KERNELS := $(wildcard kernels/*/*.cu) gpu/probe.cu $(HERE)/faults.cu
LIBS    := $(patsubst %.cu,$(OUT)/%.so,$(notdir $(KERNELS)))
vpath %.cu $(sort $(dir $(KERNELS)))
ifneq ($(words $(LIBS)),$(words $(sort $(LIBS))))
$(error two .cu files have the same name)
endif
# A source that is gone or has moved: what was made of it is made again.
%.cu: ;
%.cuh: ;

.PHONY: all force
$(LIBS): | $(OUT)/libemulate.so

all: $(LIBS)
	@rm -f $(filter-out $(LIBS) $(OUT)/libemulate.so,$(wildcard $(OUT)/*.so))

# A switch between fibers may use what lies under the stack pointer.
$(OUT)/libemulate.so: $(HERE)/emulate.cc $(HERE)/emulate.h $(HERE)/shim.h $(OUT)/flags
	@echo "g++ $<"
	@$(CXX) -std=c++17 -O2 -g1 $(SWITCH) -fPIC -shared -Wall -Wextra -pthread -o $@ $<

$(OUT)/%.so: %.cu $(HERE)/shim.h $(HERE)/compile.sh $(OUT)/flags
	@echo "g++ $<"
	@CXX=$(CXX) $(HERE)/compile.sh $< $@ $(FLAGS)

-include $(wildcard $(OUT)/*.d)

$(OUT)/flags: force
	@mkdir -p $(@D)
	@cmp -s <(echo '$(CXX) $(FLAGS)') $@ || echo '$(CXX) $(FLAGS)' >$@
