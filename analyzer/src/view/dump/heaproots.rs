//! The trees of roots in the lines of HeapRoots' *dump from roots*: `<depth> [subtree] 0xaddress [size] name`, indented
//! by depth. `{subtree}` is an object that is open above, `<subtree root:0xaddress>` one that another parent owns.

use crate::report::dump::{RootsReport, TreeEdge, TreeLine};
use crate::view::plain::line;

/// All trees of the report. Objects below the limits of depth and size are left out.
#[must_use]
pub fn text(report: &RootsReport) -> String {
    let mut out = String::new();
    let trees = report.roots.iter().flat_map(|root| root.tree.iter().flatten());
    trees.filter(|each| !each.class.is_empty()).for_each(|each| line(&mut out, &tree_line(each)));
    out
}

fn tree_line(each: &TreeLine) -> String {
    let subtree = exact(each.subtree_bytes);
    let subtree = match (each.edge, &each.owner) {
        (None, _) => format!("[{subtree}]"),
        (Some(TreeEdge::Owned), Some(owner)) => format!("<{subtree} root:{owner}>"),
        (Some(_), _) => format!("{{{subtree}}}"),
    };
    let indent = "  ".repeat(each.depth as usize);
    let (id, own) = (each.id.as_deref().unwrap_or("0x0"), exact(each.shallow_bytes));
    format!("<{}> {indent}{subtree} {id} [{own}] {}", each.depth, name(&each.class))
}

/// All digits, in groups of three.
fn exact(bytes: u64) -> String {
    let digits = bytes.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The name in a text heap dump: `java/lang/String`, `array of char`, `class java/util/Date`.
fn name(class: &str) -> String {
    match class.strip_suffix("[]") {
        Some(element) => format!("array of {}", element.replace('.', "/")),
        None => class.replace('.', "/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact_and_names_those_of_text_dumps() {
        assert_eq!([0, 999, 1000, 2_580_123].map(exact), ["0", "999", "1,000", "2,580,123"]);
        let names = ["java.lang.String", "char[]", "java.lang.Object[]", "class java.util.Date"].map(name);
        let expected = ["java/lang/String", "array of char", "array of java/lang/Object", "class java/util/Date"];
        assert_eq!(names, expected);
    }
}
