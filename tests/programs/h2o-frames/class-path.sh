#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
pypi h2o 3.46.0.12 64279024cadea9c19ed49580c7733aa21bb9aff302805a1ae2f6cdf2e3cea0d3 '*/h2o.jar'
