// The words of the lobby.
import { words } from "./text.svelte";

export const lobby = words({
  title: ["The floor", "Sàn chơi", "牌桌大厅"],
  lead: [
    "{n} {n|table|tables}, dealt by the book. Every round is settled clause by clause, and a shoe shuffled here can be checked card by card.",
    "{n} bàn, chia đúng luật. Mỗi ván được thanh toán theo từng điều khoản, hộp bài xáo tại đây có thể kiểm chứng từng lá.",
    "{n} 张牌桌，照章发牌。每一局逐条按规则结算，由系统洗牌的牌靴可逐张验证。",
  ],
  stranger: [
    "You are looking on. Sign in to take a seat.",
    "Bạn đang xem. Hãy đăng nhập để ngồi vào bàn.",
    "您正在旁观，登录后即可入座。",
  ],
  demo: [
    "This is a demo: pick a role and play, deal, or run the floor. No money is real.",
    "Đây là bản dùng thử: chọn một vai để chơi, chia bài hoặc điều hành sàn. Không dùng tiền thật.",
    "这是演示：选择一个角色即可下注、发牌或管理现场，均非真实货币。",
  ],
  pickRole: ["Pick a role", "Chọn vai", "选择角色"],
  families: ["Games", "Trò chơi", "游戏"],
  all: ["All", "Tất cả", "全部"],
  baccarat: ["Baccarat", "Baccarat", "百家乐"],
  "niu-niu": ["Niu Niu", "Niu Niu", "牛牛"],
  none: ["No table is open", "Chưa có bàn nào mở", "暂无开放的牌桌"],
  noneLead: [
    "Tables appear here as soon as the floor opens them.",
    "Bàn sẽ hiện ở đây ngay khi sàn mở.",
    "牌桌开放后会立即显示在这里。",
  ],
  open: ["Open a table", "Mở bàn", "开台"],
  taken: ["{n} of {all} {all|seat|seats} taken", "{n}/{all} ghế đã có người", "已坐 {n}/{all} 位"],
  lastHands: ["Hands of the last round", "Bài ván vừa rồi", "上一局牌型"],
  dealtByHand: ["Dealer at the table", "Có người chia bài", "真人荷官"],
  electronicShoe: ["Electronic shoe", "Hộp bài điện tử", "电子牌靴"],
  mine: ["What you have here", "Những gì bạn có ở đây", "您在此的资金"],
  yourChips: ["Your chips: {amount}", "Chip của bạn: {amount}", "您的筹码：{amount}"],
  backToSeat: ["Back to your chips", "Về chỗ của bạn", "回到座位"],
  playHere: ["Play here", "Chơi tại đây", "在此入座"],
  deal: ["Deal", "Chia bài", "发牌"],
  pit: ["Pit", "Khu bàn", "赌区"],
  watch: ["Watch", "Quan sát", "监看"],
  board: ["Board", "Bảng điểm", "路单屏"],
});
