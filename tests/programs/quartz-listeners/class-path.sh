#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
debian libquartz2-java libslf4j-java
jars quartz2 slf4j-api slf4j-nop
