//! What irregularities, remedies, phases and hands are called in three languages: the words of the screens, so that a
//! drill calls nothing by another name. A test compares them with the source of the screens.

use super::Words;

type Terms = &'static [(&'static str, Words)];

/// What went wrong, by its key.
pub(super) const IRREGULARITIES: Terms = &[
    ("foreign-card", ["Foreign, surplus or missing card", "Lá lạ, thừa hoặc thiếu", "外来牌、多牌或缺牌"]),
    ("unshuffled-cards", ["Cards not shuffled", "Bài chưa xáo", "牌未洗"]),
    ("not-enough-cards", ["Not enough cards", "Không đủ bài", "牌不足"]),
    ("cannot-rebuild", ["Hands cannot be rebuilt", "Không dựng lại được tay bài", "无法还原牌局"]),
    ("order-lost", ["Order of the cards lost", "Mất thứ tự bài", "牌序已乱"]),
    (
        "order-lost-moving",
        ["Order lost while the device was moved", "Mất thứ tự khi di chuyển hộp", "移动牌靴时牌序已乱"],
    ),
    ("cards-carried-off", ["Unknown cards carried off", "Bài chưa rõ bị mang đi", "未知牌被带走"]),
    ("known-cards-carried-off", ["Known cards carried off", "Bài đã rõ bị mang đi", "已知牌被带走"]),
    (
        "cut-card-first",
        ["Cut card ahead of the first card", "Lá cắt ra trước lá đầu", "切牌卡先于首张牌出现"],
    ),
    ("jam", ["Device jammed", "Hộp bài bị kẹt", "牌靴卡牌"]),
    ("face-up-in-shoe", ["Card face up in the shoe", "Lá ngửa trong hộp bài", "牌靴内有明牌"]),
    ("next-card-seen", ["Next round's card seen", "Lộ lá của ván sau", "下一局的牌已曝光"]),
    ("exposed-by-mistake", ["Card exposed by mistake", "Lộ bài do sơ suất", "误曝牌"]),
    (
        "exposed-moving",
        ["Cards exposed while moving the device", "Lộ bài khi di chuyển hộp", "移动牌靴时曝牌"],
    ),
    (
        "surplus-due-to-banker",
        ["Banker's card laid on the Player", "Lá nhà cái đặt nhầm sang nhà con", "庄家的牌误派给闲家"],
    ),
    ("surplus-on-player", ["Surplus card on the Player", "Thừa lá ở nhà con", "闲家多牌"]),
    (
        "surplus-on-banker-exposed",
        ["Exposed surplus card on the Banker", "Thừa lá ngửa ở nhà cái", "庄家多牌（已曝光）"],
    ),
    (
        "surplus-on-banker-unseen",
        ["Unseen surplus card on the Banker", "Thừa lá úp ở nhà cái", "庄家多牌（未曝光）"],
    ),
    ("several-surplus", ["Several surplus cards", "Thừa nhiều lá", "多张多牌"]),
    ("wrong-order", ["Cards in the wrong order", "Bài sai thứ tự", "牌序错误"]),
    (
        "together-order-known",
        ["Drawn together, order known", "Rút cùng lúc, rõ thứ tự", "同时抽出，次序已知"],
    ),
    (
        "together-initial-deal",
        ["Initial cards drawn together", "Rút cùng lúc khi chia đầu", "首轮同时抽出多张"],
    ),
    ("together-later", ["Later cards drawn together", "Rút cùng lúc về sau", "补牌时同时抽出多张"]),
    ("no-burn-unseen", ["Not burned, nothing seen", "Chưa bỏ bài, chưa lộ lá nào", "未烧牌，未见牌"]),
    ("no-burn-seen", ["Not burned, a card was seen", "Chưa bỏ bài, đã lộ lá", "未烧牌，已见牌"]),
    ("no-burn-later", ["Not burned, found later", "Chưa bỏ bài, phát hiện sau", "未烧牌，事后发现"]),
    (
        "device-reset",
        [
            "Device reset after a Dealer's mistake",
            "Khởi động lại hộp do lỗi người chia",
            "因荷官失误重置设备",
        ],
    ),
    (
        "device-reset-other",
        ["Device reset for another cause", "Khởi động lại hộp vì lý do khác", "因其他原因重置设备"],
    ),
    ("wrong-delivery", ["Cards handed to the wrong player", "Giao bài nhầm người", "牌交错玩家"]),
    (
        "wrong-delivery-established",
        ["Wrong delivery, outcome known", "Giao nhầm, đã có kết quả", "牌交错，结果已定"],
    ),
    (
        "not-delivered",
        ["Dealer opened cards due to a player", "Người chia mở bài của người chơi", "荷官误开应交玩家的牌"],
    ),
    ("squeezer-absent", ["Player to open is absent", "Người mở bài vắng mặt", "开牌玩家不在"]),
    ("squeeze-order-unknown", ["Who squeezes cannot be told", "Không rõ ai được nặn bài", "无法确定谁眯牌"]),
    ("cards-damaged", ["Cards bent or damaged", "Bài bị gập hoặc hỏng", "牌被折损"]),
    (
        "limits-found",
        ["Wager outside the limits found", "Phát hiện cược ngoài hạn mức", "发现超出限额的投注"],
    ),
    ("differential-found", ["Differential found exceeded", "Phát hiện vượt chênh lệch", "发现超出差额"]),
    ("short-reserve", ["Reserve too small", "Tiền dự phòng thiếu", "备用金不足"]),
    ("above-other-bet", ["Wager above Even", "Cược vượt cược Even", "投注高于平倍"]),
    ("power-failure", ["Power failure", "Mất điện", "停电"]),
    (
        "power-failure-established",
        ["Power failure, outcome known", "Mất điện, đã có kết quả", "停电，结果已定"],
    ),
    ("force-majeure", ["Force majeure", "Bất khả kháng", "不可抗力"]),
    ("box-count", ["Wrong number of cards in a box", "Ô sai số lá", "投注格牌数错误"]),
    (
        "box-count-handled",
        ["Wrong number in a box, cards handled", "Ô sai số lá, đã chạm bài", "投注格牌数错误，牌已动"],
    ),
    ("dealer-count", ["Dealer has a wrong number of cards", "Người chia sai số lá", "荷官牌数错误"]),
    ("empty-box-dealt", ["Cards dealt to an empty box", "Chia vào ô trống", "空格误派牌"]),
    (
        "empty-box-dealt-handled",
        ["Empty box dealt, cards handled", "Chia vào ô trống, đã chạm bài", "空格误派牌，牌已动"],
    ),
    (
        "empty-box-cannot-rebuild",
        ["Empty box dealt, order lost", "Chia vào ô trống, không xếp lại được", "空格误派牌，无法还原"],
    ),
    ("box-skipped", ["Box in play skipped", "Bỏ sót ô có cược", "漏派投注格"]),
    ("box-skipped-handled", ["Box skipped, cards handled", "Bỏ sót ô, đã chạm bài", "漏派投注格，牌已动"]),
    (
        "box-skipped-cannot-rebuild",
        ["Box skipped, order lost", "Bỏ sót ô, không xếp lại được", "漏派投注格，无法还原"],
    ),
    ("hand-set-wrongly", ["Hand set wrongly", "Xếp bài sai", "摆牌错误"]),
    ("dealt-out-of-turn", ["Dealt out of turn", "Chia sai lượt", "派牌次序错误"]),
    ("other", ["Something else", "Sự cố khác", "其他情况"]),
];

/// What a ruling does.
pub(super) const REMEDIES: Terms = &[
    ("play-on", ["Play on", "Tiếp tục ván", "继续进行"]),
    ("void", ["Void the round", "Hủy ván", "本局作废"]),
    ("rebuild", ["Rebuild the hands in draw order", "Dựng lại theo thứ tự rút", "按抽牌次序还原"]),
    ("fix-order", ["Fix the order of the cards", "Ấn định thứ tự bài", "裁定牌序"]),
    ("next-hand-free", ["Surplus opens a Free Hand", "Lá thừa mở ván miễn cược", "多牌用于下一局飞牌"]),
    ("open-next-round", ["Surplus opens the next round", "Lá thừa mở ván sau", "多牌用于下一局"]),
    ("discard", ["Discard the surplus", "Bỏ lá thừa", "弃去多牌"]),
    ("free-hand", ["Turn into a Free Hand", "Chuyển thành ván miễn cược", "改为飞牌"]),
    ("take-back-and-burn", ["Take back, burn, start anew", "Thu lại, bỏ bài, chia lại", "收回烧牌后重开"]),
    ("offer-new-shoe", ["Finish, then offer a new shoe", "Chơi hết, mời đổi hộp bài", "打完后可换牌靴"]),
    ("reset", ["Discard and reopen betting", "Bỏ bài, mở cược lại", "弃牌并重新下注"]),
    ("substitute", ["Replace the missing cards", "Thay lá bị thiếu", "补换缺牌"]),
    ("dealer-opens", ["Dealer opens the cards", "Người chia mở bài", "荷官开牌"]),
    ("name-squeezer", ["Name who squeezes", "Chỉ định người nặn bài", "指定眯牌玩家"]),
    ("stop-handling", ["Bar from touching cards", "Cấm chạm bài", "禁止碰牌"]),
    ("void-box", ["Void this box", "Hủy ô này", "此格作废"]),
    ("dead-cards", ["Declare the cards dead", "Tuyên bố bài chết", "宣布死牌"]),
    ("redeal", ["Put the packets right", "Chia lại đúng ô", "重派到位"]),
    ("reset-hand", ["Set the hand correctly", "Xếp lại bài", "重新摆牌"]),
];

/// Where play stands.
pub(super) const PHASES: Terms = &[
    ("shoe-loaded", ["Preparing the shoe", "Chuẩn bị hộp bài", "准备牌靴"]),
    ("ready", ["Ready", "Sẵn sàng", "准备就绪"]),
    ("bets-open", ["Place your bets", "Mời đặt cược", "请下注"]),
    ("reopened", ["Betting reopened", "Mở cược lại", "重新下注"]),
    ("differential-hold", ["Differential to be kept", "Chờ cân mức chênh lệch", "等待调整差额"]),
    ("bets-closed", ["No more bets", "Ngừng nhận cược", "停止下注"]),
    ("initial-deal", ["Dealing", "Đang chia bài", "发牌中"]),
    ("initial-reveal", ["Opening the hands", "Mở bài", "开牌"]),
    ("insurance-one", ["Insurance on four cards", "Bảo hiểm bốn lá", "四张牌保险"]),
    ("player-third", ["Player draws a third card", "Nhà con rút lá thứ ba", "闲家补牌"]),
    ("player-third-reveal", ["Opening the Player's third card", "Mở lá thứ ba của nhà con", "开闲家补牌"]),
    ("banker-shown-first", ["Banker's card shown first", "Mở bài nhà cái trước", "先开庄家补牌"]),
    ("insurance-two", ["Insurance on five cards", "Bảo hiểm năm lá", "五张牌保险"]),
    ("banker-third", ["Banker draws a third card", "Nhà cái rút lá thứ ba", "庄家补牌"]),
    ("result", ["Result", "Kết quả", "结果"]),
    ("free-hand", ["Free Hand", "Ván miễn cược", "飞牌"]),
    ("shoe-option", ["Players choose the shoe", "Người chơi chọn hộp bài", "玩家选择牌靴"]),
    ("shoe-decision", ["Shoe to be decided", "Chờ quyết định hộp bài", "等待决定牌靴"]),
    ("shoe-end", ["End of the shoe", "Hết hộp bài", "牌靴结束"]),
    ("dealing", ["Dealing", "Đang chia bài", "发牌中"]),
    ("count-check", ["Counting the hands", "Đếm bài", "点牌"]),
    ("arranging", ["Arranging the hands", "Xếp bài", "理牌"]),
    ("verify", ["Hands set", "Đã xếp bài", "牌已摆好"]),
    ("on-hold", ["On hold", "Tạm dừng", "暂停"]),
    ("option-window", ["Choice to withdraw", "Chọn rút cược", "选择撤注"]),
    ("sorting", ["Counting the cards", "Kiểm đếm bài", "清点牌张"]),
    ("table-closed", ["Table closed", "Bàn đã đóng", "牌桌已关闭"]),
];

/// The hands.
pub(super) const SIDES: Terms =
    &[("player", ["Player", "Nhà con", "闲"]), ("banker", ["Banker", "Nhà cái", "庄"])];

/// Hands of Niu Niu.
pub(super) const CATEGORIES: Terms = &[
    ("no-hand", ["No Niu", "Không Niu", "无牛"]),
    ("niu-1", ["Niu 1", "Niu 1", "牛一"]),
    ("niu-2", ["Niu 2", "Niu 2", "牛二"]),
    ("niu-3", ["Niu 3", "Niu 3", "牛三"]),
    ("niu-4", ["Niu 4", "Niu 4", "牛四"]),
    ("niu-5", ["Niu 5", "Niu 5", "牛五"]),
    ("niu-6", ["Niu 6", "Niu 6", "牛六"]),
    ("niu-7", ["Niu 7", "Niu 7", "牛七"]),
    ("niu-8", ["Niu 8", "Niu 8", "牛八"]),
    ("niu-9", ["Niu 9", "Niu 9", "牛九"]),
    ("niu-niu", ["Niu Niu", "Niu Niu", "牛牛"]),
    ("ultimate-niu-niu", ["Ultimate Niu Niu", "Niu Niu tối thượng", "至尊牛牛"]),
    ("hoiana-niu-niu", ["Hoiana Niu Niu", "Niu Niu Hoiana", "Hoiana 牛牛"]),
];
