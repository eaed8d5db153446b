//! The rulebooks that come with Croupier, the examples beside them, and two that no house plays.

use croupier_rules::Library;

/// All of them.
pub(crate) fn library() -> Library {
    let mut library = Library::standard();
    for text in [
        include_str!("../../../../rulebooks/examples/jade-ez-baccarat.toml"),
        include_str!("../../../../rulebooks/examples/jade-punto-banco.toml"),
        include_str!("../../../rules/tests/data/synthetic/onyx-baccarat.toml"),
        include_str!("../../../rules/tests/data/synthetic/onyx-niu-niu.toml"),
    ] {
        assert_eq!(library.add(text).err(), None);
    }
    library
}
