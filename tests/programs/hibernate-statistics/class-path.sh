#!/bin/sh
# Installs or fetches what the program needs, and prints its class path.
. "$(dirname "$0")/../lib.sh"
debian libhibernate3-java libh2-java libdom4j-java libcommons-collections3-java libantlr-java libjavassist-java libslf4j-java libgeronimo-jta-1.2-spec-java libgeronimo-jpa-2.0-spec-java libhibernate-commons-annotations-java
jars hibernate3 h2 dom4j commons-collections3 antlr javassist slf4j-api slf4j-nop geronimo-jta-1.2-spec geronimo-jpa_2.0_spec hibernate-commons-annotations
