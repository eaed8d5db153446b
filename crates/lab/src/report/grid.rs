//! Tables of text with aligned columns.

/// On which side of its column a cell stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a header, two blanks between columns, no blanks at the ends of lines.
#[must_use]
pub fn grid(header: &[&str], align: &[Align], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
    for row in rows {
        for (cell, widest) in row.iter().zip(&mut widths) {
            *widest = (*widest).max(width(cell));
        }
    }
    let header: Vec<String> = header.iter().map(ToString::to_string).collect();
    let mut text = String::new();
    for row in core::iter::once(&header).chain(rows) {
        let mut line = String::new();
        for (at, (cell, widest)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(widest.saturating_sub(width(cell)));
            let gap = if at == 0 { "" } else { "  " };
            match align.get(at) {
                Some(Align::Right) => line.extend([gap, &blanks, cell]),
                Some(Align::Left) | None => line.extend([gap, cell, &blanks]),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Characters; the reports use none that are wider than one column.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["tie".into(), "8:1".into()], vec!["big".into(), "100:1".into()]];
        let text = grid(&["bet", "pays"], &[Align::Left, Align::Right], &rows);
        assert_eq!(text, "bet   pays\ntie    8:1\nbig  100:1\n");
    }
}
