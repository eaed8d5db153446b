// Words that several screens use.
import { words } from "./text.svelte";

export const common = words({
  close: ["Close", "Đóng", "关闭"],
  cancel: ["Cancel", "Hủy", "取消"],
  confirm: ["Confirm", "Xác nhận", "确认"],
  save: ["Save", "Lưu", "保存"],
  back: ["Back", "Quay lại", "返回"],
  more: ["More", "Thêm", "更多"],
  loading: ["Loading…", "Đang tải…", "加载中…"],
  nothing: ["Nothing here yet", "Chưa có gì", "暂无内容"],
  again: ["Try again", "Thử lại", "重试"],
  lost: ["Connection lost. Trying again…", "Mất kết nối. Đang thử lại…", "连接已断开，正在重试……"],
  connecting: ["Connecting…", "Đang kết nối…", "连接中……"],
  notFound: ["There is nothing at this address.", "Không có gì ở địa chỉ này.", "此地址没有内容。"],
  table: ["Table", "Bàn", "牌桌"],
  round: ["Round", "Ván", "局"],
  shoe: ["Shoe", "Hộp bài", "牌靴"],
  player: ["Player", "Người chơi", "玩家"],
  amount: ["Amount", "Số tiền", "金额"],
  time: ["Time", "Thời gian", "时间"],
  language: ["Language", "Ngôn ngữ", "语言"],
  signIn: ["Sign in", "Đăng nhập", "登录"],
  signOut: ["Sign out", "Đăng xuất", "退出"],
  clause: ["Clause", "Điều khoản", "条款"],
});
