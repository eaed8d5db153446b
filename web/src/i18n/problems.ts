// Why something was refused, in the chosen language. What has no words here is told as the server told it.
import type { CaseRefusal, Problem, Refusal } from "../api/schema";
import { type Currency, money } from "../lib/money";
import { number } from "../lib/numbers";
import { caseActs, caseStates, grants, irregularities, phases, sides } from "./terms";
import { t, type Words, words } from "./text.svelte";

// By the code of the problem; `{name}` is one of its parameters. Where the English is empty, the server's own
// sentence is as good; `{detail}` is that sentence.

/** Refusals of tables. A code without words fails the type check. */
const ofTables: Record<Refusal["code"], Words> = {
  "not-on-menu": ["This game does not offer that wager.", "Trò chơi này không có cửa cược đó.", "本游戏没有该投注项。"],
  "not-whole-chips": ["Wagers are whole chips of {chip}.", "Cược phải là bội số của chip {chip}.", "投注须为 {chip} 筹码的整数倍。"],
  "needs-other-bet": ["“{bet}” needs “{needed}” beside it.", "“{bet}” phải đi cùng “{needed}”.", "“{bet}”须同时投注“{needed}”。"],
  "needs-main-bet": ["“{bet}” needs a main wager beside it.", "“{bet}” phải đi cùng cược chính.", "“{bet}”须同时有主注。"],
  "one-per-hand": ["“{bet}” and “{other}” cannot lie together.", "Không được đặt cùng lúc “{bet}” và “{other}”.", "“{bet}”与“{other}”不可同时投注。"],
  "above-other-bet": ["“{bet}” may not exceed “{other}”.", "“{bet}” không được vượt “{other}”.", "“{bet}”不得超过“{other}”。"],
  "not-in-steps": ["“{bet}” goes in steps of {step}.", "“{bet}” tăng theo bước {step}.", "“{bet}”须按 {step} 递增。"],
  "below-minimum": ["The minimum for “{bet}” is {minimum}.", "Mức tối thiểu của “{bet}” là {minimum}.", "“{bet}”最低投注为 {minimum}。"],
  "above-maximum": ["The maximum for “{bet}” is {maximum}.", "Mức tối đa của “{bet}” là {maximum}.", "“{bet}”最高投注为 {maximum}。"],
  "not-authorised": ["Your rank may not do this.", "Cấp bậc của bạn không được làm việc này.", "您的级别无权执行此操作。"],
  "not-yours": ["This is for {who}.", "Việc này thuộc về {who}.", "此操作应由{who}执行。"],
  "witness-needed": ["", "Cần người thứ hai đang trực làm chứng.", "须由另一名当值人员见证。"],
  "reason-needed": ["", "Lá đã lật chỉ được sửa khi nêu lý do.", "已亮出的牌须说明原因方可更正。"],
  "second-needed": [
    "A second person of the rank that the house asks for must confirm this, and not whoever found it.",
    "Cần người thứ hai có cấp bậc theo quy định xác nhận, không phải người phát hiện.",
    "须由达到规定级别的第二人确认，且不得是发现者本人。",
  ],
  "nothing-pending": ["", "Không có gì chờ xác nhận.", "目前没有待确认的事项。"],
  "not-previewed": ["", "Việc này không xem trước được.", "此事不可预览。"],
  "house-reads": ["", "Nhà cái đọc bài tại bàn này; người chia nhập lá mà người chơi mở.", "本桌由场方读牌；玩家所开的牌由荷官输入。"],
  "table-closed": ["", "Bàn đã đóng.", "牌桌已关闭。"],
  "on-hold": ["Play is on hold: {irregularity}.", "Ván đang tạm dừng: {irregularity}.", "牌局暂停：{irregularity}。"],
  "nothing-on-hold": ["", "Không có gì đang tạm dừng.", "目前没有暂停。"],
  "not-now": ["", "Chưa thể làm lúc này ({phase}).", "当前阶段（{phase}）不能这样做。"],
  "not-open": ["", "Chưa mở cược.", "尚未开始下注。"],
  late: ["", "Đã ngừng nhận cược.", "已停止下注。"],
  "too-late-to-withdraw": ["", "Đã ngừng nhận cược; cược vẫn giữ nguyên.", "已停止下注，注码不可撤回。"],
  "no-such-player": ["", "Người chơi {player} chưa ở bàn; hãy ngồi hoặc đứng vào trước.", "玩家 {player} 不在此桌，请先入座或站立参与。"],
  "no-such-seat": ["", "Bàn có {seats} ghế.", "此桌共有 {seats} 个座位。"],
  "seat-taken": ["", "Ghế {seat} đã có người.", "{seat} 号座位已有人。"],
  "has-wagers": ["", "Người chơi còn cược trên bàn.", "玩家台面上仍有投注。"],
  "not-enough-chips": ["There are only {available} in chips.", "Chỉ còn {available} tiền chip.", "筹码仅剩 {available}。"],
  "owes-commission": ["{owes} of commission is owed; buy chips for it first.", "Còn nợ hoa hồng {owes}; hãy mua chip trước.", "尚欠佣金 {owes}，请先买码。"],
  "not-chips": ["", "Chỉ chip trên mặt bàn mới là cược.", "只有台面上的筹码才算投注。"],
  "float-short": ["The float of {float} does not cover a loss of {needs}; bring a fill.", "Quỹ bàn {float} không đủ bù khoản thua {needs}; hãy tiếp chip.", "台面码 {float} 不足以赔付 {needs}，请加码。"],
  "area-full": ["", "Khu này nhận tối đa {most} cược.", "此区最多 {most} 注。"],
  "no-such-wager": ["", "Không có cược đó.", "没有该投注。"],
  "more-than-laid": ["{laid} was laid; no more than that can be taken back.", "Đã đặt {laid}; không thể rút nhiều hơn.", "已下注 {laid}，取回金额不得超过此数。"],
  "lighter-side": ["", "Chỉ cược ở bên nặng hơn mới vượt chênh lệch; cược này giữ nguyên.", "只有较重一方的投注超出差额；此注保留。"],
  "too-large": ["That is too large.", "Số này quá lớn.", "数额过大。"],
  "not-positive": ["", "Số tiền phải lớn hơn 0.", "金额须大于零。"],
  differential: ["{side} is {over} over the differential; reduce it or add to the other side.", "{side} vượt mức chênh lệch {over}; hãy giảm bớt hoặc thêm bên kia.", "{side}超出差额 {over}，请减注或在另一方加注。"],
  "box-taken": ["Box {number} belongs to another player.", "Ô {number} đã có người chơi khác.", "{number} 号格已属其他玩家。"],
  box: ["", "Không thể với ô này: {what}.", "此投注格不可用：{what}。"],
  "wrong-reserve": ["The Reserve must be exactly {due}.", "Tiền dự phòng phải đúng {due}.", "备用金须正好为 {due}。"],
  "shoe-not-ready": ["", "Hộp bài chưa sẵn sàng.", "牌靴尚未准备好。"],
  "shoe-locked": ["", "Phải thay bài trước ván sau.", "下一局前必须换牌。"],
  "shoe-stays": ["", "Hộp bài này phải dùng tiếp, chưa thay được.", "此牌靴须继续使用，现在不能更换。"],
  "shoe-ended": ["", "Hộp bài đã hết; hãy nạp hộp mới.", "牌靴已结束，请装新牌靴。"],
  "same-deck": ["", "Hai bộ bài luân phiên; hãy nạp bộ kia.", "两副牌轮流使用，请装另一副。"],
  "bad-cut": ["", "Cắt phải chừa bài ở cả hai phần: 1 đến {most} lá phía trên.", "切牌两边都须留牌：上方 1 至 {most} 张。"],
  burn: ["", "Phải bỏ {due} lá.", "应烧 {due} 张牌。"],
  "free-hand": ["", "Ván sau là ván miễn cược.", "下一局为飞牌，不可下注。"],
  "no-free-hand": ["", "Không có ván miễn cược.", "没有待发的飞牌。"],
  "shoe-choice": ["", "Người chơi phải chọn hộp bài trước.", "玩家须先选择是否继续此牌靴。"],
  "card-unread": ["", "Thiết bị này đọc bài; hãy nêu lá bài.", "此设备会读牌，请指明牌面。"],
  "card-unknown": ["", "Còn lá chưa biết; hãy mở bài trước.", "尚有未知的牌，请先开牌。"],
  "no-such-draw": ["", "Ván này không có lá đó.", "本局没有这张牌。"],
  "cannot-correct": ["", "Sửa như vậy không khớp với các lá đã rút.", "更正与之后抽出的牌不符。"],
  "no-result": ["", "Bài chưa cho kết quả.", "牌面尚未分出结果。"],
  "nothing-to-reveal": ["", "Tay bài này không còn lá úp.", "此手没有暗牌。"],
  "other-hand-first": ["{side} is opened first.", "{side} mở trước.", "{side}先开牌。"],
  "no-squeeze": ["", "Bàn này người chơi không chạm bài.", "此桌玩家不可碰牌。"],
  "not-barred": ["", "Người chơi không bị cấm hay giới hạn như vậy.", "该玩家没有此项限制。"],
  "not-squeezer": ["", "Người khác có quyền với các lá này.", "这些牌由他人开。"],
  "not-highest": ["", "Quyền này thuộc người ngồi có cược cao nhất.", "此权归投注最高的入座玩家。"],
  standing: ["", "Người đứng không được nặn bài.", "站立玩家无权眯牌。"],
  "asked-too-late": ["", "Phải yêu cầu trước khi bài ra khỏi hộp.", "须在牌离开牌靴前提出。"],
  forbidden: ["", "Người chơi không được nặn bài ván này.", "该玩家本局不得眯牌。"],
  "not-drawer": ["Cards are drawn by {who}.", "Bài do {who} rút.", "牌由{who}抽出。"],
  "method-not-here": ["", "Cách C chỉ dành cho khu hạn mức cao có thiết bị đọc bài.", "方式 C 仅限有读牌设备的高限额区。"],
  "one-method": ["", "Luật này chỉ có một cách chia bài.", "此规则书只有一种发牌方式。"],
  "needs-wager": ["", "Người rút bài phải có cược hoặc được phép.", "抽牌者须有投注或获准许。"],
  "device-taken": ["", "Người khác đang giữ hộp bài.", "牌靴在其他玩家处。"],
  "insurance-off": ["", "Bàn này không có bảo hiểm.", "此桌不提供保险。"],
  "notice-first": ["", "Bàn không có bảo hiểm; người chơi phải xác nhận thông báo trước.", "此桌无保险，玩家须先确认告示。"],
  "not-insurable": ["Insurance on {side} is not on offer as the cards lie.", "Với bài hiện tại không có bảo hiểm {side}.", "以目前牌面，{side}不设保险。"],
  "nothing-to-insure": ["There is no wager on {side} to insure.", "Không có cược {side} để bảo hiểm.", "没有可投保的{side}注。"],
  "insurance-forgone": ["", "Đã bỏ qua bảo hiểm trong ván này.", "本局已放弃保险。"],
  "insurance-waived": ["", "Đã bỏ bảo hiểm lần hai khi xin mở bài nhà cái trước.", "要求先开庄牌时已放弃第二次保险。"],
  "insurance-full": ["The wager on {side} cannot be insured further: nothing more would count.", "Cược {side} không thể bảo hiểm thêm: phần thêm không được tính.", "{side}注不能再投保：多投部分不计。"],
  "insurance-below-minimum": ["Insurance is at least {minimum}.", "Bảo hiểm tối thiểu {minimum}.", "保险最低为 {minimum}。"],
  "nothing-missed": ["", "Không bỏ sót lời mời nào, hoặc đã quá muộn.", "没有遗漏的提议，或已太迟。"],
  "not-banker-first": ["", "Chỉ khi nhà cái chắc chắn phải rút.", "仅当庄家必定补牌时可行。"],
  "cannot-be": ["“{irregularity}” cannot be reported here.", "Không thể báo “{irregularity}” lúc này.", "此处不能报告“{irregularity}”。"],
  "no-such-ruling": ["", "Luật không cho phép phán quyết này ở đây.", "规则书不允许此裁定。"],
  "ruling-incomplete": ["", "Phán quyết còn thiếu: {detail}", "裁定内容不完整：{detail}"],
  "choice-of-all": ["", "Mọi người chơi đều có quyền chọn; không thể chỉ dành cho một số người.", "每位玩家都有选择权，不能只给部分人。"],
  "no-choice": ["", "Người chơi không có gì để chọn vào lúc này.", "该玩家此时没有可作的选择。"],
  "earlier-round": ["", "Các ván trước giữ nguyên như đã thanh toán.", "以前各局维持原结算。"],
  "count-mismatch": ["", "Thiếu {expected} lá nhưng đếm ra {found}.", "应缺 {expected} 张，清点为 {found} 张。"],
  "held-cards-first": ["", "Lá thứ ba lấy từ hai lá giữ lại, theo thứ tự.", "补牌须按次序取自备用的两张。"],
  "other-game": ["", "Bàn này không có việc đó.", "本桌没有此操作。"],
  "device-only": ["Every card comes out of the dealing device. Cards cannot be keyed in.", "Mọi lá bài phải ra từ thiết bị chia bài. Không nhập bài bằng tay được.", "每张牌都必须出自发牌设备，不能手动输入。"],
  "hand-there": ["", "Tay bài đã có.", "此手已派牌。"],
  "may-not-handle": ["", "Người chơi không được chạm các lá này; người chia sẽ xếp.", "玩家不可动这些牌，由荷官摆牌。"],
  "not-all-set": ["", "Phải xếp xong mọi tay bài trước khi mở bài người chia.", "所有牌摆好后荷官才开牌。"],
  already: ["", "Đã như vậy rồi.", "已是如此。"],
  inexact: ["", "Số tiền không chia đúng: {error}.", "金额无法整除：{error}。"],
  setting: ["", "Thiết lập không phù hợp: {what}.", "设置不合适：{what}。"],
};

/** Refusals of cases. */
const ofCases: Record<CaseRefusal["code"], Words> = {
  "other-rulebook": ["", "Vụ việc xét theo luật khác.", "此案适用另一规则书。"],
  "cannot-raise": ["", "Chỉ người chơi liên quan hoặc nhân viên được nêu khiếu nại.", "争议须由当事玩家或员工提出。"],
  "round-missing": ["", "Khiếu nại về một ván phải nêu ván nào.", "对某局的争议须指明局号。"],
  "journal-backwards": ["", "Đoạn nhật ký từ {from} đến {to} trống; số đầu phải trước số cuối.", "日志 {from} 至 {to} 为空，起始须先于结束。"],
  "rank-too-low": ["“{act}” is for the {title} or above.", "“{act}” dành cho {title} trở lên.", "“{act}”须由{title}或以上执行。"],
  "another-player": ["", "Đây là vụ của người chơi khác.", "此案属于另一位玩家。"],
  "right-not-told": ["", "Phải báo quyền khiếu nại cho người chơi trước.", "须先告知玩家投诉权利。"],
  "facts-missing": ["", "Chưa ghi nhận sự việc nào.", "尚未记录任何事实。"],
  "surveillance-not-informed": ["", "Chưa báo bộ phận giám sát.", "尚未通知监控部。"],
  "due-time-missing": ["", "Hãy báo thời hạn cho người chơi, hoặc ghi lý do không báo được.", "请告知玩家期限，或写明无法告知的原因。"],
  "wrong-state": ["“{act}” has no place now: {state}.", "Chưa thể “{act}” lúc này: {state}.", "当前状态（{state}）不能“{act}”。"],
  "own-ruling": ["Who gave the ruling cannot judge it.", "Người ra phán quyết không được tự xét.", "作出裁定者不得自行审议。"],
  "own-first-line": ["Who was the first line cannot judge the case.", "Người giải quyết ban đầu không được xét vụ này.", "首层处理人不得审议此案。"],
  "own-decision": ["Who decided the case cannot answer the complaint.", "Người đã quyết định không được trả lời khiếu nại.", "裁决人不得答复投诉。"],
  "not-first-line": ["The first line is the {title} or above.", "Giải quyết ban đầu dành cho {title} trở lên.", "首层处理须为{title}或以上。"],
  "no-grounds": ["", "Quyết định phải có ít nhất một căn cứ.", "裁决须至少有一项依据。"],
  "unknown-clause": ["", "Luật không có điều {clause}.", "规则书没有条款 {clause}。"],
  "other-version": ["", "Ván chơi theo phiên bản {in_force}, không phải {given}.", "当时适用版本 {in_force}，而非 {given}。"],
  "nobody-heard": ["", "Chưa nghe bên nào trình bày.", "尚未听取任何一方陈述。"],
  "not-both-heard": ["Both sides are heard first, or it is put down why one cannot be.", "Phải nghe cả hai bên, hoặc ghi lý do vì sao không thể.", "须先听取双方陈述，或记录无法听取的原因。"],
  "not-attached": ["", "Chứng cứ chưa được đính kèm.", "该证据尚未附上。"],
  "already-attached": ["", "Chứng cứ đã được đính kèm.", "该证据已附上。"],
  "nothing-said": ["", "Chưa nhập nội dung.", "内容为空，请填写。"],
  "already-informed": ["Surveillance was informed already.", "Đã báo bộ phận giám sát.", "已通知监控部。"],
  "already-told": ["The player was told already.", "Đã báo cho người chơi.", "已告知玩家。"],
  "due-time-past": ["A due time lies ahead.", "Thời hạn phải ở tương lai.", "期限须在将来。"],
  "no-helper": ["", "Chưa chỉ định người hỗ trợ.", "尚未指定协助人。"],
  "zero-correction": ["", "Điều chỉnh cho người chơi {player} bằng 0; hãy bỏ đi.", "玩家 {player} 的更正为零，请删去。"],
  "player-twice": ["", "Người chơi {player} có hai điều chỉnh; hãy gộp lại.", "玩家 {player} 有两项更正，请合并。"],
  "ids-missing": ["", "Thiếu mã cho điều chỉnh: cần {needed}.", "更正缺少编号：需要 {needed} 个。"],
  "id-twice": ["", "Mã {id} bị trùng.", "编号 {id} 重复。"],
};

/** What the server itself refuses. */
const ofServer = words({
  unreachable: ["The server cannot be reached.", "Không kết nối được với máy chủ.", "无法连接服务器。"],
  internal: ["", "Máy chủ gặp lỗi; chi tiết có trong nhật ký.", "服务器出错，详情见日志。"],
  journal: ["", "Không ghi được nhật ký; chưa có gì thay đổi.", "日志无法写入，未作任何更改。"],
  "fate-unknown": ["It is not known whether this was done; it will be asked again.", "Chưa biết lệnh này đã được thực hiện hay chưa; sẽ hỏi lại.", "尚不知道此操作是否已执行，将再次查询。"],
  "too-slow": ["", "Mất quá nhiều thời gian; hãy thử lại sau giây lát.", "耗时过长，请稍后再试。"],
  stopping: ["", "Máy chủ đang dừng; hãy thử lại sau giây lát.", "服务器正在停止，请稍后再试。"],
  unavailable: ["", "Tạm thời không phục vụ được.", "暂时无法服务。"],
  "too-many": ["Too many requests. Try again in {retry_after_seconds} s.", "Quá nhiều yêu cầu. Thử lại sau {retry_after_seconds} giây.", "请求过多，请在 {retry_after_seconds} 秒后重试。"],
  locked: ["Too many failed attempts. Try again in {retry_after_seconds} s.", "Sai quá nhiều lần. Thử lại sau {retry_after_seconds} giây.", "失败次数过多，请在 {retry_after_seconds} 秒后重试。"],
  "not-signed-in": ["Please sign in.", "Vui lòng đăng nhập.", "请先登录。"],
  "session-expired": ["Your session is over. Sign in again.", "Phiên đã hết. Hãy đăng nhập lại.", "会话已结束，请重新登录。"],
  "session-needed": ["", "Việc này cần đăng nhập, không dùng mã API.", "此操作须登录，不能使用 API 令牌。"],
  "wrong-password": ["", "Tên hoặc mật khẩu không đúng.", "名称或密码错误。"],
  "wrong-code": ["", "Mã không đúng hoặc đã được dùng. Hãy chờ mã tiếp theo.", "验证码错误或已使用，请等待下一个。"],
  "sign-in-over": ["", "Đăng nhập quá lâu hoặc đã xong. Hãy bắt đầu lại.", "登录超时或已完成，请重新开始。"],
  "provider-refused": ["The sign-in at the provider is not accepted: {detail}", "Không chấp nhận kết quả đăng nhập từ nhà cung cấp: {detail}", "未接受身份提供方的登录结果：{detail}"],
  "provider-said": ["The provider did not sign you in ({detail}).", "Nhà cung cấp không cho đăng nhập ({detail}).", "身份提供方未让您登录（{detail}）。"],
  "provider-away": ["", "Nhà cung cấp danh tính không trả lời; hãy thử lại sau hoặc đăng nhập bằng mật khẩu.", "身份提供方无响应，请稍后再试或使用密码登录。"],
  "unknown-subject": ["", "Nhà cung cấp biết bạn, nhưng không tài khoản nào ở đây gắn với bạn; hãy hỏi quản trị viên.", "身份提供方认识您，但此处没有与之绑定的账户，请联系管理员。"],
  "not-by-provider": ["", "Tài khoản này không được mở qua nhà cung cấp; hãy đăng nhập bằng mật khẩu.", "此账户不可通过身份提供方登录，请使用密码。"],
  "bad-subject": ["", "Tên ở nhà cung cấp không hợp lệ.", "身份提供方的标识无效。"],
  "subject-taken": ["", "Tài khoản khác đã gắn với tên này.", "另一账户已绑定此标识。"],
  "enrol-first": ["Your account needs a second factor. Set one up first.", "Tài khoản này phải có xác thực hai bước. Hãy thiết lập trước.", "此账户须先设置双重验证。"],
  "factor-there": ["", "Đã có ứng dụng xác thực. Hãy gỡ trước.", "已绑定验证器，请先移除。"],
  "no-factor": ["", "Không có xác thực hai bước.", "尚未设置双重验证。"],
  "bad-passkey": ["", "Không nhận khóa truy cập này.", "未接受此通行密钥。"],
  "no-passkeys-here": ["", "Khóa truy cập gắn với tên máy chủ: hãy mở trang bằng tên, không bằng địa chỉ IP.", "通行密钥按域名使用：请以域名而非 IP 地址打开页面。"],
  "passkey-there": ["", "Khóa truy cập này đã được thêm.", "此通行密钥已添加。"],
  "too-many-passkeys": ["", "Đã có mười khóa truy cập. Hãy gỡ bớt.", "已有十个通行密钥，请先移除一个。"],
  "not-enrolling": ["", "Thiết lập quá lâu. Hãy bắt đầu lại.", "设置超时，请重新开始。"],
  "own-factor": ["", "Hãy tự gỡ xác thực hai bước của mình bằng mã, trong tài khoản.", "请在账户页用验证码移除自己的双重验证。"],
  "wrong-pin": ["", "Tên hoặc mã PIN không đúng.", "名称或 PIN 错误。"],
  "sign-in-again": ["", "Hãy đăng xuất, đăng nhập lại qua nhà cung cấp danh tính rồi làm trong vòng năm phút.", "请退出后重新通过身份提供方登录，并在五分钟内完成。"],
  "no-password": ["", "Tài khoản này chưa có mật khẩu.", "此账户尚无密码。"],
  "bad-invitation": ["", "Mã lần đầu không đúng hoặc đã dùng.", "首次设置码无效或已使用。"],
  "bad-token": ["", "Mã API không đúng, đã thu hồi hoặc hết hạn.", "API 令牌未知、已撤销或已过期。"],
  "cross-site": ["", "Yêu cầu đến từ trang khác.", "请求来自其他网站。"],
  disabled: ["", "Tài khoản này đã khóa.", "此账户已停用。"],
  "not-signed-on": ["", "Người làm thay người chơi phải vào ca tại bàn này.", "代玩家操作者须在此桌签到。"],
  "players-own": ["", "Chỉ người chơi mới dùng ví và cho tiền thưởng, bằng phiên của mình hoặc mã PIN tại bàn.", "只有玩家本人可动用钱包和给小费：用本人的登录或在此桌输入其 PIN。"],
  "password-needed": ["", "Việc này cần mật khẩu của bạn.", "此操作需要您的密码。"],
  "roles-apart": ["", "Không ai được giữ đồng thời hai vai trò này.", "任何人不得同时担任这两种职务。"],
  excluded: ["", "Người chơi này bị cấm chơi.", "该玩家已被禁赌，不得参与。"],
  "not-allowed": ["This needs: {needs}.", "Việc này cần: {needs}.", "此操作需要：{needs}。"],
  "not-player": ["", "Bạn không phải người chơi ở đây.", "您在此不是玩家。"],
  "not-staff": ["", "Không có cấp bậc ở bàn này.", "在此桌没有级别。"],
  "not-pit": ["", "Chỉ dành cho quản lý khu bàn.", "仅限赌区管理人员。"],
  "not-surveillance": ["", "Chỉ dành cho giám sát.", "仅限监控部。"],
  "off-duty": ["", "Người này không trong ca trực.", "此人不在岗。"],
  "no-console": ["", "Mã PIN chỉ nhận tại máy của nhân viên đang trực.", "PIN 仅在当值员工的终端接受。"],
  "no-rank": ["", "Người đó không có cấp bậc ở bàn này.", "此人在该桌没有级别。"],
  "not-found": ["", "Không tìm thấy.", "未找到。"],
  "no-player": ["", "Không có người chơi này.", "没有这位玩家。"],
  "no-person": ["", "Không có người này.", "没有此人。"],
  "no-table": ["", "Không có bàn này.", "没有此桌。"],
  "no-round": ["", "Bàn không có ván đã xong này.", "该桌没有这一已完成的局。"],
  "other-currency": ["", "Sàn này dùng tiền {floor}.", "本场地使用的货币是 {floor}。"],
  "no-game": ["", "Không có trò chơi này.", "没有此游戏。"],
  "wallet-short": ["The wallet does not hold that much.", "Ví không đủ số tiền này.", "钱包余额不足。"],
  "moment-over": ["Too late: play has moved on. Nothing was done.", "Đã muộn: bàn đã sang lượt khác. Không có gì được thực hiện.", "已过时：牌局已继续，未执行任何操作。"],
  "id-used": ["", "Mã lệnh này đã dùng cho việc khác.", "此指令编号已用于其他操作。"],
  "too-many-cases": ["", "Người chơi này đã có năm khiếu nại đang mở tại bàn này.", "该玩家在此桌已有五宗未结争议。"],
  "day-ahead": ["", "Ngày đó chưa đến.", "该日尚未到来。"],
  "own-wallet": ["", "Ví của chính bạn do người khác ở quầy phục vụ.", "您本人的钱包须由账房其他人办理。"],
  "own-shoe": ["", "Bài của bàn này do hộp bài phần mềm chia.", "此桌由软件牌靴派牌。"],
  "not-fed": ["", "Bàn này không nhận bài từ thiết bị.", "此桌不接收设备读牌。"],
  "through-cage": ["", "Điều chỉnh phải qua quầy thu ngân.", "更正须经账房。"],
  books: ["", "Sổ sách không cho phép: {detail}", "账目不允许此操作：{detail}"],
  "too-long": ["", "Nội dung quá dài.", "内容过长。"],
  settings: ["", "Thiết lập không phù hợp: {detail}", "设置不合适：{detail}"],
  faults: ["", "Luật có lỗi: {detail}", "规则书有误：{detail}"],
  "needs-shoe": ["", "Bàn tự động cần hộp bài phần mềm.", "自动发牌须使用软件牌靴。"],
  "bad-name": ["", "Tên không hợp lệ.", "名称无效。"],
  "name-taken": ["Somebody else has this name.", "Tên này đã có người dùng.", "此名称已被使用。"],
  "bad-nickname": ["", "Biệt danh gồm 1 đến 60 ký tự.", "昵称须为 1 至 60 个字符。"],
  "bad-password": ["", "Mật khẩu chưa đạt yêu cầu.", "密码不符合要求。"],
  "bad-pin": ["", "Mã PIN chưa đạt yêu cầu.", "PIN 不符合要求。"],
  "bad-grants": ["", "Quyền được cấp không hợp lệ: {detail}", "授予的身份无效：{detail}"],
  "last-admin": ["", "Phải còn ít nhất một quản trị viên.", "至少须保留一名管理员。"],
  "bad-label": ["", "Nhãn gồm 1 đến 60 ký tự.", "标签须为 1 至 60 个字符。"],
  "bad-days": ["", "Mã có hạn từ 1 đến 3650 ngày.", "令牌有效期为 1 至 3650 天。"],
  "too-many-tokens": ["", "Đã có 20 mã; hãy thu hồi bớt.", "已有 20 个令牌，请先撤销一个。"],
  "bad-currency": ["", "Tiền tệ gồm ba chữ hoa, ví dụ VND.", "货币为三个大写字母，如 VND。"],
  "bad-decimals": ["", "Tối đa 4 chữ số thập phân.", "最多 4 位小数。"],
  "bad-amount": ["", "Hãy nhập số tiền lớn hơn 0.", "请输入大于零的金额。"],
  "bad-note": ["", "Ghi chú là một dòng ngắn.", "备注须为一行短文字。"],
  "bad-day": ["", "Ngày không hợp lệ.", "日期无效。"],
  "day-closed": ["", "Ngày này đã khóa sổ.", "该营业日已结账。"],
  "day-order": ["", "Phải khóa sổ các ngày theo thứ tự.", "营业日须按次序结账。"],
  running: ["", "Đang kiểm tra; hãy chờ xong.", "正在核验，请等待完成。"],
  "two-stocks": ["", "Chỉ nêu số bộ bài hoặc hộp bài.", "副数与牌靴只能选其一。"],
  "bad-shoe": ["", "Hộp bài không hợp lệ.", "牌靴无效。"],
  "bad-decks": ["", "Số bộ bài không hợp lệ.", "牌副数无效。"],
  "bad-line": ["", "Dòng đếm từ 1.", "行号从 1 开始。"],
  "bad-edge": ["", "Lợi thế không hợp lệ.", "优势值无效。"],
  unsolvable: ["", "Không có lời giải.", "无解。"],
  "bad-query": ["", "Yêu cầu không hợp lệ.", "查询无效。"],
  "bad-body": ["", "Yêu cầu không đúng mẫu.", "请求格式不正确。"],
  "bad-id": ["", "Mã lệnh không hợp lệ.", "指令编号无效。"],
});

const problems: Record<string, Words | undefined> = { ...ofServer, ...ofCases, ...ofTables };

/** Whose something is, as the table says it. */
const whose: Record<string, Words | undefined> = words({
  "the Dealer": ["the Dealer", "người chia bài", "荷官"],
  "the player": ["the player", "người chơi", "玩家"],
  "the player with the device": ["the player with the device", "người chơi giữ hộp bài", "持牌靴的玩家"],
  "the staff; tell the Dealer": ["the staff; tell the Dealer", "nhân viên; hãy báo người chia bài", "员工（请告知荷官）"],
  "a player or the Dealer": ["a player or the Dealer", "người chơi hoặc người chia bài", "玩家或荷官"],
});

/** Parameters that are members of enumerations. */
const members: Record<string, Record<string, Words | undefined> | undefined> = {
  irregularity: irregularities,
  phase: phases,
  side: sides,
  act: caseActs,
  state: caseStates,
  needs: grants,
  who: whose,
};

const AMOUNTS = new Set(["chip", "step", "minimum", "maximum", "available", "owes", "float", "needs", "over", "due"]);

function shown(name: string, value: unknown, currency: Currency | undefined): string | undefined {
  if (Array.isArray(value)) return value.map((one) => shown(name, one, currency) ?? "").join(" / ");
  if (typeof value === "number" && AMOUNTS.has(name)) {
    return currency === undefined ? number(value) : money(value, currency);
  }
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const known = members[name]?.[value];
  return known === undefined ? value : t(known);
}

/** A sentence of the server, as a sentence on a page. */
function sentence(detail: string): string {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Why, for people. Amounts are plain numbers unless the currency is given. */
export function explained(problem: Problem, currency?: Currency): string {
  const known = problems[problem.code];
  const text = known === undefined ? "" : t(known);
  // The number of cards to burn is called like an amount.
  const money = problem.code === "burn" ? undefined : currency;
  const parameters: Record<string, unknown> = { ...problem.parameters, detail: problem.detail };
  const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) => shown(name, parameters[name], money) ?? whole);
  // A particular that did not come leaves a gap: then the server's own sentence says more.
  return filled === "" || /\{\w+\}/.test(filled) ? sentence(problem.detail) : filled;
}
