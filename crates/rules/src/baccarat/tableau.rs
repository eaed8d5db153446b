//! The drawing rules, once for all baccarat rulebooks: who takes a third card, and by which line.

use crate::rule::Rule;

/// What a line of the drawing table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// Takes a third card.
    Draws,
    /// Keeps two cards.
    Stands,
}

impl Play {
    const fn draws_if(condition: bool) -> Self {
        if condition { Self::Draws } else { Self::Stands }
    }
}

/// The Player's play on two-card counts, or nothing if there is a natural and nobody plays.
///
/// ```
/// use croupier_rules::{Rule, baccarat::tableau::{Play, player}};
/// assert_eq!(player(5, 6), Some((Rule::PlayerDraws, Play::Draws)));
/// assert_eq!(player(5, 8), None);
/// ```
#[must_use]
pub const fn player(player_points: u8, banker_points: u8) -> Option<(Rule, Play)> {
    if player_points >= 8 || banker_points >= 8 {
        return None;
    }
    Some(match player_points {
        0..=5 => (Rule::PlayerDraws, Play::Draws),
        _ => (Rule::PlayerStands, Play::Stands),
    })
}

/// The Banker's play when there is no natural: `third` is the value of the Player's third card, nothing if
/// the Player stood.
#[must_use]
pub const fn banker(banker_points: u8, third: Option<u8>) -> (Rule, Play) {
    let Some(third) = third else {
        return (Rule::BankerAfterStand, Play::draws_if(banker_points <= 5));
    };
    match banker_points {
        0..=2 => (Rule::BankerLow, Play::Draws),
        3 => (Rule::BankerThree, Play::draws_if(third != 8)),
        4 => (Rule::BankerFour, Play::draws_if(third >= 2 && third <= 7)),
        5 => (Rule::BankerFive, Play::draws_if(third >= 4 && third <= 7)),
        6 => (Rule::BankerSix, Play::draws_if(third == 6 || third == 7)),
        _ => (Rule::BankerSeven, Play::Stands),
    }
}
