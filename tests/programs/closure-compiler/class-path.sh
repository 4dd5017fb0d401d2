#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
npm_package google-closure-compiler-java 20230103.0.0 7ceea1736cc17760f3975ee996efe4fa294d7b3bf54770f0d3ef3045ae7f4be5
