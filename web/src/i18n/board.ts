// The words of the scoreboard on the wall.
import { words } from "./text.svelte";

export const board = words({
  title: ["Scoreboard", "Bảng điểm", "路单屏"],
  limits: ["Limits", "Giới hạn", "限红"],
  shoe: ["Shoe", "Hộp bài", "靴"],
  round: ["Round", "Ván", "局"],
  nextFree: ["Next hand is free", "Ván tới miễn cược", "下一局为免注局"],
  free: ["Free hand", "Ván miễn cược", "免注局"],
  last: ["Last hand of the shoe", "Ván cuối của hộp bài", "本靴最后一局"],
  roundsLeft: ["{n} more hands in this shoe", "Còn {n} ván trong hộp bài này", "本靴还剩 {n} 局"],
  onHold: ["Play is on hold", "Tạm dừng", "牌局暂停"],
  voided: ["Void", "Hủy ván", "作废"],
  points: ["{n} points", "{n} điểm", "{n} 点"],
  latest: ["Latest hand", "Ván gần nhất", "最近一局"],
});
