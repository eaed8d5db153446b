// The words of finished rounds.
import { words } from "./text.svelte";

export const rounds = words({
  list: ["Finished rounds", "Các ván đã xong", "已结束牌局"],
  listOf: ["Finished rounds at {table}", "Các ván đã xong tại {table}", "{table} 的已结束牌局"],
  none: ["No round has finished at this table yet.", "Bàn này chưa có ván nào kết thúc.", "此桌尚无已结束的牌局。"],
  checkShoe: ["Check shoe {n}", "Kiểm chứng hộp bài {n}", "验证第 {n} 靴"],
  result: ["Result", "Kết quả", "结果"],
  voided: ["Void", "Hủy ván", "作废"],
  played: ["Played", "Đã chơi", "已完成"],
  playerPair: ["Player pair", "Đôi nhà con", "闲对"],
  bankerPair: ["Banker pair", "Đôi nhà cái", "庄对"],
  surplus: ["Surplus cards", "Lá bài thừa", "多余的牌"],
  wagers: ["Wagers", "Tiền cược", "注码"],
  noWagers: ["Nobody had a wager.", "Không ai đặt cược.", "无人下注。"],
  stake: ["Stake", "Tiền cược", "注额"],
  reserve: ["Reserve {amount}", "Dự phòng {amount}", "备用金 {amount}"],
  end: ["End", "Kết quả", "结果"],
  change: ["Won or lost", "Thắng thua", "输赢"],
  partly: ["{amount} in action", "{amount} có hiệu lực", "有效注额 {amount}"],
  why: ["Why", "Căn cứ", "依据"],
  file: ["Download the round file", "Tải tệp ván", "下载牌局文件"],
  before: ["Round before", "Ván trước", "上一局"],
  after: ["Round after", "Ván sau", "下一局"],
  standIn: ["stand-in", "lá thay thế", "替代牌"],
  columnTime: ["Ended", "Kết thúc", "结束时间"],
  mine: ["Mine", "Của tôi", "我的"],
});
