# packaging/cuda-architectures, with made-up nvidia-smi and nvcc: for which GPUs make compiles.
mkdir bin
PATH=$PWD/bin:$PATH
printf '#!/bin/sh\nprintf "sm_52\\nsm_75\\nsm_86\\nsm_90\\nsm_100\\n"\n' >bin/nvcc
chmod +x bin/nvcc

with() { # what nvidia-smi prints
    printf '#!/bin/sh\nprintf "%s"\nexit %d\n' "$1" "${2:-0}" >bin/nvidia-smi
    chmod +x bin/nvidia-smi
    echo "$(printf "$1" | tr '\n' ' ')-> $("$SRC/packaging/cuda-architectures" nvcc | tr '\n' ' ')"
}

with '9.0\n'
with '10.0\n9.0\n9.0\n7.5\n'
with '12.0\n' # newer than the compiler
with '12.0\n10.0\n'
with '5.2\n' # older than 7.5
with '8.0\n' # older than the compiler
with 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.\n' 9
with '[N/A]\n'
with ''
echo '#!/bin/sh' >bin/nvcc # names none
with '9.0\n'
printf '#!/bin/sh\nexec sleep 60\n' >bin/nvidia-smi
begin=$(date +%s)
"$SRC/packaging/cuda-architectures" nvcc
[ $(($(date +%s) - begin)) -lt 30 ] || echo "a driver that hangs took longer than its limit"

# The line that make prints without a GPU, and not if CUDA_ARCHS or CUDA is given.
printf '#!/bin/sh\nexit 9\n' >bin/nvidia-smi
cp bin/nvidia-smi bin/nvcc
unset CUDA_ARCHS CUDA MAKEFLAGS MAKELEVEL
make() { command make -s -C "$SRC" MIC=0 NVCC="$PWD/bin/nvcc" preflight "$@"; }
make
make CUDA=0
make CUDA_ARCHS=90
make CUDA_ARCHS=all
