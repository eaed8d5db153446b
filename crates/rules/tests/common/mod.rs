//! What the property tests share.

use proptest::prelude::ProptestConfig;

/// So many cases, or fifty times as many in a long run (`cargo xtask test --long`).
pub(crate) fn cases(number: u32) -> ProptestConfig {
    let times = if std::env::var_os("CROUPIER_LONG").is_some() { 50 } else { 1 };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(number * times) }
}
