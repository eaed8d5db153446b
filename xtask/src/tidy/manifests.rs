//! Every crate of ours is under the workspace's lints.

use super::Finding;

/// Looks at `crates/*/Cargo.toml` and at our own.
pub(super) fn check(path: &str, text: &str) -> Option<Finding> {
    let is_ours =
        path == "xtask/Cargo.toml" || (path.starts_with("crates/") && path.ends_with("/Cargo.toml"));
    (is_ours && !inherits_lints(text)).then(|| Finding {
        path: path.to_owned(),
        line: None,
        message: "is not under the workspace's lints; add `[lints]` with `workspace = true`".into(),
    })
}

fn inherits_lints(manifest: &str) -> bool {
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let setting: String = line.split_whitespace().collect();
        if (section == "[lints]" && setting == "workspace=true")
            || (section.is_empty() && setting == "lints.workspace=true")
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inherited_lints_pass() {
        for manifest in ["[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n", "lints.workspace = true\n"]
        {
            assert_eq!(check("crates/x/Cargo.toml", manifest), None);
        }
    }

    #[test]
    fn missing_or_refused_lints_are_found() {
        let elsewhere = "[package]\nname = \"x\"\n[dependencies.a]\nworkspace = true\n";
        let refused = "[lints]\nworkspace = false\n";
        for manifest in [elsewhere, refused] {
            assert!(check("crates/x/Cargo.toml", manifest).is_some(), "{manifest}");
            assert!(check("xtask/Cargo.toml", manifest).is_some(), "{manifest}");
            assert_eq!(check("fuzz/Cargo.toml", manifest), None);
        }
    }
}
