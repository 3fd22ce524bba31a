#!/usr/bin/env bash
# Installs the Debian packages that tilefly is built with, those that are missing only. Says nothing when none is.
# bootstrap.sh --tests installs what only tests need besides (of
# the source, of pages in a browser, and of examples in Python); bootstrap.sh --presets what the presets of other compilers
# and another MPI need. bootstrap.sh --check [--tests] [--presets] names what is missing and installs nothing.
set -eu
packages=(build-essential cmake ninja-build pkg-config git flex bison libopenmpi-dev openmpi-bin libconfig-dev zlib1g-dev libjansson-dev libxxhash-dev
	librandom123-dev libmetis-dev libcriterion-dev libopen-trace-format2-dev libexpat1-dev libgraphviz-dev nodejs librsvg2-bin npm)
check=
for option in "$@"; do
	case $option in
	--check) check=1 ;;
	--tests) packages+=(clang clang-format valgrind chromium chromium-driver poppler-utils python3-selenium python3-pandas python3-matplotlib python3-otf2) ;;
	--presets) packages+=(clang libclang-rt-dev mpich libmpich-dev) ;;
	*)
		echo "usage: bootstrap.sh [--check] [--tests] [--presets]" >&2
		exit 2
		;;
	esac
done

missing=()
for package in "${packages[@]}"; do
	status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	if [ "$status" != "install ok installed" ]; then
		# Another node, or a compiler from elsewhere, will do as well.
		case $package in
		npm) command -v npm >/dev/null && continue ;;
		nodejs) command -v node >/dev/null && continue ;;
		build-essential) command -v cc >/dev/null && continue ;;
		ninja-build) command -v ninja >/dev/null && continue ;;
		chromium) command -v chromium-browser >/dev/null && continue ;;
		clang-format) command -v clang-format-14 >/dev/null && continue ;;
		pkg-config) command -v pkg-config >/dev/null && continue ;;
		esac
		missing+=("$package")
	fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ -n "$check" ]; then
	echo "missing: ${missing[*]}"
	exit 1
fi
if ! command -v apt-get >/dev/null; then
	echo "bootstrap: this is not Debian. Please install the likes of: ${missing[*]}" >&2
	exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "bootstrap: please run as root: apt-get install ${missing[*]}" >&2
		exit 1
	fi
	as_root=(sudo)
fi
echo "installing: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get -q update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
	apt-get -qy install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
	cat "$log" >&2
	echo "bootstrap: the packages above could not be installed" >&2
	exit 1
fi
