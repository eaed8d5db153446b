//! Days of the calendar as text, `YYYY-MM-DD`: such texts compare as the days do.

/// What is wrong with a text that should be a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DateFault {
    /// Not four digits, two and two.
    #[error("is not a date; write it as YYYY-MM-DD, such as 2024-10-01")]
    Shape,
    /// A month that there is not.
    #[error("has month {month:02}; there are 01 to 12")]
    Month {
        /// As written.
        month: u32,
    },
    /// A day that its month has not.
    #[error("has day {day:02}; that month ends with {last}")]
    Day {
        /// As written.
        day: u32,
        /// The last of the month.
        last: u32,
    },
}

/// Checks a day of the Gregorian calendar.
///
/// # Errors
/// [`DateFault`].
pub fn check(text: &str) -> Result<(), DateFault> {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else {
        return Err(DateFault::Shape);
    };
    if parts.next().is_some() {
        return Err(DateFault::Shape);
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err(DateFault::Month { month }),
    };
    if (1..=last).contains(&day) { Ok(()) } else { Err(DateFault::Day { day, last }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_month_begins_with_one_and_ends_where_it_ends() {
        let lasts = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, last) in (1..=12).zip(lasts) {
            let day = |day: u32| alloc::format!("2024-{month:02}-{day:02}");
            assert_eq!(check(&day(0)), Err(DateFault::Day { day: 0, last }));
            assert_eq!((check(&day(1)), check(&day(last))), (Ok(()), Ok(())));
            assert_eq!(check(&day(last + 1)), Err(DateFault::Day { day: last + 1, last }));
        }
    }

    #[test]
    fn months_and_leap_years() {
        for month in [0, 13, 99] {
            assert_eq!(check(&alloc::format!("2024-{month:02}-01")), Err(DateFault::Month { month }));
        }
        for (year, is_leap) in [("2023", false), ("2024", true), ("1900", false), ("2000", true)] {
            assert_eq!(check(&alloc::format!("{year}-02-29")).is_ok(), is_leap, "{year}");
        }
    }

    #[test]
    fn the_shape() {
        for text in
            ["", "2024", "2024-1-01", "24-10-01", "2024-10-01-1", "2024-10-1x", "2024/10/01", "+024-10-01"]
        {
            assert_eq!(check(text), Err(DateFault::Shape), "{text}");
        }
    }
}
