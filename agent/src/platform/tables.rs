//! The tables that HotSpot exports for its own debugger (`vmStructs.hpp`; the serviceability agent reads it in every
//! release): fields of its types with their places, sizes of types, constants and flags. Read once, in one pass over
//! each table.

use super::own_memory::Memory;
use crate::os::symbols;
use std::collections::HashMap;

/// A table has some thousands of entries; more is none.
const MOST_ENTRIES: u64 = 50_000;
const MOST_FLAGS: u64 = 10_000;

/// Symbols of one table: where it begins, the distance of entries, and places within an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table<const N: usize> {
    /// Holds the address of the first entry.
    pub first: u64,
    /// Holds the distance of two entries.
    pub stride: u64,
    /// Hold the places of its columns.
    pub columns: [u64; N],
}

/// The symbols that describe the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// Type, field, type of the field, whether it is static, offset, address.
    pub fields: Table<6>,
    /// Type, size.
    pub types: Table<2>,
    /// Name, value.
    pub constants: Table<2>,
}

impl Symbols {
    /// Those of the JVM that this process is.
    pub fn of_this_jvm() -> Option<Self> {
        let of = |prefix: &str, columns: &[&str]| -> Option<Vec<u64>> {
            let names = [format!("{prefix}s"), format!("{prefix}EntryArrayStride")];
            let columns = columns.iter().map(|column| format!("{prefix}Entry{column}Offset"));
            names
                .into_iter()
                .chain(columns)
                .map(|name| symbols::of_library(c"libjvm.so", [&name]).map(|[at]| at))
                .collect()
        };
        let fields = of("gHotSpotVMStruct", &["TypeName", "FieldName", "TypeString", "IsStatic", "Offset", "Address"])?;
        let types = of("gHotSpotVMType", &["TypeName", "Size"])?;
        let constants = of("gHotSpotVMIntConstant", &["Name", "Value"])?;
        Some(Self { fields: table(&fields)?, types: table(&types)?, constants: table(&constants)? })
    }
}

fn table<const N: usize>(symbols: &[u64]) -> Option<Table<N>> {
    let [first, stride, columns @ ..] = symbols else { return None };
    Some(Table { first: *first, stride: *stride, columns: columns.try_into().ok()? })
}

/// A field of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its type, as the JVM writes it: `HeapWord* volatile`.
    pub kind: String,
    /// Its address, when it is static; its offset in an instance otherwise.
    pub place: u64,
    /// Which of the two.
    pub is_static: bool,
}

/// The tables. Facts that are not in them are unknown.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    fields: HashMap<(String, String), Field>,
    sizes: HashMap<String, u64>,
    constants: HashMap<String, i32>,
}

impl Tables {
    /// Reads them. `None` when the memory is not there.
    pub fn read(memory: &impl Memory, symbols: &Symbols) -> Option<Self> {
        let mut tables = Self::default();
        each_entry(memory, &symbols.fields, |of, [_, name, kind, is_static, offset, address]| {
            let named = |cell| memory.word(cell).filter(|&text| text != 0).and_then(|text| memory.text(text));
            let Some(name) = named(name) else { return Some(()) };
            let is_static = memory.half(is_static)? != 0;
            let place = memory.word(if is_static { address } else { offset })?;
            tables.fields.insert((of, name), Field { kind: named(kind).unwrap_or_default(), place, is_static });
            Some(())
        })?;
        each_entry(memory, &symbols.types, |name, [_, size]| {
            tables.sizes.insert(name, memory.word(size)?);
            Some(())
        })?;
        each_entry(memory, &symbols.constants, |name, [_, value]| {
            tables.constants.insert(name, memory.half(value)?.cast_signed());
            Some(())
        })?;
        Some(tables)
    }

    /// The address of a static field.
    pub fn static_field(&self, of: &str, name: &str) -> Option<u64> {
        self.field(of, name).filter(|field| field.is_static && field.place != 0).map(|field| field.place)
    }

    /// The offset of an instance field, wherever its type is named first: of these types, with a type of its own that
    /// begins like that, within the size of the type.
    pub fn offset(&self, of_types: &[&str], name: &str, kind: &str) -> Option<u64> {
        let (of, field) = of_types.iter().find_map(|&of| Some((of, self.field(of, name)?)))?;
        let fits = self.sizes.get(of).is_none_or(|&size| field.place < size);
        (!field.is_static && field.kind.starts_with(kind) && fits).then_some(field.place)
    }

    /// The size of a type.
    pub fn size(&self, of: &str) -> Option<u64> {
        self.sizes.get(of).copied()
    }

    /// A constant.
    pub fn constant(&self, name: &str) -> Option<i32> {
        self.constants.get(name).copied()
    }

    /// Which of these flags are on. A flag that the JVM does not have is off.
    pub fn flags_on<'n>(&self, memory: &impl Memory, names: &[&'n str]) -> Option<Vec<&'n str>> {
        let first = memory.word(self.static_field("JVMFlag", "flags")?)?;
        let count = memory.word(self.static_field("JVMFlag", "numFlags")?)?.min(MOST_FLAGS);
        let (name_at, value_at) = (self.field("JVMFlag", "_name")?.place, self.field("JVMFlag", "_addr")?.place);
        let size = self.size("JVMFlag")?;
        let mut on = Vec::new();
        for flag in (0..count).map(|number| first + number * size) {
            let name = memory.word(flag + name_at)?;
            if let Some(&name) = names.iter().find(|wanted| name != 0 && memory.says(name, wanted)) {
                let mut value = [0];
                memory.read(memory.word(flag + value_at)?, &mut value)?;
                on.extend((value != [0]).then_some(name));
            }
        }
        Some(on)
    }

    fn field(&self, of: &str, name: &str) -> Option<&Field> {
        self.fields.get(&(of.to_owned(), name.to_owned()))
    }

    /// A table of tests: type, field, type of the field, and its offset or, where it is static, its address.
    #[cfg(test)]
    pub fn of_test(fields: &[(&str, &str, &str, bool, u64)], constants: &[(&str, i32)]) -> Self {
        let field = |&(of, name, kind, is_static, place): &(&str, &str, &str, bool, u64)| {
            ((of.to_owned(), name.to_owned()), Field { kind: kind.to_owned(), place, is_static })
        };
        let constants = constants.iter().map(|&(name, value)| (name.to_owned(), value));
        Self { fields: fields.iter().map(field).collect(), sizes: HashMap::new(), constants: constants.collect() }
    }
}

/// Hands on the name in the first column of each entry and where its cells are.
fn each_entry<const N: usize>(
    memory: &impl Memory,
    table: &Table<N>,
    mut entry: impl FnMut(String, [u64; N]) -> Option<()>,
) -> Option<()> {
    let (first, stride) = (memory.word(table.first)?, memory.word(table.stride)?);
    let mut columns = [0; N];
    for (column, symbol) in columns.iter_mut().zip(table.columns) {
        *column = memory.word(symbol)?;
    }
    for start in (0..MOST_ENTRIES).map(|number| first + number * stride) {
        let name = memory.word(start + columns[0])?;
        if name == 0 {
            return Some(());
        }
        entry(memory.text(name)?, columns.map(|column| start + column))?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::own_memory::Stretches;
    use super::*;

    const TEXTS: u64 = 0x20_0000;

    /// One stretch of texts, and one of words for each table.
    struct Written {
        texts: Vec<u8>,
        stretches: Vec<(u64, Vec<u8>)>,
    }

    impl Written {
        fn text(&mut self, text: &str) -> u64 {
            let at = TEXTS + self.texts.len() as u64;
            self.texts.extend(text.bytes().chain([0]));
            self.texts.resize(self.texts.len().next_multiple_of(64), 0);
            at
        }

        fn words(&mut self, at: u64, words: &[u64]) {
            self.stretches.push((at, words.iter().flat_map(|word| word.to_ne_bytes()).collect()));
        }

        /// A table at `at` with columns of a word each; its symbols stand behind it.
        fn table<const N: usize>(&mut self, at: u64, rows: &[[u64; N]]) -> Table<N> {
            let end = [[0; N]];
            self.words(at, rows.iter().chain(&end).flatten().copied().collect::<Vec<_>>().as_slice());
            let symbols = at + 0x1000;
            let columns: Vec<u64> = (0..N as u64).map(|column| column * 8).collect();
            self.words(symbols, &[&[at, N as u64 * 8], columns.as_slice()].concat());
            let columns: Vec<u64> = (0..N as u64).map(|column| symbols + 16 + column * 8).collect();
            Table { first: symbols, stride: symbols + 8, columns: columns.try_into().expect("as many") }
        }
    }

    #[test]
    fn fields_sizes_and_constants_are_read() {
        let mut written = Written { texts: Vec::new(), stretches: Vec::new() };
        let [region, top, end, kind, heap] =
            ["Region", "_top", "_end", "HeapWord* volatile", "_heap"].map(|text| written.text(text));
        let fields = written.table(
            0x10_0000,
            &[[region, top, kind, 0, 16, 0], [region, end, kind, 0, 96, 0], [region, heap, 0, 1, 0, 0x5000]],
        );
        let types = written.table(0x11_0000, &[[region, 64]]);
        let constants = written.table(0x12_0000, &[[end, 7]]);
        written.stretches.push((TEXTS, written.texts.clone()));
        let memory = Stretches(written.stretches);
        let tables = Tables::read(&memory, &Symbols { fields, types, constants }).expect("tables");
        assert_eq!(tables.static_field("Region", "_heap"), Some(0x5000));
        assert_eq!(tables.offset(&["Space", "Region"], "_top", "HeapWord*"), Some(16));
        assert_eq!(tables.offset(&["Region"], "_top", "uint"), None, "of another type");
        assert_eq!(tables.offset(&["Region"], "_end", "HeapWord*"), None, "beyond the type");
        assert_eq!(
            (tables.size("Region"), tables.constant("_end"), tables.constant("_top")),
            (Some(64), Some(7), None)
        );
        assert!(Tables::read(&Stretches(Vec::new()), &Symbols { fields, types, constants }).is_none());
    }
}
