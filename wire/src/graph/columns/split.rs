//! From the bytes of a chunk to columns.

use super::forecast::Forecast;
use super::grammar::{Fields, walk};
use super::{COLUMNS, Column, ColumnsFault, at_distance, distance, joined, push, varint};

/// A place in the stack that means: it is not there, and the address follows.
pub(super) const NOWHERE: u8 = u8::MAX;

/// The columns of a chunk, one after another at the end of `out`.
///
/// # Errors
/// When the bytes are not exactly what a writer of chunks writes; `out` is then as it was.
pub(crate) fn split(chunk: &[u8], forecast: &mut Forecast, out: &mut Vec<u8>) -> Result<(), ColumnsFault> {
    let mut splitting = Splitting { rest: chunk, columns: Default::default() };
    splitting.columns.iter_mut().for_each(|column| column.reserve(chunk.len() / 4));
    walk(&mut splitting, forecast)?;
    joined(&splitting.columns, out);
    Ok(())
}

struct Splitting<'c> {
    rest: &'c [u8],
    columns: [Vec<u8>; COLUMNS],
}

impl Splitting<'_> {
    fn to(&mut self, column: Column) -> &mut Vec<u8> {
        &mut self.columns[column as usize]
    }

    /// The next number of the chunk.
    fn next(&mut self) -> Result<u64, ColumnsFault> {
        let before = self.rest.len();
        let number = varint::read(&mut self.rest).ok_or(ColumnsFault::CutOff)?;
        let is_shortest = before - self.rest.len() == varint::length(number);
        if is_shortest { Ok(number) } else { Err(ColumnsFault::OtherForm) }
    }

    fn next_byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// The next address of the chunk.
    fn next_address(&mut self, last: u64) -> Result<u64, ColumnsFault> {
        let number = self.next()?;
        let address = at_distance(last, number);
        if distance(last, address) == number { Ok(address) } else { Err(ColumnsFault::OtherForm) }
    }
}

impl Fields for Splitting<'_> {
    #[inline]
    fn first(&mut self) -> Result<Option<u8>, ColumnsFault> {
        let first = self.next_byte();
        self.to(Column::Kinds).extend(first);
        Ok(first)
    }

    fn byte(&mut self) -> Result<u8, ColumnsFault> {
        let byte = self.next_byte().ok_or(ColumnsFault::CutOff)?;
        self.to(Column::Others).push(byte);
        Ok(byte)
    }

    #[inline]
    fn number(&mut self, column: Column) -> Result<u64, ColumnsFault> {
        let number = self.next()?;
        push(self.to(column), number);
        Ok(number)
    }

    fn address(&mut self, last: u64) -> Result<u64, ColumnsFault> {
        let address = self.next_address(last)?;
        push(self.to(Column::Others), distance(last, address));
        Ok(address)
    }

    #[inline]
    fn referrer(&mut self, forecast: &mut Forecast) -> Result<(u64, Option<u8>), ColumnsFault> {
        let address = self.next_address(forecast.last)?;
        let place = forecast.place_of(address);
        self.to(Column::Places).push(place.unwrap_or(NOWHERE));
        if place.is_none() {
            push(self.to(Column::Referrers), distance(forecast.last, address));
        }
        Ok((address, place))
    }

    #[inline]
    fn referee(&mut self, last: u64, bases: [u64; 3]) -> Result<u64, ColumnsFault> {
        let address = self.next_address(last)?;
        let from = |base: &(u8, u64)| distance(base.1, address);
        let nearest = (0..).zip(bases).min_by_key(from).unwrap_or((0, bases[0]));
        self.to(Column::Bases).push(nearest.0);
        push(self.to(Column::Referees), from(&nearest));
        Ok(address)
    }
}
