// What cards are called.
import { words } from "./text.svelte";

export const cards = words({
  named: ["{rank} of {suit}", "{rank} {suit}", "{suit}{rank}"],
  faceDown: ["face-down card", "lá bài úp", "暗牌"],
  ace: ["ace", "át", "A"],
  jack: ["jack", "bồi", "J"],
  queen: ["queen", "đầm", "Q"],
  king: ["king", "già", "K"],
  S: ["spades", "bích", "黑桃"],
  H: ["hearts", "cơ", "红心"],
  D: ["diamonds", "rô", "方块"],
  C: ["clubs", "chuồn", "梅花"],
});
