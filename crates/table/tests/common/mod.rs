//! The rulebooks that come with Croupier, and the examples beside them.

use croupier_rules::Library;

/// All of them.
pub(crate) fn library() -> Library {
    let mut library = Library::standard();
    for text in [
        include_str!("../../../../rulebooks/examples/jade-ez-baccarat.toml"),
        include_str!("../../../../rulebooks/examples/jade-punto-banco.toml"),
    ] {
        assert_eq!(library.add(text).err(), None);
    }
    library
}
