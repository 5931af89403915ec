# cuda.mk - how code for GPUs is compiled; the Makefile includes it. It gives HAVE_CUDA, CUDA_OBJ,
# CUDA_LIBS, CUDA_INCLUDE and LIBRARY_CUDART.

# Found by its compiler. One program runs with and without a GPU: the CUDA runtime is linked
# statically, and looks for the driver itself.
NVCC ?= $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA ?= $(if $(NVCC),1,0) # 0: without GPUs
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
# Compute capabilities: those of the GPUs here, a list such as "80 90", or all. Each also runs on
# GPUs up to the next one. The driver compiles the last one's PTX for newer GPUs.
ifneq ($(if $(NVCC),$(filter-out 0,$(CUDA))),)
ifeq ($(origin CUDA_ARCHS),undefined)
export CUDA_ARCHS := $(shell packaging/cuda-architectures '$(NVCC)')
endif
ifeq ($(strip $(CUDA_ARCHS)),all)
override CUDA_ARCHS := 75 80 90 100 120
endif
ifeq ($(strip $(CUDA_ARCHS)),)
NO_GPU := No GPU here, so nothing is compiled for GPUs; CUDA_ARCHS=all compiles for all kinds.
endif
HAVE_CUDA := $(if $(NO_GPU),,1)
endif
CUDA_LIBS = $(if $(HAVE_CUDA),-L$(CUDA_HOME)/lib64 -lcudart_static -lrt -ldl)
CUDA_INCLUDE := $(if $(HAVE_CUDA),-isystem $(CUDA_HOME)/include)

# The device code takes long and knows no flags of C, so all variants share it.
CUDA_B := build/cuda-$(subst $(space),-,$(strip $(CUDA_ARCHS)))
CUDA_OBJ := $(if $(HAVE_CUDA),$(patsubst %.cu,$(CUDA_B)/%.o,$(call find,kernels,*.cu)))

# As in C: no fused multiply-add (-fmad=false), denormals kept (nvcc's default).
CUDA_HOST_CXX ?= g++
CUDA_HARDENING = $(eval CUDA_HARDENING := $$(call hardening_of,$(CUDA_HOST_CXX),c++))$(CUDA_HARDENING)
NVCC_FLAGS = -std=c++17 -O3 -fmad=false -I. -Iinclude -ccbin $(CUDA_HOST_CXX) \
             $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
             -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS)) \
             -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Werror -Werror all-warnings \
             $(addprefix -Xcompiler ,$(CUDA_HARDENING))

$(CUDA_B)/%.o: %.cu Makefile kernels/cuda/cuda.mk
	@mkdir -p $(@D)
	$(say) NVCC $<
	$Q$(NVCC) $(NVCC_FLAGS) -MMD -MP -MT $@ -MF $@.d -c -o $@ $<
	$(DEFER_CUDA)

# host/start.c registers the library's kernels, not nvcc's function that runs before main.
REGISTER_KERNELS := _ZL24__sti____cudaRegisterAllv
$(CUDA_OBJ): DEFER_CUDA = $Q$(OBJCOPY) --redefine-sym $(REGISTER_KERNELS)=cuda_register_$(basename $(@F)) \
  --globalize-symbol=cuda_register_$(basename $(@F)) --remove-section=.init_array $@

# For programs: CUDA's runtime is linked into them, yet it is no code of ours. So its allocations go
# to functions of their own in library_memory.c. Sanitizers have a malloc of their own.
ifeq ($(HAVE_CUDA)$(SAN),1)
LIBRARY_CUDART := $(CUDA_B)/libcudart_static.a
$(LIBRARY_CUDART): $(shell $(CC) -B'$(CUDA_HOME)/lib64' -print-file-name=libcudart_static.a) Makefile
	@mkdir -p $(@D)
	$(say) OBJCOPY $@
	$Q$(OBJCOPY) $(foreach f,malloc calloc realloc,--redefine-sym $f=library_$f) $< $@
endif
