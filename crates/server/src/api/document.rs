//! The document of the interface, put right where the derive leaves something out: what a validator of OpenAPI 3.1
//! asks for, what generators of clients need, and what is the same for all routes.

mod examples;
mod variants;

use croupier_table::openapi::exact::numbers_and_pairs;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{
    Components, KnownFormat, ObjectBuilder, OneOfBuilder, Ref, Schema, SchemaFormat, Type,
};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, RefOr};

use super::version;
use crate::people;

/// A document with the exact schemas of the engine's types and all that routes do not say themselves. The name of
/// the session's cookie depends on whether the server is reached over TLS.
pub(super) fn finished(mut document: OpenApi, secure: bool) -> OpenApi {
    document.info.version = version::CURRENT.to_string();
    let mut components = document.components.take().unwrap_or_default();
    components.schemas.extend(croupier_table::openapi::schemas());
    open_to_newcomers(&mut components);
    bets_by_id(&mut components);
    components.schemas.values_mut().for_each(numbers_and_pairs);
    variants::named(&mut components.schemas);
    headers(&mut components);
    sign_in(&mut components, secure);
    document.components = Some(components);
    for (path, item) in &mut document.paths.paths {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in operations.into_iter().flatten() {
            finish(operation, path.starts_with("/api/"));
        }
    }
    document
}

fn open_to_newcomers(components: &mut Components) {
    if let Some(RefOr::T(Schema::Object(view))) = components.schemas.get_mut("PlayerView") {
        let says = "What a player sees. Who is not at the table yet has nothing of their own there, and sees what \
                    everybody sees.";
        view.description = Some(says.to_string());
        view.required.retain(|name| name == "felt");
    }
}

/// The schema of a bet in a command.
const BET: &str = "BetName";

/// Commands name a bet by its place on the menu or by its id; the journal has the place.
fn bets_by_id(components: &mut Components) {
    let place = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::UInt64)))
        .title(Some("BetPlace"))
        .description(Some("The place of the bet on the menu, from 0."));
    let id = ObjectBuilder::new()
        .schema_type(Type::String)
        .title(Some("BetId"))
        .description(Some("The id of the bet in the rulebook."))
        .examples(["banker"]);
    let bet = OneOfBuilder::new().item(place).item(id).description(Some("A bet of the table's menu."));
    for name in ["Action", "Place", "Report"] {
        if let Some(schema) = components.schemas.get_mut(name) {
            name_bets(schema);
        }
    }
    components.schemas.insert(BET.to_string(), Schema::from(bet.build()).into());
}

fn name_bets(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            for (name, property) in &mut object.properties {
                match name.as_str() {
                    "bet" => *property = Ref::from_schema_name(BET).into(),
                    _ => name_bets(property),
                }
            }
        }
        Schema::OneOf(one_of) => one_of.items.iter_mut().for_each(name_bets),
        _ => {}
    }
}

const API_VERSION: &str = "API-Version";
const RATE_LIMIT: &str = "RateLimit";
const RATE_LIMIT_POLICY: &str = "RateLimit-Policy";
const RETRY_AFTER: &str = "Retry-After";

/// What answers carry beside their body.
fn headers(components: &mut Components) {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    for (name, schema, says) in [
        (API_VERSION, text().examples([version::CURRENT]), "The version of this interface."),
        (
            RATE_LIMIT,
            text().examples(["\"requests\";r=999;t=1"]),
            "How many requests are left (`r`), and in how many seconds all of them are there again (`t`). Absent where \
             there is no limit.",
        ),
        (
            RATE_LIMIT_POLICY,
            text().examples(["\"requests\";q=1000;w=5"]),
            "How many requests there are at once (`q`), and the seconds in which as many come again (`w`).",
        ),
        (RETRY_AFTER, seconds, "After how many seconds it may be tried again."),
    ] {
        let schema = Schema::from(schema.build());
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(says)).build();
        components.headers.insert(name.to_string(), header.into());
    }
}

/// How to sign in.
fn sign_in(components: &mut Components, secure: bool) {
    let says = "The cookie that signing in sets. On loopback without TLS its name is `croupier_session`.";
    let cookie = ApiKeyValue::with_description(people::cookie_name(secure), says);
    components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let says = "An API token, `crp_…`, as `POST /api/tokens` makes it.";
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(says)).build();
    components.add_security_scheme("token", SecurityScheme::Http(token));
}

fn finish(operation: &mut Operation, is_limited: bool) {
    named_by_tag(operation);
    examples::put_into(operation);
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && let Some(schema) = &mut parameter.schema
        {
            numbers_and_pairs(schema);
        }
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response {
            as_problem(status, response);
            described(status, response);
            if is_limited {
                with_headers(status, response);
            }
        }
    }
}

/// Handlers are named within their module; in the document a name stands for one operation, so the tag comes first.
fn named_by_tag(operation: &mut Operation) {
    if let (Some([tag, ..]), Some(id)) = (operation.tags.as_deref(), &mut operation.operation_id) {
        *id = format!("{tag}-{}", id.replace('_', "-"));
    }
}

/// What is refused is not plain JSON but a problem document.
fn as_problem(status: &str, response: &mut Response) {
    if (status.starts_with('4') || status.starts_with('5'))
        && let Some(body) = response.content.swap_remove("application/json")
    {
        response.content.insert("application/problem+json".to_string(), body);
    }
}

/// An answer must be described, and most need no words of their own.
fn described(status: &str, response: &mut Response) {
    if response.description.is_empty() {
        response.description = match status {
            "101" => "The WebSocket is open",
            "201" => "Made",
            "204" => "Done",
            "400" => "The request is not understood",
            "401" => "Nobody is signed in, or the credentials are not known",
            "403" => "Not for whoever asks",
            "404" => "There is no such thing",
            "409" => "It does not go with what was done before",
            "413" => "The body is too long",
            "415" => "The body is of another kind",
            "422" => "Understood, and refused",
            "429" => "Too many requests",
            "503" => "Not now: it may be tried again",
            _ => "As asked",
        }
        .to_string();
    }
}

fn with_headers(status: &str, response: &mut Response) {
    let retry = ["429", "503"].contains(&status).then_some(RETRY_AFTER);
    for name in [API_VERSION, RATE_LIMIT, RATE_LIMIT_POLICY].into_iter().chain(retry) {
        let header = RefOr::Ref(Ref::new(format!("#/components/headers/{name}")));
        response.headers.insert(name.to_string(), header);
    }
}
