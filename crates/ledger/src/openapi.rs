//! The schemas of what has a text form of its own in [`serial`](crate::serial). The other types derive theirs.

use alloc::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{Number, PartialSchema, ToSchema};

use crate::account::Account;
use crate::amount::Amount;

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .description(Some("A whole number of minor units, 0 or more."))
            .minimum(Some(Number::Int(0)))
            .maximum(isize::try_from(Self::MAX.minor()).ok().map(Number::Int))
            .into()
    }
}

impl ToSchema for Amount {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("LedgerAmount")
    }
}

impl PartialSchema for Account {
    fn schema() -> RefOr<Schema> {
        // `T`, `P`, `W` and `C` have 32 bits, `R` has 64: a pattern can only count their digits.
        let pattern =
            "^(cage|player:N:wallet|chips:N:N|(bet|reserve):N:N:L:N|table:N:(float|drop|tips)|hold:N)$"
                .replace('N', "(0|[1-9][0-9]{0,9})")
                .replace('L', "(0|[1-9][0-9]{0,19})");
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Where money can be: the kind of account with its ids."))
            .pattern(Some(pattern))
            .examples(["cage", "player:7:wallet", "chips:3:7", "bet:3:7:41:2", "table:3:float", "hold:9"])
            .into()
    }
}

impl ToSchema for Account {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("LedgerAccount")
    }
}
