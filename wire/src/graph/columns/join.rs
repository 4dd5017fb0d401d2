//! From columns to the bytes of a chunk. Trusts no byte.

use super::forecast::Forecast;
use super::grammar::{Fields, walk};
use super::split::NOWHERE;
use super::{COLUMNS, Column, ColumnsFault, at_distance, distance, parted, push, varint};

/// The chunk whose columns these are, of at most this number of bytes and the few of one record.
///
/// # Errors
/// When these are no columns of a chunk.
pub(crate) fn join(columns: &[u8], most: usize) -> Result<Vec<u8>, ColumnsFault> {
    let mut joining = Joining { columns: parted(columns)?, chunk: Vec::new(), most };
    walk(&mut joining, &mut Forecast::new())?;
    let is_used_up = joining.columns.iter().all(|column| column.is_empty());
    if is_used_up { Ok(joining.chunk) } else { Err(ColumnsFault::LeftOver) }
}

struct Joining<'c> {
    columns: [&'c [u8]; COLUMNS],
    chunk: Vec<u8>,
    most: usize,
}

impl Joining<'_> {
    fn next(&mut self, column: Column) -> Result<u64, ColumnsFault> {
        varint::read(&mut self.columns[column as usize]).ok_or(ColumnsFault::CutOff)
    }

    fn next_byte(&mut self, column: Column) -> Option<u8> {
        let (&byte, rest) = self.columns[column as usize].split_first()?;
        self.columns[column as usize] = rest;
        Some(byte)
    }

    fn put_address(&mut self, last: u64, address: u64) -> u64 {
        push(&mut self.chunk, distance(last, address));
        address
    }
}

impl Fields for Joining<'_> {
    #[inline]
    fn first(&mut self) -> Result<Option<u8>, ColumnsFault> {
        if self.chunk.len() > self.most {
            return Err(ColumnsFault::TooLong);
        }
        let first = self.next_byte(Column::Kinds);
        self.chunk.extend(first);
        Ok(first)
    }

    fn byte(&mut self) -> Result<u8, ColumnsFault> {
        let byte = self.next_byte(Column::Others).ok_or(ColumnsFault::CutOff)?;
        self.chunk.push(byte);
        Ok(byte)
    }

    #[inline]
    fn number(&mut self, column: Column) -> Result<u64, ColumnsFault> {
        let number = self.next(column)?;
        push(&mut self.chunk, number);
        Ok(number)
    }

    fn address(&mut self, last: u64) -> Result<u64, ColumnsFault> {
        let address = at_distance(last, self.next(Column::Others)?);
        Ok(self.put_address(last, address))
    }

    #[inline]
    fn referrer(&mut self, forecast: &mut Forecast) -> Result<(u64, Option<u8>), ColumnsFault> {
        let place = self.next_byte(Column::Places).ok_or(ColumnsFault::CutOff)?;
        let place = Some(place).filter(|&place| place != NOWHERE);
        let address = match place {
            Some(place) => forecast.at_place(place).ok_or(ColumnsFault::NoBase)?,
            None => at_distance(forecast.last, self.next(Column::Referrers)?),
        };
        Ok((self.put_address(forecast.last, address), place))
    }

    #[inline]
    fn referee(&mut self, last: u64, bases: [u64; 3]) -> Result<u64, ColumnsFault> {
        let base = self.next_byte(Column::Bases).ok_or(ColumnsFault::CutOff)?;
        let base = bases.get(usize::from(base)).ok_or(ColumnsFault::NoBase)?;
        let address = at_distance(*base, self.next(Column::Referees)?);
        Ok(self.put_address(last, address))
    }
}
