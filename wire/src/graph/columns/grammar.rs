//! The fields of the records of a chunk in their order. One walk serves both directions: its source has each field, and
//! puts it where it belongs on the other side.

use super::super::{flag, kind, root};
use super::forecast::Forecast;
use super::{Column, ColumnsFault};

/// Where fields come from, and go to.
pub(super) trait Fields {
    /// The first byte of the next record; `None` at the end.
    fn first(&mut self) -> Result<Option<u8>, ColumnsFault>;
    /// A byte.
    fn byte(&mut self) -> Result<u8, ColumnsFault>;
    /// A number of this column.
    fn number(&mut self, column: Column) -> Result<u64, ColumnsFault>;
    /// An address of which nothing is known but the one before.
    fn address(&mut self, last: u64) -> Result<u64, ColumnsFault>;
    /// The address of an object that begins, and its place in the stack.
    fn referrer(&mut self, forecast: &mut Forecast) -> Result<(u64, Option<u8>), ColumnsFault>;
    /// The address of a referee that may be near to these.
    fn referee(&mut self, last: u64, bases: [u64; 3]) -> Result<u64, ColumnsFault>;
}

/// Goes through all records.
pub(super) fn walk(fields: &mut impl Fields, forecast: &mut Forecast) -> Result<(), ColumnsFault> {
    forecast.reset();
    while let Some(first) = fields.first()? {
        let (of, flags) = (first >> 4, first & 0x0F);
        match of {
            kind::FIELD..=kind::CLASS => reference(fields, forecast, of, flags)?,
            kind::BATCH => {
                if flags & flag::SAME_CLASS == 0 {
                    forecast.class = fields.number(Column::Classes)?;
                }
                let (referrer, place) = fields.referrer(forecast)?;
                forecast.begin(referrer, place);
            }
            kind::RESUME => {
                let referrer = fields.address(forecast.last)?;
                forecast.begin(referrer, None);
            }
            _ => other(fields, forecast, of, flags)?,
        }
    }
    Ok(())
}

#[inline]
fn reference(fields: &mut impl Fields, forecast: &mut Forecast, of: u8, flags: u8) -> Result<(), ColumnsFault> {
    let mut index = 0;
    if let Some(latest) = forecast.index.get_mut(usize::from(of)) {
        let is_next = flags & flag::NEXT_INDEX != 0;
        index = if is_next { latest.wrapping_add(1) } else { fields.number(Column::Indexes)? };
        *latest = index;
    }
    let referee = fields.referee(forecast.last, forecast.bases(of, index))?;
    forecast.refer(of, index, referee);
    shape(fields, flags)
}

/// Records that are few.
#[cold]
fn other(fields: &mut impl Fields, forecast: &mut Forecast, of: u8, flags: u8) -> Result<(), ColumnsFault> {
    let before = match of {
        kind::ROOT => match fields.byte()? {
            root::STACK_LOCAL => 3,
            root::JNI_LOCAL => 2,
            _ => 0,
        },
        kind::NAMED | kind::SENTINEL => 1,
        _ => 0,
    };
    let after = match of {
        kind::NAMED if flags & flag::MARK != 0 => 3,
        kind::NAMED => 1,
        kind::MARKED => 2,
        _ => 0,
    };
    numbers(fields, before)?;
    forecast.last = fields.address(forecast.last)?;
    numbers(fields, after)?;
    if matches!(of, kind::ROOT | kind::HELD) { shape(fields, flags) } else { Ok(()) }
}

fn numbers(fields: &mut impl Fields, count: u32) -> Result<(), ColumnsFault> {
    (0..count).try_for_each(|_| fields.number(Column::Others).map(drop))
}

#[inline]
fn shape(fields: &mut impl Fields, flags: u8) -> Result<(), ColumnsFault> {
    let count = match flags & flag::SHAPE {
        count @ 0..=2 => count,
        _ => return Err(ColumnsFault::UnknownShape),
    };
    (0..count).try_for_each(|_| fields.number(Column::Sizes).map(drop))
}
