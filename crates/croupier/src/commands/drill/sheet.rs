//! Drills on paper: a page for each, and the answers behind them. One file, without scripts or anything to be fetched.

use core::fmt::Write as _;

use croupier_drill::words::Phrase;
use croupier_drill::{Form, Language, Situation};
use croupier_lab::report::escape;

const STYLE: &str = "
@page { size: A4; margin: 16mm }
body { font: 10.5pt/1.4 'Noto Sans', 'Noto Sans CJK SC', 'DejaVu Sans', sans-serif; color: #111; max-width: 178mm; margin: 0 auto }
h1 { font-size: 14pt; margin: 0 0 2mm } h2 { font-size: 11pt; margin: 4mm 0 1mm }
section { break-after: page } section:last-child { break-after: auto }
.head { display: flex; gap: 10mm; border-bottom: .4pt solid #888; padding-bottom: 2mm; margin-bottom: 3mm }
.head span { flex: 1; border-bottom: .4pt dotted #555 }
pre { font: 9.5pt/1.35 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace; background: #f4f4f0; border: .4pt solid #bbb; padding: 2.5mm; white-space: pre-wrap; margin: 0 }
ol, ul { margin: 0; padding-left: 6mm } .options { list-style: none; padding-left: 2mm; columns: 2 }
.options li::before { content: '☐ '; } .amounts { list-style: none; padding-left: 2mm }
.amounts li { display: flex; gap: 4mm } .amounts span { flex: 1; border-bottom: .4pt dotted #555 }
.part { break-inside: avoid } .key td, .key th { text-align: left; vertical-align: top; padding: 1mm 3mm 1mm 0; border-bottom: .3pt solid #ccc }
";

/// The page.
pub(super) fn page(drills: &[Situation], language: Language, key: bool) -> String {
    let say = |phrase| language.say(phrase);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        language.key(),
        say(Phrase::Drill)
    );
    for (number, drill) in (1..).zip(drills) {
        one(&mut page, drill, number, drills.len(), language);
    }
    if key {
        answers(&mut page, drills, language);
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn one(page: &mut String, drill: &Situation, number: usize, of: usize, language: Language) {
    let say = |phrase| language.say(phrase);
    let _ = write!(
        page,
        "<section>\n<h1>{} {number} {} {of}</h1>\n<div class=\"head\">{}: <span></span>{}: <span></span></div>\n<pre>{}</pre>\n",
        say(Phrase::Drill),
        say(Phrase::Of),
        say(Phrase::Name),
        say(Phrase::Date),
        escape(drill.text(language).trim_end())
    );
    for (at, part) in drill.parts.iter().enumerate() {
        page.push_str("<div class=\"part\">\n");
        let before = drill.before(language, at);
        if !before.is_empty() {
            let _ = writeln!(page, "<pre style=\"margin-top:3mm\">{}</pre>", escape(&before.join("\n")));
        }
        let _ = writeln!(page, "<h2>{}. {}</h2>", at + 1, escape(&language.question(part.kind)));
        match &part.form {
            Form::One { options, .. } | Form::All { options, .. } => {
                page.push_str("<ul class=\"options\">");
                for option in options {
                    let _ = write!(page, "<li>{}</li>", escape(&language.choice(drill, *option)));
                }
                page.push_str("</ul>\n");
            }
            Form::Amounts { of, .. } => {
                page.push_str("<ul class=\"amounts\">");
                for at in of {
                    let wager =
                        drill.wagers.get(*at).map(|wager| drill.wager(language, wager)).unwrap_or_default();
                    let _ = write!(page, "<li>{} <span></span></li>", escape(&wager));
                }
                page.push_str("</ul>\n");
            }
        }
        page.push_str("</div>\n");
    }
    page.push_str("</section>\n");
}

fn answers(page: &mut String, drills: &[Situation], language: Language) {
    let _ = write!(page, "<section>\n<h1>{}</h1>\n<table class=\"key\">\n", language.say(Phrase::Key));
    for (number, drill) in (1..).zip(drills) {
        let topic = escape(language.topic(drill.topic));
        let _ = writeln!(page, "<tr><th>{number}</th><th colspan=\"2\">{topic}</th></tr>");
        for (at, part) in (1..).zip(&drill.parts) {
            let right = escape(&drill.right(language, part));
            let _ = writeln!(page, "<tr><td></td><td>{at}.</td><td>{right}</td></tr>");
        }
    }
    page.push_str("</table>\n</section>\n");
}
