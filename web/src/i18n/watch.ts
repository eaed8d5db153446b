// Words of surveillance's screen.
import { words } from "./text.svelte";

export const watch = words({
  title: ["Surveillance", "Giám sát", "监控"],
  key: ["Outlined cards are hidden from everybody at the table.", "Lá có viền đứt được giấu với mọi người tại bàn.", "虚线框内的牌对桌上所有人保密。"],
  dead: ["Dead cards", "Bài chết", "死牌"],
});
