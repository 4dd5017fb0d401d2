//! Examples at the end of each help text.

pub(super) const ALL: &str = "\
Examples:
  rootbound run -- java -jar shop.jar               start a program and watch it
  rootbound attach 4711                             watch a JVM that runs already
  rootbound watch                                   wait for a JVM that has the agent
  rootbound analyze shop.hprof                      what fills this heap dump?
  rootbound run --help                              the options of one verb";

pub(super) const RUN: &str = "\
Examples:
  rootbound run -- java -jar shop.jar
  rootbound run --for 10m --json report.json -- mvn exec:java
  rootbound run --for 2m --fail-on grower -- java -jar shop.jar    a check: status 3 if something grows
  rootbound run --dry-run -- java -jar shop.jar                    what would a snapshot cost?

  rootbound run --for 5m --fail-on grower --known known-leaks.toml --junit growth.xml -- mvn verify

Exit status: the program's own; 0 after --for or Ctrl-C; 1 a failure; 2 a wrong command line;
3 --fail-on, and a structure grows that could fill the heap within a year; 4 --fail-on, and nothing was judged; 130 Ctrl-C pressed twice.";

pub(super) const WATCH: &str = "\
Examples:
  rootbound watch
  rootbound watch --for 10m --json 'report-{pid}.json' --keep-listening
  java -agentpath:/opt/rootbound/librootbound_agent.so -jar shop.jar    in another terminal

Exit status: 0 at the end; 1 a failure, or no JVM came; 2 a wrong command line;
3 --fail-on, and a structure grows that could fill the heap within a year; 4 --fail-on, and nothing was judged.";

pub(super) const ATTACH: &str = "\
Examples:
  rootbound ps                                         which JVMs are there?
  rootbound attach 4711                                until Ctrl-C; the program runs on
  rootbound attach shop.jar --for 5m --json shop.json
  sudo rootbound attach 4711 --for 5m                  a JVM of another user, or in a container

Exit status: 0 at the end; 1 a failure, or the JVM cannot be attached to; 2 a wrong command line;
3 --fail-on, and a structure grows that could fill the heap within a year; 4 --fail-on, and nothing was judged.";

pub(super) const PS: &str = "\
Examples:
  rootbound ps
  rootbound ps --json | jq '.[] | select(.obstacle == null) | .pid'";

pub(super) const REQUEST: &str = "\
Examples:
  rootbound attach 4711 --for 10m          in another terminal; run and watch serve as well
  rootbound mark 4711                      after warming up; returns when the mark is set
  curl http://localhost:8080/checkout      the operation that may leak
  rootbound capture 4711                   what has stayed?

Exit status: 0 the snapshot was made; 1 it was refused or failed, or nobody watches this JVM; 2 a wrong command line.";
pub(super) const UNPACK: &str = "\
Examples:
  rootbound unpack /opt/rootbound
  JAVA_TOOL_OPTIONS=-agentpath:/opt/rootbound/librootbound_agent.so java -jar shop.jar
  JAVA_TOOL_OPTIONS=-agentpath:/opt/rootbound/librootbound_agent-musl.so java -jar shop.jar    on Alpine";

pub(super) const REPLAY: &str = "\
Examples:
  rootbound run --record shop.rootbound -- java -jar shop.jar
  rootbound replay shop.rootbound --explain
  rootbound replay shop.rootbound*                          what grew since the first of them";

pub(super) const COMPARE: &str = "\
Examples:
  rootbound compare before.json after.json
  rootbound compare before.json after.json --fail-on new-grower     status 3 if something began to grow
  rootbound compare before.rootbound after.rootbound --json change.json
  rootbound compare shop-1.hprof shop-2.hprof                       two states of one program

Rates are compared by their intervals: faster and slower are proven, same means that nothing is.

Exit status: 0 at the end; 1 a failure; 2 a wrong command line; 3 --fail-on, and a structure of AFTER meets it;
4 --fail-on, and nothing was judged.";

pub(super) const RENDER: &str = "\
Examples:
  rootbound render report.json
  rootbound render report.json --fail-on grower --known known-leaks.toml
  rootbound render report.json --sarif growth.sarif --junit growth.xml --source-root src/main/java

Exit status: 0 at the end; 1 a failure; 2 a wrong command line; 3 --fail-on, and a structure meets it;
4 --fail-on, and nothing was judged.";

pub(super) const BASELINE: &str = "\
Examples:
  rootbound baseline report.json --reason 'SHOP-77: cleared by the nightly job' --known known-leaks.toml
  rootbound baseline report.json --reason 'SHOP-77' --until 2027-03-01

What the file has is kept; entries for structures without one are added. An entry:
  [[known]]
  fingerprint = \"1d82c94f9eff2a82\"        # or place = \"static org.apache.catalina.*\"
  reason = \"SHOP-77: cleared by the nightly job\"
  until = 2027-03-01                      # optional: the last day on which it is accepted
  max_growth = \"10MB/h\"                 # optional: faster growth is not accepted";

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
  rootbound roots shop.hprof --from 0x7f3a10c8 --depth 3      what lies below one object
  rootbound roots core.txt --format heaproots --lines 5000    the lines of HeapRoots

Roots are those of IBM's HeapRoots.";

pub(super) const SIZE: &str = "\
Examples:
  rootbound size shop.hprof --from 'static com.example.Shop.active'
  rootbound size shop.hprof --from 'com.example.Cart' --skip 'com.example.User'
  rootbound size shop.hprof --from 'com.example.Cart' --skip 'com.example.Node.parent'

A structure is measured as INSANE measures it.";

pub(super) const GROWTH: &str = "\
Examples:
  rootbound growth shop-1.hprof shop-2.hprof
  rootbound growth shop-*.hprof --window 1..2 --dsl shop.ds --sort deep-structure
  rootbound growth shop.rootbound                      the captures of a recording
  rootbound growth shop-1.hprof shop-2.hprof --by 'type, place, leaves(type)'

Data structures, metrics and patterns are those of AntTracks.";

pub(super) const STRUCTURES: &str = "\
Examples:
  rootbound structures shop.hprof
  rootbound structures shop.hprof --dsl shop.ds --of 'com.example.*'
  rootbound structures shop.hprof --containing com.example.Order
  rootbound structures --check shop.ds shop.hprof      what does each description find?
  rootbound structures --show-jdk                      how the JDK's collections are described

Structures are found as AntTracks finds them. A description names a class and the classes that it may point to:
  namespace com.example {
    DS Cart { Cart$Line; }                    // DS: the head of a structure
    Cart$Line { Cart$Line; (Item); }          // in parentheses: contents, not followed any further
  }

Exit status: 0 at the end; 1 a failure; 2 errors in descriptions, or a wrong command line.";

pub(super) const ROUNDS: &str = "\
Examples:
  rootbound rounds before.hprof round-1.hprof round-2.hprof round-3.hprof --runs 10
  rootbound rounds round-*.rootbound --fail-on grower --ignore 1d82c94f9eff2a82

The scenario is run a few times before the first file, and --runs times before each of the others. A place grows if it
gains at least --least-growth objects in every round. One array grows if it becomes longer and longer.

Exit status: 0 at the end; 1 a failure; 2 a wrong command line; 3 with --fail-on, and a structure grew.";

pub(super) const PATHS: &str = "\
Examples:
  rootbound paths shop.hprof --to com.example.Session          the kinds of way to all sessions
  rootbound paths shop.hprof --to 0x7f3a10c8 --paths 10        the nearest holders of one object
  rootbound paths shop.hprof --to com.example.Session --avoid com.example.Shop.sessions";

pub(super) const HOLDERS: &str = "\
Examples:
  rootbound holders shop.hprof --of com.example.Session
  rootbound holders shop.hprof --of 0x7f3a10c8                 all references of one object, in both directions";

pub(super) const OBJECTS: &str = "\
Examples:
  rootbound objects shop.hprof --class 'com.example.*' --sort retained
  rootbound objects shop.hprof --min-size 1M --sort size --limit 50

Subtree, descendants and depth are those of `rootbound roots`.";

pub(super) const CONVERT: &str = "\
Examples:
  rootbound convert shop.rootbound --to hprof -o shop.hprof
  rootbound convert core.phd --to insane-xml -o core.xml";

pub(super) const CONFIG: &str = "\
Examples:
  rootbound config > rootbound.toml             all options with their help, as comments
  rootbound config watch --show                 which options are in effect, and why
  ROOTBOUND_MAX_PAUSE=50ms rootbound watch      every option is a variable, too

An option of the command line counts before a variable, a variable before ./rootbound.toml, that before
$XDG_CONFIG_HOME/rootbound/config.toml (or ~/.config/rootbound/config.toml).";

pub(super) const COMPLETIONS: &str = "\
Examples:
  rootbound completions bash > /etc/bash_completion.d/rootbound
  rootbound completions zsh > ~/.zfunc/_rootbound
  rootbound completions fish > ~/.config/fish/completions/rootbound.fish";

pub(super) const MAN: &str = "\
Examples:
  rootbound man /usr/local/share/man/man1
  rootbound man . && man ./rootbound-watch.1";
