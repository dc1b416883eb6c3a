# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Read by the scripts that check pages in a browser: `. tests/web/setup.sh`. Installs Chromium, node and what npm has for the checks,
# which goes to $out, build/web.
out=$PWD/build/web
mkdir -p "$out"
# Other systems than Debian may have a whole Chromium only.
command -v chromium-headless-shell >/dev/null || tools/setup chromium-headless-shell || tools/setup chromium
command -v node >/dev/null || tools/setup nodejs
command -v npm >/dev/null || tools/setup npm
packages="playwright-core@1 axe-core@4 eslint@9 typescript@5 stylelint@16 puppeteer-core@24"
if [ "$(cat "$out/packages" 2>/dev/null)" != "$packages" ]; then
	# shellcheck disable=SC2086 # one word a package
	npm install --prefix "$out" --no-save --no-audit --no-fund $packages >&2
	echo "$packages" >"$out/packages"
fi
export NODE_PATH="$out/node_modules" XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=/nonexistent
