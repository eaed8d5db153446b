//! Thirty-two bytes as 64 hexadecimal digits, the form in which roots, hashes and salts are published.

use alloc::string::String;

/// Why a text is not 32 bytes in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseHexError {
    /// A character that is no hexadecimal digit.
    #[error("`{}` at byte {offset}: write 64 digits from 0 to 9 and a to f", .found.escape_debug())]
    NotHex {
        /// The character.
        found: char,
        /// Where it stands, in bytes from the start of the text.
        offset: usize,
    },
    /// Too few or too many digits.
    #[error("{found} hexadecimal digits: write 64")]
    Length {
        /// How many there are.
        found: usize,
    },
}

pub(crate) fn encode(bytes: &[u8; 32]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

pub(crate) fn decode(text: &str) -> Result<[u8; 32], ParseHexError> {
    let mut bytes = [0; 32];
    let mut length = 0;
    for (offset, found) in text.char_indices() {
        let digit = found.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digit = digit.ok_or(ParseHexError::NotHex { found, offset })?;
        if let Some(byte) = bytes.get_mut(offset / 2) {
            *byte = *byte << 4 | digit;
        }
        length += 1;
    }
    if length == 64 { Ok(bytes) } else { Err(ParseHexError::Length { found: length }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    const TEXT: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

    #[test]
    fn bytes_go_out_in_lower_case_and_come_back_in_any() {
        let bytes = decode(TEXT).unwrap();
        assert_eq!((bytes[0], bytes[1], bytes[30], bytes[31]), (0, 1, 0x1e, 0xff));
        assert_eq!(encode(&bytes), TEXT);
        assert_eq!(decode(&TEXT.to_uppercase()), Ok(bytes));
    }

    #[test]
    fn only_64_digits_are_read() {
        assert_eq!(decode(""), Err(ParseHexError::Length { found: 0 }));
        assert_eq!(decode(&TEXT[..63]), Err(ParseHexError::Length { found: 63 }));
        assert_eq!(decode(&[TEXT, "0"].concat()), Err(ParseHexError::Length { found: 65 }));
    }

    #[test]
    fn what_is_no_digit_is_named_with_its_place() {
        let error = decode("00é0").unwrap_err();
        assert_eq!(error, ParseHexError::NotHex { found: 'é', offset: 2 });
        assert_eq!(error.to_string(), "`é` at byte 2: write 64 digits from 0 to 9 and a to f");
        assert_eq!(decode("0x00"), Err(ParseHexError::NotHex { found: 'x', offset: 1 }));
        assert_eq!(decode("+1"), Err(ParseHexError::NotHex { found: '+', offset: 0 }));
    }
}
