#!/bin/sh
# Installs the systems that figures are compared with, outside the product, into build/peers:
# tests/bench/install_peers.sh [FOLDER]
# By name and version from PyPI and npm; about 550 MB. Removing the folder removes all of it.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/peers}
python=$root/.venv/bin/python
mkdir -p "$folder/pi"
[ -x "$python" ] || { echo "make setup comes first." >&2; exit 1; }

[ -x "$folder/venv/bin/python" ] || "$python" -m venv --without-pip "$folder/venv"
VIRTUAL_ENV=$folder/venv "$root/.venv/bin/uv" pip install --quiet --compile-bytecode \
	agno==3.1.10 langchain==1.5.2 langgraph==1.2.24 langchain-openai openai==3.57.0 \
	langgraph-checkpoint-sqlite aiosqlite 'sqlalchemy[asyncio]' orjson

cd "$folder/pi"
[ -f package.json ] || echo '{"private": true}' >package.json
npm install --silent --no-fund --no-audit --save-exact \
	@mariozechner/pi-agent-core@0.73.1 @mariozechner/pi-ai@0.73.1 node@22.23.3

VIRTUAL_ENV=$folder/venv "$root/.venv/bin/uv" pip freeze | grep -E '^(agno|lang|openai)'
ls node_modules/@mariozechner
