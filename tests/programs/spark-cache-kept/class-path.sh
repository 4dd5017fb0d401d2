#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
pypi pyspark 3.5.1 dd6569e547365eadc4f887bf57f153e4d582a68c4b490de475d55b9981664910 '*/deps/jars/*.jar'
