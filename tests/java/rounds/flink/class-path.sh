#!/bin/sh
# Fetches Flink, and prints its class path.
. "$(dirname "$0")/../../../programs/lib.sh"
pypi apache-flink-libraries 1.18.1 369ce11ab33e5e15cdd349db2f5412dcc2fad163b6a87aa93b927a3631bcca7f '*/deps/lib/*.jar'
