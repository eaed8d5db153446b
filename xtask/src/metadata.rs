//! The little of `cargo metadata` that the other modules need.

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::invocation::Invocation;

/// A package of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Names of all it depends on, in tests and build scripts too.
    pub(crate) dependencies: Vec<String>,
    /// Names of its benchmark targets.
    pub(crate) benches: Vec<String>,
}

/// The packages of our workspace, without those from outside.
pub(crate) fn packages() -> Result<Vec<Package>> {
    parse(&Invocation::new("cargo metadata --format-version 1 --no-deps").read()?)
}

/// Reads what `cargo metadata --no-deps` prints.
pub(crate) fn parse(json: &str) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(json).context("cargo metadata is not JSON")?;
    list(&metadata, "packages")?.iter().map(package).collect()
}

fn package(json: &Value) -> Result<Package> {
    let dependencies = list(json, "dependencies")?.iter().map(name).collect::<Result<_>>()?;
    let is_bench =
        |target: &&Value| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"bench".into()));
    let benches = list(json, "targets")?.iter().filter(is_bench).map(name).collect::<Result<_>>()?;
    Ok(Package { name: name(json)?, dependencies, benches })
}

fn name(json: &Value) -> Result<String> {
    Ok(json["name"].as_str().context("cargo metadata lists something without a name")?.to_owned())
}

fn list<'a>(json: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    json[key].as_array().with_context(|| format!("cargo metadata has no list `{key}`"))
}
