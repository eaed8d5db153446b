// The words of the entrance: signing in, the roles of a demo, the first run.
import { words } from "./text.svelte";

export const entrance = words({
  welcome: ["Welcome to the floor", "Chào mừng đến sàn chơi", "欢迎光临"],
  demoTitle: ["Come in, in any role", "Mời vào, chọn bất kỳ vai nào", "请选择角色进入"],
  demoLead: [
    "This is a demo with tables that play by themselves. One click signs you in. No money is real.",
    "Đây là bản dùng thử với các bàn tự chạy. Một lần bấm là vào. Không dùng tiền thật.",
    "这是演示环境，牌桌会自动运行。点击即可登录，不涉及真实货币。",
  ],
  withName: ["Or sign in with a name", "Hoặc đăng nhập bằng tên", "或使用账号登录"],
  name: ["Name", "Tên", "用户名"],
  again: ["Password again", "Nhập lại mật khẩu", "再次输入密码"],
  differ: ["The two passwords differ.", "Hai mật khẩu không giống nhau.", "两次输入的密码不一致。"],
  signedIn: [
    "You are signed in as {name}. Signing in again changes who you are.",
    "Bạn đang đăng nhập với tên {name}. Đăng nhập lại sẽ đổi người dùng.",
    "您当前以 {name} 登录，重新登录将切换身份。",
  ],
  second: ["Second step", "Bước thứ hai", "第二步验证"],
  secondLead: [
    "Open your authenticator app and type the six digits it shows for this house.",
    "Mở ứng dụng xác thực và nhập sáu chữ số đang hiện cho nơi này.",
    "请打开验证器应用，输入显示的六位数字。",
  ],
  code: ["Code", "Mã xác thực", "验证码"],
  recoveryLead: [
    "Type one of your recovery codes. Each works once.",
    "Nhập một mã khôi phục. Mỗi mã dùng được một lần.",
    "请输入一个恢复码，每个只能使用一次。",
  ],
  recovery: ["Recovery code", "Mã khôi phục", "恢复码"],
  toRecovery: ["Use a recovery code", "Dùng mã khôi phục", "使用恢复码"],
  toCode: ["Use the authenticator app", "Dùng ứng dụng xác thực", "使用验证器"],
  toPasskey: ["Use a passkey", "Dùng khóa truy cập", "使用通行密钥"],
  passkeyLead: [
    "Show the passkey of this account: a security key, a phone, or this device.",
    "Hãy xuất trình khóa truy cập của tài khoản: khóa bảo mật, điện thoại hoặc thiết bị này.",
    "请使用此账户的通行密钥：安全密钥、手机或本设备。",
  ],
  passkey: ["Sign in with the passkey", "Đăng nhập bằng khóa truy cập", "用通行密钥登录"],
  byProvider: ["Sign in with {name}", "Đăng nhập bằng {name}", "使用{name}登录"],
  anew: ["Start again", "Bắt đầu lại", "重新开始"],
  lastSignIn: [
    "You signed in last {at}, from {address}.",
    "Lần đăng nhập trước: {at}, từ {address}.",
    "上次登录：{at}，来自 {address}。",
  ],
  noAccount: [
    "Accounts are made by the house. Ask at the cage.",
    "Tài khoản do nhà cái cấp. Hãy hỏi tại quầy thu ngân.",
    "账号由场方开立，请到账房咨询。",
  ],
  firstTitle: ["The first administrator", "Quản trị viên đầu tiên", "首位管理员"],
  firstLead: [
    "Nobody has an account here yet. The link that the server printed when it started lets one person make the first.",
    "Chưa ai có tài khoản ở đây. Đường liên kết mà máy chủ in ra khi khởi động cho phép một người tạo tài khoản đầu tiên.",
    "这里还没有任何账号。服务器启动时输出的链接可用来创建第一个账号。",
  ],
  toFirst: ["Set up the house", "Thiết lập", "开始设置"],
  token: ["One-time token", "Mã dùng một lần", "一次性令牌"],
  tokenHint: [
    "It stands behind # in the link that the server printed.",
    "Nằm sau dấu # trong liên kết mà máy chủ in ra.",
    "位于服务器输出链接中 # 之后。",
  ],
  tokenHere: [
    "The token came with the link.",
    "Mã đã có sẵn trong liên kết.",
    "令牌已随链接带入。",
  ],
  make: ["Make the account", "Tạo tài khoản", "创建账号"],
  done: ["Welcome, {name}. Add your people next.", "Chào {name}. Tiếp theo hãy thêm nhân sự.", "欢迎，{name}。接下来请添加人员。"],
  player: [
    "Buy in, take a seat, wager, squeeze the cards, check the shoe.",
    "Đổi chip, ngồi vào bàn, đặt cược, nặn bài, kiểm chứng hộp bài.",
    "买码、入座、下注、眯牌、验证牌靴。",
  ],
  dealer: [
    "Deal at a table: cards, calls, settlement, reports.",
    "Chia bài: rút bài, hô kết quả, thanh toán, báo sự cố.",
    "在桌发牌：派牌、喊牌、派彩、报告异常。",
  ],
  inspector: [
    "See what the dealer sees, and rule where the first line may.",
    "Thấy những gì người chia bài thấy và xử lý trong thẩm quyền.",
    "与荷官同一视角，并在权限内裁定。",
  ],
  "pit-manager": [
    "All tables of the pit: limits, floats, irregularities, rulings.",
    "Mọi bàn trong khu: giới hạn, quỹ bàn, sự cố, phán quyết.",
    "管理本区牌桌：限红、台面码、异常与裁定。",
  ],
  "shift-manager": [
    "Decide disputes, the hard rulings, and the day.",
    "Quyết định khiếu nại, các phán quyết khó và cả ngày kinh doanh.",
    "裁决争议与疑难事项，主持当日营业。",
  ],
  cashier: [
    "Take money in and pay it out, and see where it all is.",
    "Nhận và chi tiền, biết tiền đang ở đâu.",
    "存取款项，掌握资金分布。",
  ],
  surveillance: [
    "Watch every table, hidden cards included.",
    "Quan sát mọi bàn, kể cả lá bài úp.",
    "监看所有牌桌，包括暗牌。",
  ],
  auditor: [
    "Read the journal, verify it, and look into every refusal.",
    "Đọc và kiểm chứng nhật ký, xem mọi lần bị từ chối.",
    "查阅并核验日志，审查每次拒绝。",
  ],
  admin: [
    "People, ranks, tokens and tables.",
    "Nhân sự, cấp bậc, mã truy cập và bàn chơi.",
    "管理人员、级别、令牌与牌桌。",
  ],
});
