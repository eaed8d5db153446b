// Which cloth a game is played on. Only the rulebook's id is looked at; a game nobody thought of lies on emerald.

export type Cloth = "baccarat" | "dragon-tiger" | "dragon-bonus" | "niu-niu";

export function clothOf({ rulebook, family }: { rulebook: string; family: string }): Cloth {
  if (family === "niu-niu") return "niu-niu";
  if (rulebook.includes("dragon-tiger")) return "dragon-tiger";
  return rulebook.includes("dragon-bonus") ? "dragon-bonus" : "baccarat";
}
