//! The rulebooks that come with Croupier load without a fault and hold what their sources hold.

use croupier_rules::rulebook::Layout;
use croupier_rules::{ClauseKind, Family, Library, Rulebook};

/// Clauses by primary kind (engine, authority, player-option, operator-config, record, physical,
/// definition), then table lines and readings, as counted in the sources.
const COUNTS: [(&str, [usize; 7], usize, usize); 5] = [
    ("hoiana-baccarat", [73, 12, 9, 19, 17, 11, 24], 27, 60),
    ("hoiana-dragon-tiger", [69, 9, 12, 18, 15, 11, 26], 25, 48),
    ("mbs-dragon-tiger", [62, 13, 9, 24, 3, 0, 18], 20, 33),
    ("horseshoe-dragon-bonus", [36, 0, 2, 0, 3, 0, 4], 0, 13),
    ("hoiana-niu-niu", [85, 5, 2, 4, 14, 12, 12], 13, 28),
];

#[test]
fn every_clause_of_every_source_is_indexed() {
    let library = Library::standard();
    let mut all = (0, 0);
    for (rulebook, (id, kinds, lines, readings)) in library.rulebooks().iter().zip(COUNTS) {
        assert_eq!(rulebook.id, id);
        let clauses = rulebook.index.clauses();
        let count = |kind: ClauseKind| {
            clauses.iter().filter(|clause| clause.kind == kind && !clause.is_table_line()).count()
        };
        assert_eq!(ClauseKind::ALL.map(count), kinds, "{id}");
        assert_eq!(clauses.iter().filter(|clause| clause.is_table_line()).count(), lines, "{id}");
        assert_eq!(rulebook.index.readings().len(), readings, "{id}");
        all = (all.0 + kinds.iter().sum::<usize>(), all.1 + lines);
    }
    assert_eq!(all, (633, 85));
}

#[test]
fn the_seven_games_and_their_menus() {
    let library = Library::standard();
    let menus: Vec<(&str, Vec<&str>)> = library
        .games()
        .map(|game| (game.id.as_str(), game.bets.iter().map(|bet| bet.id.as_str()).collect()))
        .collect();
    let baccarat = vec!["banker", "player", "tie", "banker-pair", "player-pair", "lucky-6"];
    let dragon_tiger = vec![
        "banker",
        "player",
        "tie",
        "banker-pair",
        "player-pair",
        "small-dragon",
        "big-dragon",
        "small-tiger",
        "big-tiger",
        "dragon-tiger",
    ];
    let mbs = vec![
        "player",
        "banker",
        "tie",
        "dragon-tiger",
        "big-dragon",
        "small-dragon",
        "big-tiger",
        "small-tiger",
    ];
    assert_eq!(
        menus,
        [
            ("hoiana-baccarat/commission", baccarat.clone()),
            ("hoiana-baccarat/non-commission", baccarat),
            ("hoiana-dragon-tiger/commission", dragon_tiger.clone()),
            ("hoiana-dragon-tiger/non-commission", dragon_tiger),
            ("mbs-dragon-tiger", mbs),
            (
                "horseshoe-dragon-bonus",
                vec!["banker", "player", "tie", "dragon-bonus-player", "dragon-bonus-banker"]
            ),
            ("hoiana-niu-niu", vec!["even", "double", "super-niu"]),
        ]
    );
}

#[test]
fn layouts_of_the_appendices() {
    let library = Library::standard();
    let layouts = |id: &str| -> Vec<Layout> {
        let rulebook: &Rulebook = library.rulebooks().iter().find(|rulebook| rulebook.id == id).unwrap();
        rulebook.layouts.clone()
    };
    let row = |layout: &Layout| (layout.id.clone(), layout.variant.clone(), layout.seats, layout.insurance);
    let baccarat = layouts("hoiana-baccarat");
    assert_eq!(baccarat.len(), 8);
    assert_eq!(row(&baccarat[3]), ("A.4".into(), Some("non-commission".into()), (5, 5), true));
    assert_eq!(row(&baccarat[4]), ("A.5".into(), Some("commission".into()), (7, 7), false));
    assert_eq!(layouts("hoiana-dragon-tiger").len(), 4);
    let mbs = layouts("mbs-dragon-tiger");
    assert_eq!(mbs.len(), 11);
    assert_eq!(mbs.iter().filter(|layout| layout.seats == (1, 8)).count(), 9);
    assert_eq!((mbs[3].seats, mbs[4].seats), ((1, 9), (8, 16)));
}

#[test]
fn families() {
    let library = Library::standard();
    let niu_niu: Vec<&str> = library
        .rulebooks()
        .iter()
        .filter(|rulebook| rulebook.family == Family::NiuNiu)
        .map(|rulebook| rulebook.id.as_str())
        .collect();
    assert_eq!(niu_niu, ["hoiana-niu-niu"]);
}
