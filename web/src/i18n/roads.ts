// The words of the roads.
import { words } from "./text.svelte";

export const roads = words({
  title: ["Roads", "Bảng cầu", "路单"],
  bead: ["Bead plate", "Bảng hạt", "珠盘路"],
  big: ["Big road", "Cầu lớn", "大路"],
  bigEyeBoy: ["Big eye boy", "Cầu mắt to", "大眼仔路"],
  small: ["Small road", "Cầu nhỏ", "小路"],
  cockroach: ["Cockroach pig", "Cầu con gián", "曱甴路"],
  derivedThree: ["Derived roads", "Ba cầu phụ", "下三路"],
  shoe: ["Statistics of the shoe", "Thống kê hộp bài", "本靴统计"],
  which: ["Choose a road", "Chọn bảng cầu", "选择路单"],
  leading: ["{n} × tie before the first decision", "{n} × hòa trước ván đầu có thắng thua", "首个胜负前和局 {n} 次"],
  ask: ["If next", "Nếu ván tới", "下局若开"],
  askPlayer: ["If Player is next", "Nếu ván tới là Nhà con", "下局若开闲"],
  askBanker: ["If Banker is next", "Nếu ván tới là Nhà cái", "下局若开庄"],
  red: ["red", "đỏ", "红"],
  blue: ["blue", "xanh", "蓝"],
  none: ["no mark", "không có dấu", "无标记"],
  counts: [
    "Banker {banker}, Player {player}, Tie {tie}.",
    "Nhà cái {banker}, Nhà con {player}, Hòa {tie}.",
    "庄 {banker}，闲 {player}，和 {tie}。",
  ],
  latest: ["Latest, newest first: {list}.", "Gần nhất, mới trước: {list}.", "最近结果（新到旧）：{list}。"],
  empty: ["No results in this shoe yet", "Hộp bài này chưa có kết quả", "本靴尚无结果"],
  streak: ["{n} in a row", "{n} ván liền", "连 {n}"],
  naturals: ["{n} {n|natural|naturals}", "{n} natural", "例牌 {n}"],
  pairs: ["pairs {banker} / {player}", "đôi {banker} / {player}", "对子 {banker} / {player}"],
  bankerLetter: ["B", "B", "庄"],
  playerLetter: ["P", "P", "闲"],
  tieLetter: ["T", "T", "和"],
});
