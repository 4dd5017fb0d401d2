#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
debian groovy
jars groovy-all
