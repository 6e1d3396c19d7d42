//! Columns of numbers from columns of the same rows as they are packed.

use packord::columns::Numbers;

use super::column::Column;
use super::types::Type;

/// Appends the numbers to a column that has all of them; `false` for any other column.
pub fn extend(column: &mut Column, numbers: &Numbers<'_>) -> bool {
    let Some((ty, out)) = column.fixed() else {
        return false;
    };
    macro_rules! all {
        ($numbers:expr, $target:ty) => {{
            let numbers = $numbers;
            out.reserve(numbers.len() * size_of::<$target>());
            for &number in numbers.iter() {
                out.extend_from_slice(&<$target>::from(number).to_ne_bytes());
            }
            numbers.len()
        }};
    }
    // Rounded as each of them is that is read alone.
    macro_rules! rounded {
        ($numbers:expr) => {{
            let numbers = $numbers;
            for &number in numbers.iter() {
                out.extend_from_slice(&(number as f64).to_ne_bytes());
            }
            numbers.len()
        }};
    }
    let is_int = *ty == Type::INT64;
    let count = match numbers {
        Numbers::U8(numbers) if is_int => all!(numbers, i64),
        Numbers::U16(numbers) if is_int => all!(numbers, i64),
        Numbers::U32(numbers) if is_int => all!(numbers, i64),
        Numbers::I64(numbers) if is_int => all!(numbers, i64),
        _ if *ty != Type::FLOAT64 => return false,
        Numbers::U8(numbers) => all!(numbers, f64),
        Numbers::U16(numbers) => all!(numbers, f64),
        Numbers::U32(numbers) => all!(numbers, f64),
        Numbers::U64(numbers) => rounded!(numbers),
        Numbers::I64(numbers) => rounded!(numbers),
        Numbers::F32(numbers) => all!(numbers, f64),
        Numbers::F64(numbers) => all!(numbers, f64),
        _ => return false,
    };
    column.added(count);
    true
}
