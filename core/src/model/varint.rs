//! Whole numbers in as few bytes as they need (LEB128): seven bits a byte, the lowest first, the highest bit of all but the last set.
//! Those that may be negative are folded first (zigzag: 0, -1, 1, -2, ...), so that small ones are short whatever their sign.

/// Bytes of the longest varint of 64 bits.
pub const VARINT_BYTES_MAX: usize = 10;

/// Appends a number.
pub fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number off the front; `None` where there is none.
pub fn read_varint(data: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *data.split_off_first()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Appends a number that may be negative.
pub fn write_zigzag(value: i64, out: &mut Vec<u8>) {
    write_varint(((value << 1) ^ (value >> 63)).cast_unsigned(), out);
}

/// Takes what [`write_zigzag`] wrote off the front; `None` where there is none.
pub fn read_zigzag(data: &mut &[u8]) -> Option<i64> {
    let folded = read_varint(data)?;
    Some((folded >> 1).cast_signed() ^ -((folded & 1).cast_signed()))
}
