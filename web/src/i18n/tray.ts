// Words about the chips of a table: counts, slips, and opening a table again.
import type { CountOf, CountState, Missing, SlipKind, SlipState } from "../api/schema";
import { type Words, words } from "./text.svelte";

export const tray = words({
  title: ["Counts and slips", "Đếm và phiếu", "清点与单据"],
  backToTable: ["Back to the table", "Về bàn", "返回牌桌"],
  back: ["Counts and slips", "Đếm và phiếu", "清点与单据"],
  none: ["Nothing is on record yet.", "Chưa có ghi nhận nào.", "尚无记录。"],
  askFill: ["Ask for a fill", "Xin tiếp chip", "申请加码"],
  askCredit: ["Ask for a credit", "Xin thu chip", "申请缴码"],
  countFloat: ["Count the float", "Đếm quỹ bàn", "清点台面码"],
  countDrop: ["Count the drop", "Đếm hộp tiền", "清点投箱"],
  countClosing: ["Count and close", "Đếm và đóng bàn", "清点并关台"],
  chipsOf: ["Chips", "Chip", "筹码"],
  pieces: ["Pieces", "Số chip", "数量"],
  piecesOf: ["Pieces of {value}", "Số chip {value}", "{value} 的数量"],
  value: ["Value", "Giá trị", "价值"],
  first: ["First count", "Lần đếm 1", "首次清点"],
  yours: ["Your count", "Bạn đếm", "您的清点"],
  books: ["Books", "Sổ sách", "账面"],
  hidden: ["hidden", "ẩn", "隐藏"],
  sealed: ["sealed", "đã niêm", "已封存"],
  agrees: ["agrees", "khớp", "一致"],
  soFar: ["So far", "Tạm tính", "暂计"],
  counted: ["Counted", "Đếm được", "清点"],
  over: ["Over", "Thừa", "多出"],
  short: ["Short", "Thiếu", "短缺"],
  exact: ["What the books say", "Khớp sổ sách", "与账面一致"],
  bothAgree: ["Both counts agree.", "Hai lần đếm khớp nhau.", "两次清点一致。"],
  blindHint: [
    "The first count and the books stay hidden until you seal yours.",
    "Lần đếm đầu và sổ sách được ẩn đến khi bạn niêm phong.",
    "在您封存之前，首次清点与账面均隐藏。",
  ],
  differHint: [
    "The counts differ on these chips. Both count them again, without being told which was right.",
    "Hai lần đếm khác nhau ở các chip này. Cả hai đếm lại, không cho biết ai đúng.",
    "两次清点在这些筹码上不一致。双方重新清点，不告知谁对。",
  ],
  anotherPerson: [
    "You have counted. Somebody else counts now: at their own console, or here with their PIN.",
    "Bạn đã đếm. Người khác đếm tiếp: ở máy của họ, hoặc tại đây bằng PIN.",
    "您已清点。现由另一人清点：在其控制台，或在此用 PIN。",
  ],
  asAnother: ["Somebody else at this console", "Người khác tại máy này", "由他人在此操作"],
  seal: ["Seal the count", "Niêm phong", "封存清点"],
  next: ["Next chip", "Chip tiếp", "下一种"],
  twoPeople: ["Two people, one after the other", "Hai người, lần lượt", "两人先后清点"],
  explain: ["Why is it not what the books say?", "Vì sao lệch sổ sách?", "为何与账面不符？"],
  keepWords: ["Record the reason", "Ghi lý do", "记录原因"],
  reason: ["Reason", "Lý do", "原因"],
  sign: ["Sign the count", "Ký biên bản", "签字确认"],
  signClose: ["Sign and close the table", "Ký và đóng bàn", "签字并关台"],
  drop: ["Drop it", "Hủy", "作废"],
  dropWhy: ["Why does it not count?", "Vì sao hủy?", "为何作废？"],
  print: ["Print the slip", "In phiếu", "打印单据"],
  number: ["Slip {n}", "Phiếu {n}", "单据 {n}"],
  line: ["line {line} of the table's journal", "dòng {line} trong sổ của bàn", "牌桌日志第 {line} 行"],
  asked: ["Asked", "Xin", "申请"],
  approved: ["Approved", "Duyệt", "批准"],
  delivered: ["Handed over", "Giao", "交付"],
  received: ["Received", "Nhận", "接收"],
  dropped: ["Dropped", "Hủy", "作废"],
  signed: ["Signed", "Ký", "签字"],
  amount: ["Amount", "Số tiền", "金额"],
  send: ["Ask for it", "Gửi yêu cầu", "提交申请"],
  approve: ["Approve {amount}", "Duyệt {amount}", "批准 {amount}"],
  handOver: ["Hand over {amount}", "Giao {amount}", "交付 {amount}"],
  witness: ["Who receives the chips", "Người nhận chip", "接收筹码的人"],
  carried: ["The float was {amount} off at the last count.", "Lần đếm trước quỹ lệch {amount}.", "上次清点台面码相差 {amount}。"],

  open: ["Open a table again", "Mở lại bàn", "再次开台"],
  openHint: ["With its settings, its staff and its float.", "Cùng cài đặt, nhân viên và quỹ bàn.", "连同设置、员工与台面码。"],
  noTemplates: [
    "No table is saved yet. Save one as it is on its page in the pit, or close one by a count.",
    "Chưa lưu bàn nào. Lưu bàn tại trang của nó trong khu, hoặc đóng bàn bằng biên bản đếm.",
    "尚未保存任何牌桌。请在赌区的牌桌页面保存，或经清点关台。",
  ],
  save: ["Save as a template", "Lưu làm mẫu", "存为模板"],
  saved: ["Saved: {name}", "Đã lưu: {name}", "已保存：{name}"],
  closedAt: ["closed {time}", "đóng {time}", "{time} 关台"],
  savedAt: ["saved {time}", "lưu {time}", "{time} 保存"],
  offDuty: ["off duty", "ngoài ca", "不在岗"],
  floatIs: ["Float {amount}", "Quỹ bàn {amount}", "台面码 {amount}"],
  noFloat: ["no float", "không có quỹ", "无台面码"],
  staffIs: ["Staff", "Nhân viên", "员工"],
  whoSees: ["Who sees the float brought", "Người chứng kiến tiếp quỹ", "见证台面码的人"],
  openNow: ["Open it", "Mở bàn", "开台"],
  openEmpty: ["Open it without a float", "Mở không có quỹ", "不带台面码开台"],
  opened: ["{name} is open.", "{name} đã mở.", "{name} 已开台。"],
  missing: ["Before betting opens, this table needs:", "Trước khi mở cược, bàn còn thiếu:", "开注之前，此桌还需："],
  missingPlayer: ["This table is being prepared. It still needs:", "Bàn đang được chuẩn bị. Còn thiếu:", "此桌正在准备，还需："],
});

export const slipKinds: Record<SlipKind, Words> = {
  fill: ["Fill", "Tiếp chip", "加码"],
  credit: ["Credit", "Thu chip", "缴码"],
};

export const slipStates: Record<SlipState, Words> = {
  asked: ["waits for approval", "chờ duyệt", "待批准"],
  approved: ["waits for the chips", "chờ giao chip", "待交付"],
  delivered: ["handed over", "đã giao", "已交付"],
  dropped: ["dropped", "đã hủy", "已作废"],
};

export const countsOf: Record<CountOf, Words> = {
  float: ["Count of the float", "Đếm quỹ bàn", "台面码清点"],
  closing: ["Closing count", "Đếm đóng bàn", "关台清点"],
  drop: ["Count of the drop", "Đếm hộp tiền", "投箱清点"],
};

export const countStates: Record<CountState, Words> = {
  "awaits-second": ["second count", "chờ lần đếm 2", "待第二次清点"],
  differs: ["they differ", "khác nhau", "不一致"],
  agreed: ["to sign", "chờ ký", "待签字"],
  signed: ["signed", "đã ký", "已签字"],
  dropped: ["dropped", "đã hủy", "已作废"],
};

export const missingWords: Record<Missing, Words> = {
  float: ["chips in the float", "chip trong quỹ bàn", "台面码"],
  staff: ["somebody on duty", "người trực", "在岗人员"],
  witness: ["a second person on duty", "người trực thứ hai", "第二名在岗人员"],
  pin: ["somebody on duty with a PIN", "người trực có PIN", "有 PIN 的在岗人员"],
  shoe: ["a shoe", "hộp bài", "牌靴"],
};
