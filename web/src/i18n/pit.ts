// Words of the pit's consoles.
import { type Words, words } from "./text.svelte";

export const pit = words({
  title: ["Pit", "Khu bàn", "赌区"],
  whichPit: ["Pit", "Khu", "赌区"],
  allPits: ["All", "Tất cả", "全部"],
  tables: ["Tables", "Các bàn", "牌桌"],
  noTables: ["You have no rank at any open table.", "Bạn không có cấp bậc tại bàn nào đang mở.", "您在任何开放的牌桌都没有级别。"],
  allTables: ["All tables", "Tất cả bàn", "全部牌桌"],
  waiting: ["Waiting for a decision", "Chờ quyết định", "等待决定"],
  nothingWaits: ["Nothing waits. Every table plays on.", "Không có gì chờ. Mọi bàn đang chơi.", "无待办事项，各桌正常进行。"],
  shortOf: ["may lose {liability}, float {float}", "có thể mất {liability}, quỹ bàn {float}", "可能赔付 {liability}，台面码 {float}"],
  overBy: ["{side} over the differential by {amount}", "{side} vượt chênh lệch {amount}", "{side}超出差额 {amount}"],
  lineLost: ["Connection lost", "Mất kết nối", "连接已断开"],
  drop: ["Drop", "Hộp tiền", "投箱"],
  tips: ["Tips", "Tiền boa", "小费"],
  inDepth: ["In depth", "Chi tiết", "详情"],
  console: ["Dealer's console", "Bảng của người chia", "荷官控制台"],
  nobodyOnDuty: ["Nobody on duty", "Không ai trực", "无人在岗"],
  notPit: ["This view is for those who may bring chips to the table.", "Màn hình này dành cho người được tiếp chip cho bàn.", "此页面仅供有权为牌桌加码的人员使用。"],
  byHand: ["Dealt by hand", "Chia tay", "人工发牌"],
  disputes: ["Disputes", "Khiếu nại", "争议"],

  powers: ["Powers", "Quyền hạn", "权限"],
  noPowers: ["None can be used as the table stands.", "Hiện không dùng được quyền nào.", "当前没有可行使的权限。"],
  notNow: ["Not now", "Chưa dùng được", "当前不可用"],
  use: ["Use", "Sử dụng", "行使"],
  askedBy: ["Asked for by", "Theo yêu cầu của", "要求人"],
  methodIs: ["Method", "Cách chia", "发牌方式"],
  mostWagers: ["Most wagers in an area", "Số cược tối đa mỗi khu", "每区最多注数"],
  lift: ["Lift it again", "Gỡ bỏ", "解除限制"],
  insuranceOff: ["Switch insurance off", "Tắt bảo hiểm", "关闭保险"],
  insuranceOn: ["Switch insurance on", "Mở bảo hiểm", "开启保险"],

  money: ["Money of the table", "Tiền của bàn", "牌桌款项"],
  fill: ["Fill", "Tiếp chip", "加码"],
  credit: ["Credit", "Thu chip", "缴码"],
  countDrop: ["Count the drop", "Kiểm hộp tiền", "清点投箱"],
  payTips: ["Pay out the tips", "Chi tiền boa", "支取小费"],
  closeTable: ["Close the table", "Đóng bàn", "关台"],
  counted: ["Float as counted", "Quỹ bàn đếm được", "清点台面码"],
  dropIs: ["In the drop box: {amount}", "Trong hộp tiền: {amount}", "箱内：{amount}"],
  done: ["Done: {what}", "Đã xong: {what}", "已完成：{what}"],

  staff: ["Staff on duty", "Nhân viên trực", "在岗员工"],
  actingAs: ["acting as {rank}", "thay mặt {rank}", "代理{rank}"],
  signOnOther: ["Sign on", "Cho vào trực", "登记到岗"],

  records: ["Records", "Sổ ghi", "记录"],
  denials: ["Refused for want of authority", "Bị từ chối vì thiếu quyền", "因权限不足被拒"],
  ofNewest: ["Among the newest of the whole house.", "Trong những lần mới nhất của toàn sòng.", "取自全场最新记录。"],
  toAudit: ["Audit", "Kiểm toán", "审计"],
});

/** What waits at a table. */
export const pitNeeds: Record<"ruling" | "answers" | "short" | "differential" | "shoe" | "insurance", Words> = {
  ruling: ["Ruling", "Phân xử", "裁定"],
  answers: ["Players answer", "Chờ người chơi", "玩家答复"],
  short: ["Float too small", "Quỹ bàn thiếu", "台面码不足"],
  differential: ["Differential", "Chênh lệch", "差额"],
  shoe: ["Shoe", "Hộp bài", "牌靴"],
  insurance: ["Insurance due", "Đến hạn bảo hiểm", "应提供保险"],
};
