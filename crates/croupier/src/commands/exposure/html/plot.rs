//! Two bar charts beside each other: how often there is an edge, and what it is worth, by penetration.

use std::fmt::Write as _;

use croupier_lab::exposure::{BetExposure, Penetration};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 230.0;
/// Of the bars' area within its half of the picture.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

const INK: &str = "#1f2933";
const LINES: &str = "#d5dae1";
const OFTEN: &str = "#1a4fa8";
const WORTH: &str = "#15803d";

/// One chart: its title, colour, and what each part of the shoe is worth in it.
struct Chart<'a> {
    title: &'a str,
    colour: &'a str,
    value: fn(&Penetration) -> f64,
    label: fn(f64) -> String,
}

/// The picture of one bet.
pub(super) fn svg(bet: &BetExposure) -> String {
    let charts = [
        Chart { title: "Rounds with an edge", colour: OFTEN, value: |part| part.fraction, label: share },
        Chart {
            title: "Units per 100 rounds",
            colour: WORTH,
            value: |part| part.per_100_rounds,
            label: short,
        },
    ];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Rounds with an edge and units won per 100 rounds, by share of the shoe dealt\" \
         font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"11\" fill=\"{INK}\">\n"
    );
    for (at, chart) in charts.iter().enumerate() {
        let left = if at == 0 { 0.0 } else { WIDTH / 2.0 };
        draw(&mut svg, chart, &bet.by_penetration, left);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, chart: &Chart<'_>, parts: &[Penetration], left: f64) {
    let (x, width) = (left + LEFT, WIDTH / 2.0 - LEFT - RIGHT);
    let (y, height) = (TOP, HEIGHT - TOP - BOTTOM);
    let base = y + height;
    let highest = parts.iter().map(chart.value).fold(0.0, f64::max);
    let step = tick_step(highest);
    let top = (highest / step).ceil().max(1.0) * step;
    text(svg, (x, y - 14.0), "start\" font-weight=\"bold", chart.title);
    let mut tick = 0.0;
    while tick <= top + step / 2.0 {
        let at = base - tick / top * height;
        let _ = writeln!(svg, "<path d=\"M{x:.1} {at:.1}h{width:.1}\" stroke=\"{LINES}\"/>");
        text(svg, (x - 6.0, at + 4.0), "end", &(chart.label)(tick));
        tick += step;
    }
    let bar = width / parts.len() as f64;
    for (at, part) in parts.iter().enumerate() {
        let value = (chart.value)(part);
        let tall = value / top * height;
        let from = x + at as f64 * bar;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{tall:.2}\" fill=\"{}\">\
             <title>{} – {}: {}</title></rect>",
            from + bar * 0.1,
            base - tall,
            bar * 0.8,
            chart.colour,
            share(part.from),
            share(part.to),
            (chart.label)(value),
        );
    }
    let _ = writeln!(svg, "<path d=\"M{x:.1} {base:.1}h{width:.1}\" stroke=\"{INK}\"/>");
    for fifth in 0..=5 {
        let dealt = f64::from(fifth) / 5.0;
        text(svg, (x + dealt * width, base + 15.0), "middle", &share(dealt));
    }
    text(svg, (x + width / 2.0, base + 31.0), "middle", "share of the shoe dealt");
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// A step of 1, 2 or 5 times a power of ten that gives up to five ticks.
fn tick_step(highest: f64) -> f64 {
    if highest <= 0.0 {
        return 1.0;
    }
    let rough = highest / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|step| *step >= rough * 0.999).unwrap_or(10.0 * power)
}

/// `10%`, `12.5%`, `0.003%`.
pub(super) fn share(share: f64) -> String {
    format!("{}%", short(100.0 * share))
}

/// Three significant digits, without trailing zeros.
fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".to_string();
    }
    let decimals = (2.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let digits = format!("{number:.decimals$}");
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').to_string() } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_labels() {
        let steps: Vec<f64> = [0.0, 0.37, 4.0, 4.1, 1234.0].into_iter().map(tick_step).collect();
        assert_eq!(steps, [1.0, 0.1, 1.0, 2.0, 500.0]);
        let labels: Vec<String> = [0.0, 0.1, 0.125, 1.0 / 3.0, 0.00003].into_iter().map(share).collect();
        assert_eq!(labels, ["0%", "10%", "12.5%", "33.3%", "0.003%"]);
    }
}
