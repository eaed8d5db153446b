//! The plots of the page: plain SVG, drawn to be printed. Coordinates are rough doubles; figures are not.

use core::fmt::Write as _;

/// One line of a plot: a name and a value for each place on the x axis.
pub struct Series<'s> {
    /// Its name, shown at its end.
    pub name: &'s str,
    /// Its values.
    pub values: Vec<f64>,
}

/// Colours that stay apart in print and for most eyes.
const COLOURS: [&str; 10] = [
    "#1f5a93", "#b3541e", "#3c7a3c", "#8a2f5d", "#6b5b1f", "#3f8f8f", "#7a4fa3", "#a33333", "#4d4d4d",
    "#c08a1a",
];

/// Text made safe for HTML and SVG.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Round values that span the data: the first, the last and the step between.
fn scale(low: f64, high: f64) -> (f64, f64, f64) {
    let span = (high - low).max(1e-9);
    let rough = span / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * power);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
    ((low / step).floor() * step, (high / step).ceil() * step, step)
}

/// A percentage without more decimals than the steps of the axis need.
fn axis_label(value: f64, step: f64) -> String {
    let places = [1.0, 0.1, 0.01, 0.001, 0.0001].iter().position(|unit| {
        let steps = step * 100.0 / unit;
        (steps - steps.round()).abs() < 1e-6
    });
    let value = if value.abs() < 1e-12 { 0.0 } else { value * 100.0 };
    format!("{value:.*}%", places.unwrap_or(5))
}

/// Lines over deck counts, each named at its right end.
pub(super) fn lines(title: &str, labels: &[String], series: &[Series<'_>], small: bool) -> String {
    lines_over(title, "decks", labels, series, small)
}

/// Shares as lines over anything, each named at its right end. Its colours and strokes are those of the page that it stands in.
#[must_use]
pub fn lines_over(title: &str, axis: &str, labels: &[String], series: &[Series<'_>], small: bool) -> String {
    let (width, height) = if small { (340.0, 150.0) } else { (940.0, 380.0) };
    let (left, right, top, bottom) = if small { (52.0, 14.0, 12.0, 24.0) } else { (58.0, 150.0, 12.0, 42.0) };
    let values = || series.iter().flat_map(|series| series.values.iter().copied());
    let (mut low, mut high) = values().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    if !small {
        low = low.min(0.0);
    }
    if high - low < 1e-6 {
        (low, high) = (low - 0.005, high + 0.005);
    }
    let (low, high, step) = scale(low, high);
    let places = labels.len().saturating_sub(1).max(1);
    let x = |at: usize| left + (width - left - right) * index(at) / index(places);
    let y = |value: f64| top + (height - top - bottom) * (high - value) / (high - low);
    let mut svg = open(width, height, title);
    for tick in 0..=index_of((high - low) / step) {
        let value = low + index(tick) * step;
        let (line, label) = (y(value), axis_label(value, step));
        let class = if value.abs() < 1e-12 { "zero" } else { "rule" };
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{left:.1}\" x2=\"{:.1}\" y1=\"{line:.1}\" y2=\"{line:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            width - right,
            left - 6.0,
            line + 3.5
        );
    }
    for (at, label) in labels.iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(at),
            height - bottom + 15.0,
            escape(label)
        );
    }
    if !small {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            left + (width - left - right) / 2.0,
            height - 8.0,
            escape(axis)
        );
    }
    let mut ends: Vec<(f64, usize)> = Vec::new();
    for (number, series) in series.iter().enumerate() {
        let points = series.values.iter().enumerate().map(|(at, value)| (x(at), y(*value)));
        let path: Vec<String> = points.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let colour = COLOURS[number % COLOURS.len()];
        let _ = write!(svg, "<polyline class=\"line\" stroke=\"{colour}\" points=\"{}\"/>", path.join(" "));
        for (x, y) in points.clone() {
            let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\" fill=\"{colour}\"/>");
        }
        ends.extend(points.clone().next_back().map(|(_, y)| (y, number)));
    }
    if !small {
        names(&mut svg, series, ends, width - right + 8.0, (top, height - bottom));
    }
    svg.push_str("</svg>");
    svg
}

/// The names beside the ends of their lines, moved apart where they would overlap.
fn names(
    svg: &mut String,
    series: &[Series<'_>],
    mut ends: Vec<(f64, usize)>,
    x: f64,
    (top, bottom): (f64, f64),
) {
    const GAP: f64 = 13.0;
    ends.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut places: Vec<f64> = Vec::new();
    for (y, _) in &ends {
        places.push(places.last().map_or(*y, |last| y.max(last + GAP)).max(top));
    }
    let mut limit = bottom + 4.0;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - GAP;
    }
    for ((end, number), place) in ends.iter().zip(places) {
        let (colour, name) = (COLOURS[number % COLOURS.len()], escape(series[*number].name));
        let _ = write!(
            svg,
            "<line stroke=\"{colour}\" stroke-width=\"0.7\" x1=\"{:.1}\" y1=\"{end:.1}\" x2=\"{:.1}\" y2=\"{place:.1}\"/>\
             <text class=\"name\" fill=\"{colour}\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            x - 5.0,
            x + 8.0,
            x + 11.0,
            place + 3.5
        );
    }
}

/// Horizontal bars: a label, a share of one, the share in words, and whether it is a gain.
pub(super) fn bars(title: &str, rows: &[(String, f64, String, Tone)]) -> String {
    const ROW: f64 = 19.0;
    let longest = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or_default();
    let (width, left, right) = (340.0, 14.0 + 6.2 * index(longest), 62.0);
    let height = ROW * index(rows.len()) + 6.0;
    let most = rows.iter().map(|(_, share, ..)| *share).fold(1e-9, f64::max);
    let mut svg = open(width, height, title);
    for (at, (label, share, words, tone)) in rows.iter().enumerate() {
        let top = 3.0 + ROW * index(at);
        let long = ((width - left - right) * share / most).max(0.6);
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            left - 6.0,
            top + 12.5,
            escape(label),
            tone.class(),
            top + 3.0,
            ROW - 6.0,
            left + long + 5.0,
            top + 12.5,
            escape(words)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// What a bar stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// The player gains.
    Gain,
    /// Nobody gains.
    Even,
    /// The player loses.
    Loss,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Even => "even",
            Self::Loss => "loss",
        }
    }
}

fn open(width: f64, height: f64, title: &str) -> String {
    let title = escape(title);
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\" role=\"img\" \
         aria-label=\"{title}\"><title>{title}</title>"
    )
}

/// Places and counts are small.
fn index(at: usize) -> f64 {
    u32::try_from(at).map_or(0.0, f64::from)
}

/// How many whole steps fit; at most twenty ticks are ever drawn.
fn index_of(steps: f64) -> usize {
    (0..20).rev().find(|count| index(*count) <= steps + 0.5).unwrap_or_default()
}
