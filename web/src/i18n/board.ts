// The words of the scoreboard on the wall.
import { words } from "./text.svelte";

export const board = words({
  title: ["Scoreboard", "Bảng điểm", "路单屏"],
  roundsLeft: ["{n} more {n|hand|hands} in this shoe", "Còn {n} ván trong hộp bài này", "本靴还剩 {n} 局"],
  onHold: ["Play is on hold", "Tạm dừng", "牌局暂停"],
  voided: ["Void", "Hủy ván", "作废"],
  latest: ["Latest hand", "Ván gần nhất", "最近一局"],
});
