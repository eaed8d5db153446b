//! What the schedule does to a class: simulated people who forget as the curve says, half a year of drills, and what
//! they would still know of each topic on each day.

use core::fmt::Write as _;

use croupier_drill::schedule::simulate;
use croupier_drill::{Generator, Language};
use croupier_lab::report::{STYLE, Series, escape, lines_over};

/// The days of the simulation.
const DAYS: u16 = 180;

/// The page with its plots.
pub(super) fn page(generator: &Generator, students: u32, seed: u64) -> String {
    let class = simulate::Class { students, days: DAYS, drills_a_day: 2, seed };
    let result = simulate::run(generator.rulebook(), &generator.topics(), &class);
    let title = format!("A class of {students} over {DAYS} days: {}", generator.game().id);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>Two drills a day and person by the schedule; who forgets follows from the forgetting curve and the seed {seed}. Retention is the mean chance that a topic is remembered on a day, over those who have met it.</p>\n",
        escape(&title)
    );
    let labels: Vec<String> =
        (0..=DAYS).step_by(usize::from(simulate::STEP)).map(|day| day.to_string()).collect();
    let all = vec![
        Series { name: "all topics", values: result.retention.clone() },
        Series { name: "costly", values: result.costly.clone() },
        Series { name: "others", values: result.others.clone() },
        Series { name: "met so far", values: result.met.clone() },
    ];
    page.push_str(&lines_over("Retention by day", "day", &labels, &all, false));
    let _ = write!(
        page,
        "<p>{} drills in all; on the last day {:.1}% of what was met is remembered.</p>\n<h2>By clause and topic</h2>\n<table><tr><th>topic</th><th>clauses</th><th>first look right</th><th>drills a person</th><th>retention, day 30</th><th>day 90</th><th>day {DAYS}</th></tr>\n",
        result.drills,
        result.retention.last().copied().unwrap_or(0.0) * 100.0
    );
    for topic in &result.topics {
        let clauses: Vec<&str> = topic.clauses.iter().map(String::as_str).collect();
        let at =
            |day: u16| topic.retention.get(usize::from(day / simulate::STEP)).copied().unwrap_or(0.0) * 100.0;
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{:.0}%</td><td>{:.1}</td><td>{:.1}%</td><td>{:.1}%</td><td>{:.1}%</td></tr>",
            escape(Language::En.topic(topic.topic)),
            escape(&clauses.join(" ")),
            topic.first * 100.0,
            topic.drills,
            at(30),
            at(90),
            at(DAYS)
        );
    }
    page.push_str("</table>\n");
    for topic in &result.topics {
        let series = [Series { name: "", values: topic.retention.clone() }];
        let name = Language::En.topic(topic.topic);
        let _ = write!(
            page,
            "<figure style=\"display:inline-block;margin:6px;break-inside:avoid\"><figcaption>{}</figcaption>",
            escape(name)
        );
        page.push_str(&lines_over(name, "day", &labels, &series, true));
        page.push_str("</figure>\n");
    }
    page.push_str("</body>\n</html>\n");
    page
}
