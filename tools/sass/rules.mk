# tools/sass/rules.mk - included by the Makefile if SASS=1: reschedule kernels for sm_90.

SASS_KERNELS := band handover
SASS_COMPILERS := V13.0.88 # a GPU has run the tests with their code

SASS_PATH := PATH='$(CUDA_HOME)/bin':"$$PATH"
SASS_LACKS := $(or \
  $(if $(HAVE_CUDA),,CUDA_ARCHS=90 and nvcc),\
  $(if $(filter 90,$(CUDA_ARCHS)),$(if $(filter-out 90,$(CUDA_ARCHS)),CUDA_ARCHS=90 alone),CUDA_ARCHS=90),\
  $(if $(filter $(SASS_COMPILERS),$(shell '$(NVCC)' --version)),,nvcc $(SASS_COMPILERS)),\
  $(foreach tool,cuobjdump nvdisasm python3,$(if $(shell $(SASS_PATH) command -v $(tool)),,$(tool))))
ifneq ($(strip $(SASS_LACKS)),)
$(error SASS=1 needs $(strip $(SASS_LACKS)); without SASS=1 kernels stay as compiled)
endif

# What the pass did to each block stands in OBJECT.log.
SASS_OBJ := $(SASS_KERNELS:%=$(CUDA_B)/kernels/cuda/device/%.o)
$(SASS_OBJ): $(CUDA_B)/%.o: %.cu Makefile $(wildcard tools/sass/*.py) tools/sass/reschedule tools/sass/rules.mk
	@mkdir -p $(@D)
	$(say) NVCC $<
	$Q$(NVCC) $(NVCC_FLAGS) -MMD -MP -MT $@ -MF $@.d -c -o $@.new $<
	$(say) SASS $@
	$Q$(SASS_PATH) tools/sass/reschedule $@.new >$@.log
	$Qmv $@.new $@
	$(DEFER_CUDA)

.PHONY: sass-objects
sass-objects: $(SASS_OBJ)
