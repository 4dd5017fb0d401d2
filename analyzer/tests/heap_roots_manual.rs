//! The sample dump in the manual of HeapRoots 2.0.7 (*Dump from Roots*), and its tree in the manual's own lines.
#![allow(clippy::unwrap_used)] // Helpers of tests may panic as tests do.

use rootbound::dump_reports::{Kinds, RootsWanted, SortBy, TreeWanted, roots};
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::read_heap;
use rootbound::report::dump::{DumpFile, RootsReport};
use rootbound::view::dump;
use std::io::Write;

const SAMPLE: &str = "\
0x50001010 [6000] A 0x50002020
0x50002020 [4000] B 0x50004050 0x50006040 0x10007030
0x50004050 [1104] C 0x50005060
0x50005060 [1032] D 0x50003090
0x50003090 [504] E 0x50003070 0xe00090a0
0x50003070 [1000] F 0x30000080 0x50004050
0x30000080 [10000] G
0xe00090a0 [32] H
0x50006040 [1904] I
0x10007030 [1024] J
0x200000b0 [40000] K 0x200000c0 0x50002020
0x200000c0 [8000] L 0x200000b0
";

fn sample() -> Heap {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(SAMPLE.as_bytes()).unwrap();
    read_heap(file.path(), DumpRules::default()).unwrap().heap
}

fn dumped(heap: &Heap, from: Option<&str>, depth: u32, least_bytes: u64) -> RootsReport {
    let wanted = RootsWanted {
        kinds: Kinds::All,
        class: None,
        least_bytes,
        sort: SortBy::Size,
        limit: 20,
        tree: Some(TreeWanted { depth, least_bytes, lines: 200 }),
        from: from.map(str::to_owned),
        follows_soft: true,
    };
    let file = DumpFile { file: "sample.txt".to_owned(), format: "IBM text".to_owned(), notes: Vec::new() };
    roots(heap, file, &wanted, &mut |_| ()).unwrap()
}

#[test]
fn the_sample_of_the_manual_has_the_lines_of_the_manual() {
    let text = dump::heaproots::text(&dumped(&sample(), None, 8, 0));
    let manual = "\
<0> [48,000] 0x200000b0 [40,000] K
<1>   [8,000] 0x200000c0 [8,000] L
<2>     {48,000} 0x200000b0 [40,000] K
<1>   <20,600 root:0x50001010> 0x50002020 [4,000] B
<0> [26,600] 0x50001010 [6,000] A
<1>   [20,600] 0x50002020 [4,000] B
<2>     [13,672] 0x50004050 [1,104] C
<3>       [12,568] 0x50005060 [1,032] D
<4>         [11,536] 0x50003090 [504] E
<5>           [11,000] 0x50003070 [1,000] F
<6>             [10,000] 0x30000080 [10,000] G
<6>             {13,672} 0x50004050 [1,104] C
<5>           [32] 0xe00090a0 [32] H
<2>     [1,904] 0x50006040 [1,904] I
<2>     [1,024] 0x10007030 [1,024] J
";
    assert_eq!(text, manual);
}

#[test]
fn the_tree_may_begin_at_any_object_and_end_at_a_size_or_depth() {
    let heap = sample();
    let from_e = dumped(&heap, Some("0x50003090"), 1, 1000);
    assert_eq!(
        dump::heaproots::text(&from_e),
        "<0> [11,536] 0x50003090 [504] E\n<1>   [11,000] 0x50003070 [1,000] F\n"
    );
    let root = &from_e.roots[0];
    assert_eq!((root.kind, root.owner.as_deref(), root.maximum_depth), ("inner", Some("0x50001010"), 2));
    let text = dump::roots::text(&from_e, 100);
    let answer = "0x50003090 is a E with 3 objects below it, 11.3 KB with these, owned by the root 0x50001010";
    assert!(text.starts_with(answer), "{text}");
}

#[test]
fn people_read_the_same_tree_without_noise_where_no_field_has_a_name() {
    let text = dump::roots::text(&dumped(&sample(), None, 8, 0), 100);
    assert!(!text.contains("<reference>"), "{text}");
    for line in [
        "\n  L (7.8 KB) 0x200000c0\n",
        "\n    K {46.9 KB, open above} 0x200000b0\n",
        "\n  B <20.1 KB, below the root 0x50001010> 0x50002020\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}
