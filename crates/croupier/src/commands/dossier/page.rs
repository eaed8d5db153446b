//! The document as one page: no scripts, nothing to be fetched, laid out for A4.

use core::fmt::Write as _;

use croupier_lab::report::{STYLE, body, decimal, escape, grouped, pays, percent};
use croupier_rounds::scenarios::STANDARD;
use croupier_rules::difference::{Item, Part, items};

use super::Dossier;

const OWN_STYLE: &str = "
nav ol { columns: 2; margin: 6px 0 0; padding-left: 20px }
section.chapter { break-before: page } section.chapter > h1 { font-size: 20px; border-bottom: 2px solid #1c1c1c; margin: 28px 0 10px }
table.words td, table.words th { text-align: left; padding-left: 0 } table.words td { overflow-wrap: anywhere }
table.words td:first-child { white-space: nowrap } table.words.wide td:first-child { white-space: normal }
table.identity { table-layout: fixed } table.identity td:first-child { width: 15em; white-space: normal }
table.wide { table-layout: fixed } table.wide td:first-child { width: 36% } table.runs td:first-child { white-space: normal; width: 34% } table.runs td:last-child { white-space: nowrap }
table.clauses td:nth-child(2) { white-space: nowrap; padding-right: 8px } table.identity code { word-break: break-all }
h4 { margin: 14px 0 2px; font-size: 13.5px } .item { break-inside: avoid; margin-bottom: 8px }
.proved { color: #3c6b3c } .unproved { color: #a34700 } .small { font-size: 11.5px } table.ways td { font-size: 11px; padding: 1px 5px }
table.ways tbody { break-inside: avoid }
.title { min-height: 230mm; display: flex; flex-direction: column; justify-content: center }
.title h1 { font-size: 34px } .title h2 { font-size: 18px; font-weight: 400; margin-top: 0 }
@media screen { .title { min-height: 0; padding: 30px 0 } }
";

/// What a chapter is found by, its title, and what writes it.
type Chapter = (&'static str, &'static str, fn(&mut String, &Dossier<'_>));

/// The page.
pub(super) fn page(dossier: &Dossier<'_>) -> String {
    let Dossier { rulebook, game, .. } = dossier;
    let title = format!("{}: {}", rulebook.names.en, game.id);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n<style>\n{STYLE}{OWN_STYLE}</style>\n</head>\n<body>\n",
        escape(&title)
    );
    front(&mut page, dossier);
    let chapters: [Chapter; 8] = [
        ("rules", "The rules", rules),
        ("clauses", "Clauses, readings and what proves them", clauses),
        ("staff", "Ranks, powers and settings", staff),
        ("irregularities", "Irregularities and their rulings", irregularities),
        ("odds", "Odds", figures),
        ("decks", "Ways and variance for every number of decks", by_decks),
        ("exposure", "Counting exposure", exposure),
        ("scenarios", "The scenarios and their results", scenarios),
    ];
    page.push_str("<nav><h2>Contents</h2><ol>");
    for (id, title, _) in &chapters {
        let _ = write!(page, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    page.push_str("</ol></nav>\n");
    for (number, (id, title, write)) in (1..).zip(chapters) {
        let _ = writeln!(page, "<section class=\"chapter\" id=\"{id}\">\n<h1>{number}. {title}</h1>");
        write(&mut page, dossier);
        page.push_str("</section>\n");
    }
    let _ = write!(
        page,
        "<footer>Made by <code>croupier dossier {}</code>, version {}. Every figure is counted or measured by the program \
         whose hash stands on the first page; nothing was written by hand.</footer>\n</body>\n</html>\n",
        escape(&game.id),
        env!("CARGO_PKG_VERSION")
    );
    page
}

fn front(page: &mut String, dossier: &Dossier<'_>) {
    let Dossier { rulebook, game, .. } = dossier;
    let variant = game.variant.as_ref().map(|variant| format!(", {}", variant.names.en)).unwrap_or_default();
    let _ = write!(
        page,
        "<div class=\"title\">\n<h1>{}{}</h1>\n<h2>Technical dossier</h2>\n<table class=\"words identity\"><tbody>\n",
        escape(&rulebook.names.en),
        escape(&variant)
    );
    let coverage = dossier.evidence.coverage(rulebook);
    let of = |proved: usize, all: usize| format!("{proved} of {all}");
    let rows = [
        ("Game", game.id.clone()),
        ("House", rulebook.operator.clone()),
        ("Rulebook version", rulebook.version.clone()),
        ("In force since", rulebook.effective.clone().unwrap_or_else(|| "not stated".to_string())),
        ("Rulebook, SHA-256", dossier.rulebook_hash.clone()),
        ("Engine", format!("croupier {}", env!("CARGO_PKG_VERSION"))),
        ("Binary, SHA-256", dossier.binary_hash.clone().unwrap_or_else(|| "not readable".to_string())),
        ("Clauses", coverage.clauses.to_string()),
        ("Executable clauses and table lines proved", of(coverage.proved, coverage.executable)),
        ("Readings proved", of(coverage.readings - coverage.missing_readings.len(), coverage.readings)),
        ("Scenarios run", dossier.evidence.scenarios.to_string()),
        ("Scenarios that failed", dossier.evidence.failures.len().to_string()),
    ];
    for (name, value) in rows {
        let _ = writeln!(page, "<tr><td>{name}</td><td><code>{}</code></td></tr>", escape(&value));
    }
    page.push_str("</tbody></table>\n</div>\n");
}

/// The items of a part, those of other variants left out.
fn of_part<'i>(all: &'i [Item], dossier: &Dossier<'_>, part: Part) -> Vec<&'i Item> {
    let own = dossier.game.variant.as_ref().map(|variant| variant.id.clone());
    let fits = |item: &&Item| item.part == part && (item.variant.is_none() || item.variant == own);
    all.iter().filter(fits).collect()
}

/// Each item with everything that is said of it.
fn listed(page: &mut String, heading: &str, items: &[&Item]) {
    let items: Vec<&&Item> = items.iter().filter(|item| !item.aspects.is_empty()).collect();
    if items.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{heading}</h2>");
    for item in items {
        let aspect = |name: &str| {
            item.aspects.iter().find(|aspect| aspect.name == name).map(|aspect| aspect.text.as_str())
        };
        let title = aspect("name").unwrap_or(item.id.as_str());
        page.push_str("<div class=\"item\">");
        if !title.is_empty() {
            let _ = write!(page, "<h4>{} <code>{}</code></h4>", escape(title), escape(&item.id));
        }
        page.push_str("<table class=\"words wide\"><tbody>\n");
        for aspect in item.aspects.iter().filter(|aspect| !aspect.name.starts_with("name")) {
            let _ =
                writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(&aspect.name), escape(&aspect.text));
        }
        page.push_str("</tbody></table></div>\n");
    }
}

/// Items of which one thing is said, as one table.
fn table(page: &mut String, heading: &str, items: &[&Item]) {
    let items: Vec<&&Item> = items.iter().filter(|item| !item.aspects.is_empty()).collect();
    if items.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{heading}</h2>\n<table class=\"words\"><tbody>");
    for item in items {
        let said: Vec<String> = item
            .aspects
            .iter()
            .map(|aspect| {
                format!("<span class=\"quiet\">{}:</span> {}", escape(&aspect.name), escape(&aspect.text))
            })
            .collect();
        let _ =
            writeln!(page, "<tr><td><code>{}</code></td><td>{}</td></tr>", escape(&item.id), said.join("; "));
    }
    page.push_str("</tbody></table>\n");
}

fn rules(page: &mut String, dossier: &Dossier<'_>) {
    let all = items(dossier.rulebook);
    listed(page, "The rulebook", &of_part(&all, dossier, Part::Rulebook));
    table(page, "Variants", &of_part(&all, dossier, Part::Variant));
    listed(page, "Bets", &of_part(&all, dossier, Part::Bet));
    table(page, "Hands", &of_part(&all, dossier, Part::Hand));
    listed(page, "Insurance", &of_part(&all, dossier, Part::Insurance));
    listed(page, "Wagers outside the limits", &of_part(&all, dossier, Part::Limits));
    table(page, "Layouts", &of_part(&all, dossier, Part::Layout));
    table(page, "Areas", &of_part(&all, dossier, Part::Area));
    table(page, "Rules of the engine, and what each rests on", &of_part(&all, dossier, Part::Rule));
}

/// What proves a clause, as names of scenarios.
fn proved(dossier: &Dossier<'_>, id: &str, executable: bool) -> String {
    let by = dossier.evidence.of(&dossier.rulebook.id, id);
    let own = format!("scenarios/{}/", dossier.rulebook.id);
    match by {
        [] if executable => "<span class=\"unproved\">not proved</span>".to_string(),
        [] => "<span class=\"quiet\">nothing to execute</span>".to_string(),
        [first] => format!("<span class=\"proved\">{}</span>", escape(first.trim_start_matches(&own))),
        [first, rest @ ..] => {
            let first = escape(first.trim_start_matches(&own));
            format!("<span class=\"proved\">{first}</span> and {} more", rest.len())
        }
    }
}

fn clauses(page: &mut String, dossier: &Dossier<'_>) {
    let index = &dossier.rulebook.index;
    page.push_str("<table class=\"words small clauses\"><thead><tr><th>clause</th><th>kind</th><th>rules</th><th>proved by</th></tr></thead><tbody>\n");
    for clause in index.clauses() {
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&clause.id),
            clause.kind,
            escape(&clause.says),
            proved(dossier, &clause.id, clause.is_executable())
        );
    }
    page.push_str("</tbody></table>\n<h2>Readings of unclear places</h2>\n");
    for reading in index.readings() {
        let clauses: Vec<&str> = reading.clauses.iter().map(|basis| index.id(*basis)).collect();
        let _ = writeln!(
            page,
            "<div class=\"item\"><h4><code>{}</code> on {}</h4><p>{}</p><p><strong>{}</strong> {}</p><p class=\"small\">{}</p></div>",
            escape(&reading.id),
            escape(&clauses.join(", ")),
            escape(&reading.question),
            escape(&reading.reading),
            escape(&reading.why),
            proved(dossier, &reading.id, true)
        );
    }
}

fn staff(page: &mut String, dossier: &Dossier<'_>) {
    let all = items(dossier.rulebook);
    table(page, "Ranks", &of_part(&all, dossier, Part::Rank));
    table(page, "Powers", &of_part(&all, dossier, Part::Power));
    table(page, "What the operator sets", &of_part(&all, dossier, Part::Setting));
}

fn irregularities(page: &mut String, dossier: &Dossier<'_>) {
    let rulebook = dossier.rulebook;
    let all = items(rulebook);
    page.push_str("<p>What is not listed is ruled like <code>other</code>. The first ruling stands if nobody orders another.</p>\n");
    for item in of_part(&all, dossier, Part::Irregularity) {
        let says = item.id.parse::<croupier_rules::Irregularity>().map_or("", |known| known.says());
        let _ = write!(
            page,
            "<div class=\"item\"><h4>{} <code>{}</code></h4><table class=\"words wide\"><tbody>",
            escape(says),
            escape(&item.id)
        );
        for aspect in &item.aspects {
            let _ =
                writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(&aspect.name), escape(&aspect.text));
        }
        page.push_str("</tbody></table></div>\n");
    }
}

fn figures(page: &mut String, dossier: &Dossier<'_>) {
    page.push_str(&body(&dossier.odds, &dossier.by_decks));
}

fn by_decks(page: &mut String, dossier: &Dossier<'_>) {
    page.push_str("<p>Ways are ordered sequences of six cards, in Niu Niu deals of a box and the Dealer. The variance is that of the result of one unit in one round.</p>\n");
    for sheet in &dossier.by_decks {
        let decks = sheet.stock.decks.map(|decks| decks.number().to_string()).unwrap_or_default();
        let _ = writeln!(
            page,
            "<h2>{decks} {}: {} in all</h2>\n<table class=\"ways\"><thead><tr><th>bet</th><th class=\"word\">when</th><th>pays</th><th>ways</th><th>edge</th><th>variance</th></tr></thead>",
            if decks == "1" { "deck" } else { "decks" },
            grouped(sheet.total)
        );
        for note in &sheet.notes {
            let _ = writeln!(page, "<caption class=\"small\">{}</caption>", escape(note));
        }
        for bet in &sheet.bets {
            page.push_str("<tbody>");
            for (at, line) in bet.par.lines.iter().enumerate() {
                let first = at == 0;
                let cell = |text: String| if first { text } else { String::new() };
                let _ = writeln!(
                    page,
                    "<tr><td>{}</td><td class=\"word\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    cell(escape(&bet.name)),
                    escape(&line.when.to_string()),
                    escape(&pays(&line.net)),
                    grouped(line.ways),
                    cell(percent(&bet.par.edge, 4)),
                    cell(decimal(&bet.par.variance).chars().take(9).collect())
                );
            }
            page.push_str("</tbody>\n");
        }
        page.push_str("</table>\n");
    }
}

fn exposure(page: &mut String, dossier: &Dossier<'_>) {
    let Some(exposure) = &dossier.exposure else {
        page.push_str("<p>Each round is dealt from a full deck: no card that was seen tells anything of the next round, and nothing can be counted.</p>\n");
        return;
    };
    let _ = write!(
        page,
        "<p>{} shoes of {} decks dealt to {} cards behind the cut card, {} rounds, seed {}. A perfect observer lays one unit on every bet that favours the player for the cards left. Edges are the player's.</p>\n<table><thead><tr><th>bet</th><th>fresh shoe</th><th>rounds with an edge</th><th>mean edge then</th><th>largest</th><th>units in 100 rounds</th><th>units a shoe</th><th>standard error</th></tr></thead><tbody>\n",
        grouped(exposure.shoes),
        exposure.decks,
        exposure.cut_card,
        grouped(exposure.rounds),
        exposure.seed
    );
    for bet in &exposure.bets {
        let name = dossier.game.bet(&bet.bet).map_or(bet.bet.as_str(), |bet| bet.names.en.as_str());
        let percent = |value: f64| format!("{:.4}%", value * 100.0);
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.5}</td><td>{:.5}</td><td>{:.5}</td></tr>",
            escape(name),
            percent(bet.fresh_edge),
            percent(bet.fraction),
            percent(bet.average_edge),
            percent(bet.max_edge),
            bet.per_100_rounds,
            bet.per_shoe,
            bet.per_shoe_error
        );
    }
    page.push_str("</tbody></table>\n");
}

fn scenarios(page: &mut String, dossier: &Dossier<'_>) {
    let folder = format!("{}/", dossier.rulebook.id);
    let own = STANDARD.iter().filter(|scenario| scenario.path.starts_with(&folder));
    page.push_str("<table class=\"words small runs\"><thead><tr><th>scenario</th><th>shows</th><th>proves</th><th>result</th></tr></thead><tbody>\n");
    let mut any = false;
    for scenario in own {
        any = true;
        let Ok(file) = scenario.file() else { continue };
        let title = file.statements.iter().find_map(|statement| match &statement.action {
            Some(croupier_rounds::Action::Title(title)) => Some(title.clone()),
            _ => None,
        });
        let proves: Vec<&str> = file.proves().collect();
        let name = format!("scenarios/{}", scenario.path);
        let failed = dossier.evidence.failures.iter().find(|(failed, _)| *failed == name);
        let result = failed.map_or_else(
            || "<span class=\"proved\">passed</span>".to_string(),
            |(_, why)| format!("<span class=\"unproved\">failed: {}</span>", escape(why)),
        );
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{result}</td></tr>",
            escape(scenario.path.trim_start_matches(&folder).trim_end_matches(".round")),
            escape(&title.unwrap_or_default()),
            escape(&proves.join(", "))
        );
    }
    page.push_str("</tbody></table>\n");
    if !any {
        page.push_str("<p>No scenario of this rulebook comes with this program.</p>\n");
    }
}
