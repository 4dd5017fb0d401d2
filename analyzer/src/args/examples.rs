//! Examples at the end of each help text.

pub(super) const ALL: &str = "\
Examples:
  rootbound run -- java -jar shop.jar               start a program and watch it
  rootbound watch                                   wait for a JVM that has the agent
  rootbound analyze shop.hprof                      what fills this heap dump?
  rootbound run --help                              the options of one verb";

pub(super) const RUN: &str = "\
Examples:
  rootbound run -- java -jar shop.jar
  rootbound run --for 10m --json report.json -- mvn exec:java
  rootbound run --for 2m --fail-on grower -- java -jar shop.jar    a check: status 3 if something grows
  rootbound run --dry-run -- java -jar shop.jar                    what would a snapshot cost?

Exit status: the program's own; 0 after --for or Ctrl-C; 1 a failure; 2 a wrong command line;
3 --fail-on, and a structure grows that could fill the heap within a year; 4 --fail-on, and nothing was judged; 130 Ctrl-C pressed twice.";

pub(super) const WATCH: &str = "\
Examples:
  rootbound watch
  rootbound watch --for 10m --json 'report-{pid}.json' --keep-listening
  java -agentpath:/opt/rootbound/librootbound_agent.so -jar shop.jar    in another terminal

Exit status: 0 at the end; 1 a failure, or no JVM came; 2 a wrong command line;
3 --fail-on, and a structure grows that could fill the heap within a year; 4 --fail-on, and nothing was judged.";

pub(super) const REPLAY: &str = "\
Examples:
  rootbound run --record shop.rootbound -- java -jar shop.jar
  rootbound replay shop.rootbound --explain";

pub(super) const ANALYZE: &str = "\
Examples:
  jcmd 4711 GC.heap_dump /tmp/shop-1.hprof
  rootbound analyze shop-1.hprof                            who keeps the memory
  rootbound analyze shop-1.hprof shop-2.hprof shop-3.hprof  what grew from dump to dump";

pub(super) const SUSPECTS: &str = "\
Examples:
  rootbound suspects shop.hprof
  rootbound suspects shop.hprof --json suspects.json

The suspects are found as HeapLens finds them.";

pub(super) const ROOTS: &str = "\
Examples:
  rootbound roots shop.hprof
  rootbound roots shop.hprof --tree --min-size 1M

Roots are those of IBM's HeapRoots.";

pub(super) const SIZE: &str = "\
Examples:
  rootbound size shop.hprof --from 'static com.example.Shop.active'
  rootbound size shop.hprof --from 'com.example.Cart' --skip 'com.example.User'

A structure is measured as INSANE measures it.";

pub(super) const CONVERT: &str = "\
Examples:
  rootbound convert shop.rootbound --to hprof -o shop.hprof
  rootbound convert core.phd --to insane-xml -o core.xml";
