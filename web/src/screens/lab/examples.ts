// Bet sheets to start from.
import { design } from "../../i18n/lab";
import type { Words } from "../../i18n/text.svelte";

interface Example {
  id: string;
  name: Words;
  text: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    id: "tie",
    name: design.tie,
    text: `game = "hoiana-baccarat/commission"

[[bet]]
id = "tie"
name = "Tie"
pays = [
  { when = { winner = "tie" }, odds = "8:1" },
]
otherwise = "lose"
`,
  },
  {
    id: "six",
    name: design.six,
    text: `family = "baccarat"

[[bet]]
id = "six"
name = "Banker on six"
pays = [
  { when = { winner = "banker", banker-points = 6, banker-cards = 3 }, odds = "20:1" },
  { when = { winner = "banker", banker-points = 6, banker-cards = 2 }, odds = "12:1" },
]
otherwise = "lose"
`,
  },
  {
    id: "margin",
    name: design.margin,
    text: `family = "baccarat"

[[bet]]
id = "far-ahead"
name = "Player far ahead"
pays = [
  { when = { winner = "player", natural = true }, odds = "1:1" },
  { when = { winner = "player", margin = 9 }, odds = "30:1" },
  { when = { winner = "player", margin = [7, 8] }, odds = "6:1" },
  { when = { winner = "player", margin = "4-6" }, odds = "2:1" },
  { when = { winner = "tie", natural = true }, odds = "push" },
]
otherwise = "lose"
`,
  },
  {
    id: "pairs",
    name: design.pairs,
    text: `family = "baccarat"

[[bet]]
id = "either-pair"
name = "Either pair"
pays = [
  { when = { player-pair = true, banker-pair = true }, odds = "25:1" },
  { when = { player-pair = true }, odds = "5:1" },
  { when = { banker-pair = true }, odds = "5:1" },
]
otherwise = "lose"
`,
  },
  {
    id: "banker",
    name: design.banker,
    text: `family = "baccarat"

[[bet]]
id = "banker"
name = "Banker"
pays = [
  { when = { winner = "banker" }, odds = "1:1", less = "5%" },
  { when = { winner = "tie" }, odds = "push" },
]
otherwise = "lose"
`,
  },
  {
    id: "niu",
    name: design.niu,
    text: `family = "niu-niu"

[[bet]]
id = "dealer-no-hand"
name = "Dealer without a hand"
pays = [
  { when = { dealer = "no-hand" }, odds = "3:2" },
]
otherwise = "lose"
`,
  },
];
