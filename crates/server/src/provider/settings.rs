//! What an operator sets about an identity provider: the section `[oidc]`.

use std::path::PathBuf;

use croupier_journal::Shelf;
use serde::Deserialize;

use crate::fetch;
use crate::people::{Grant, SecondFactor};

/// An OpenID Connect provider by which staff may sign in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    /// The provider, exactly as it names itself.
    pub issuer: String,
    /// The name that the provider knows this server by.
    pub client_id: String,
    /// A file with the secret that the provider gave this server; none if it gave none.
    #[serde(default)]
    pub secret_file: Option<PathBuf>,
    /// What the button of the sign-in screen calls the provider; its host if not said.
    #[serde(default)]
    pub name: Option<String>,
    /// The claim that says who somebody is.
    #[serde(default = "subject")]
    pub claim: String,
    /// What is asked for beside `openid`, where the claim needs it.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// Grants and ranks that somebody may have who signs in by it; all of the staff's if not said.
    #[serde(default = "staff")]
    pub grants: Vec<String>,
    /// Methods (`amr`) that count as a second factor; none if not said.
    #[serde(default)]
    pub factor_methods: Vec<String>,
    /// Classes (`acr`) that count as a second factor; none if not said.
    #[serde(default)]
    pub factor_classes: Vec<String>,
    /// The authorities that sign the provider's certificate, in PEM; those of the machine if not said.
    #[serde(default)]
    pub authorities: Option<PathBuf>,
}

fn subject() -> String {
    "sub".to_string()
}

fn staff() -> Vec<String> {
    ["admin", "auditor", "cashier", "floor-manager", "staff", "surveillance"].map(str::to_string).to_vec()
}

impl Oidc {
    /// What is wrong with the settings themselves.
    pub(super) fn fault(&self) -> Option<String> {
        if let Err(error) = fetch::check(&self.issuer) {
            return Some(format!("issuer: {error}"));
        }
        if self.issuer.contains(['?', '#']) {
            return Some("issuer: it has neither a query nor a fragment".to_string());
        }
        let plain = |text: &str| !text.is_empty() && text.len() <= 255 && !text.contains(char::is_control);
        let named = [("client_id", &self.client_id), ("claim", &self.claim)];
        if let Some((name, _)) = named.into_iter().find(|(_, text)| !plain(text)) {
            return Some(format!("{name}: write 1 to 255 characters"));
        }
        let odd = self.scopes.iter().find(|scope| !plain(scope) || scope.contains(' '));
        odd.map(|scope| format!("scopes: `{scope}` is not a scope"))
    }

    /// A name that is neither a grant nor a rank of any rulebook.
    pub(super) fn grants_fault(&self, shelf: &Shelf) -> Option<String> {
        if self.grants.iter().any(|name| name == "player") {
            return Some("grants: the provider is for staff; leave `player` out".to_string());
        }
        SecondFactor(self.grants.clone()).fault(shelf).map(|fault| format!("grants: {fault}"))
    }

    /// Whether somebody who may be all of this signs in by the provider: somebody of the staff, and nothing that the
    /// operator has left out.
    pub(crate) fn is_for(&self, grants: &[Grant]) -> bool {
        let listed = |name: &str| self.grants.iter().any(|one| one == name);
        let fits = |grant: &&Grant| match grant {
            Grant::Staff { rank, acting, .. } => {
                listed(grant.key()) || listed(rank) && acting.as_ref().is_none_or(|acting| listed(acting))
            }
            _ => listed(grant.key()),
        };
        let mut work = grants.iter().filter(|grant| **grant != Grant::Player).peekable();
        work.peek().is_some() && work.all(|grant| fits(&grant))
    }

    /// What the button says.
    #[must_use]
    pub fn shown_name(&self) -> String {
        let host = || {
            let rest = self.issuer.split_once("://").map_or(self.issuer.as_str(), |(_, rest)| rest);
            rest.split('/').next().unwrap_or_default().to_string()
        };
        self.name.clone().unwrap_or_else(host)
    }

    /// The policy in a line of text, in one spelling.
    #[must_use]
    pub fn told(&self) -> String {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names.join(", ")
        };
        let Self { issuer, claim, .. } = self;
        let factor = [sorted(&self.factor_methods), sorted(&self.factor_classes)];
        let factor = factor.into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ");
        let factor = if factor.is_empty() { "nothing".to_string() } else { factor };
        format!("{issuer} by {claim} for {}; second factor by {factor}", sorted(&self.grants))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(more: &str) -> Oidc {
        toml::from_str(&format!("issuer = \"https://login.example/floor\"\nclient_id = \"c\"\n{more}"))
            .unwrap()
    }

    fn rank(rank: &str, acting: Option<&str>) -> Grant {
        let acting = acting.map(str::to_string);
        Grant::Staff { rank: rank.to_string(), rulebook: None, pit: None, acting }
    }

    #[test]
    fn nobody_comes_in_with_more_than_the_provider_may_vouch_for() {
        let all = settings("");
        assert!(all.is_for(&[Grant::Admin]) && all.is_for(&[rank("dealer", None), Grant::Player]));
        assert!(!all.is_for(&[Grant::Player]) && !all.is_for(&[]));
        let some = settings("grants = [\"cashier\", \"dealer\"]");
        assert!(some.is_for(&[Grant::Cashier]) && some.is_for(&[rank("dealer", None)]));
        assert!(!some.is_for(&[Grant::Cashier, Grant::Admin]));
        assert!(!some.is_for(&[rank("pit-manager", None)]));
        assert!(!some.is_for(&[rank("dealer", Some("pit-manager"))]));
    }

    #[test]
    fn settings_that_do_not_do_are_told() {
        let shelf = Shelf::standard().unwrap();
        assert_eq!(settings("").fault(), None);
        assert_eq!(settings("").grants_fault(&shelf), None);
        assert_eq!(settings("").shown_name(), "login.example");
        let wrong = Oidc { issuer: "http://login.example".to_string(), ..settings("") };
        assert!(wrong.fault().unwrap().contains("write an https:// address"));
        let fault = settings("grants = [\"boss\"]").grants_fault(&shelf).unwrap();
        assert!(fault.starts_with("grants: `boss` is neither a grant nor a rank"), "{fault}");
        assert!(settings("grants = [\"player\"]").grants_fault(&shelf).unwrap().contains("for staff"));
        assert!(settings("scopes = [\"a b\"]").fault().unwrap().contains("`a b`"));
    }
}
