//! The words of the drills themselves.

use super::{Language, Words};

macro_rules! phrases {
    ($($variant:ident = [$en:literal, $vi:literal, $zh:literal];)+) => {
        /// Something a drill says.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each is its own words")]
        pub enum Phrase { $($variant,)+ }

        impl Phrase {
            const fn words(self) -> Words {
                match self { $(Self::$variant => [$en, $vi, $zh],)+ }
            }
        }
    };
}

impl Language {
    /// A phrase in this language.
    #[must_use]
    pub const fn say(self, phrase: Phrase) -> &'static str {
        self.of(phrase.words())
    }
}

phrases! {
    Dealer = ["Dealer", "Người chia", "荷官"];
    Nobody = ["Nobody", "Không ai", "无"];
    Box = ["Box", "Ô", "投注格"];
    BoxWins = ["The box", "Ô cược", "投注格"];
    WithWithdrawal = ["players may withdraw first", "cho rút cược trước", "玩家可先撤注"];
    ThirdCards = ["Points and third cards", "Điểm và lá thứ ba", "点数与补牌"];
    Payouts = ["Payouts", "Trả thưởng", "赔付"];
    Insurance = ["Insurance", "Bảo hiểm", "保险"];
    ProRata = ["Wagers outside the limits", "Cược ngoài hạn mức", "超限投注"];
    Squeeze = ["Who squeezes", "Ai nặn bài", "谁眯牌"];
    Ranking = ["Ranking the hands", "Xếp hạng bài", "牌型大小"];
    NextRegular = ["A round as usual", "Ván bình thường", "正常一局"];
    NextFree = ["A Free Hand", "Ván miễn cược", "飞牌"];
    NextShoeChoice = ["Players choose this shoe or a new one", "Người chơi chọn hộp này hoặc hộp mới", "玩家选择是否换牌靴"];
    NextMayReplace = ["As usual; the shoe may be replaced first", "Bình thường; có thể thay hộp trước", "正常；可先换牌靴"];
    NextReplace = ["The shoe must be replaced first", "Phải thay hộp trước", "须先换牌靴"];
    NextShoeEnd = ["The shoe is over", "Hết hộp bài", "牌靴结束"];
    AskWhat = ["What is it?", "Đây là sự cố gì?", "这是什么情况？"];
    AskRulings = ["What may be ruled? Choose all that may.", "Có thể phán quyết gì? Chọn tất cả.", "可以如何裁定？选出所有选项。"];
    AskByWhom = ["Who of those on duty is the lowest that may rule so?", "Ai là cấp thấp nhất đang trực được quyết như vậy?", "当值人员中谁是有权如此裁定的最低职级？"];
    AskClause = ["Under which clause?", "Theo điều khoản nào?", "依据哪一条款？"];
    AskPlayers = ["Who may withdraw? Choose all, or none.", "Ai được rút cược? Chọn tất cả, hoặc không ai.", "谁可以撤注？全选或不选。"];
    AskWagers = ["What does each wager win or lose?", "Mỗi cược thắng hay thua bao nhiêu?", "每注输赢多少？"];
    AskNext = ["What is the next hand?", "Ván tiếp theo là gì?", "下一局如何？"];
    AskPoints = ["What does the {hand} hand count?", "Tay {hand} bao nhiêu điểm?", "{hand}几点？"];
    AskDue = ["Whose card is due?", "Đến lượt ai rút bài?", "轮到谁补牌？"];
    AskOdds = ["What does insurance pay?", "Bảo hiểm trả bao nhiêu?", "保险赔率是多少？"];
    AskLimit = ["How much may each insure at most?", "Mỗi người được mua tối đa bao nhiêu?", "每人最多可买多少？"];
    AskInAction = ["How much of each wager is in action?", "Bao nhiêu tiền cược có hiệu lực?", "每注有效金额是多少？"];
    AskSqueezer = ["Who opens the {hand} hand?", "Ai mở tay {hand}?", "谁开{hand}牌？"];
    AskCategory = ["What is this hand: {hand}?", "Bài này là gì: {hand}?", "这手牌是什么：{hand}？"];
    AskWinner = ["Who has the higher hand: {hand} or the Dealer?", "Ai cao hơn: {hand} hay người chia?", "谁的牌大：{hand}还是荷官？"];
    YouAre = ["You are on duty as", "Bạn đang trực với vai trò", "您的职级是"];
    OnDuty = ["On duty", "Đang trực", "当值"];
    TheTable = ["The table", "Bàn", "牌桌"];
    Cards = ["Cards", "Bài", "牌"];
    Wagers = ["Wagers", "Cược", "投注"];
    NoWagers = ["none", "không có", "无"];
    Happened = ["Then", "Rồi", "随后"];
    RuledSo = ["It is ruled", "Phán quyết", "裁定"];
    Follows = ["The round goes on", "Ván tiếp diễn", "牌局继续"];
    Right = ["right", "đúng", "正确"];
    Wrong = ["wrong", "sai", "错误"];
    RightIs = ["The right answer is", "Đáp án đúng là", "正确答案是"];
    NoneOfThem = ["none", "không có", "都不选"];
    Why = ["Why", "Vì sao", "原因"];
    Clauses = ["The clauses", "Điều khoản", "条款"];
    WouldRefused = ["You ruled “{ruling}”. The table refuses it", "Bạn phán quyết “{ruling}”. Bàn từ chối", "您裁定“{ruling}”。系统拒绝"];
    WouldLed = ["You ruled “{ruling}”. It may be ruled too, and leads to", "Bạn phán quyết “{ruling}”. Cũng được phép, và dẫn đến", "您裁定“{ruling}”。这也允许，结果是"];
    Result = ["Result", "Kết quả", "结果"];
    Drill = ["Drill", "Bài tập", "练习"];
    Of = ["of", "trên", "／"];
    Number = ["Number", "Số", "编号"];
    Several = ["Numbers, or Enter for none", "Các số, hoặc Enter nếu không có", "多个编号，或直接回车表示无"];
    Amount = ["Amount, such as +950, -1,000 or 0", "Số tiền, như +950, -1,000 hoặc 0", "金额，如 +950、-1,000 或 0"];
    NotUnderstood = ["Not understood; accepted are", "Không hiểu; chấp nhận", "无法识别；可输入"];
    Seconds = ["seconds", "giây", "秒"];
    TooLate = ["The time is over.", "Hết giờ.", "时间到。"];
    Passed = ["passed", "đạt", "合格"];
    Failed = ["not passed", "không đạt", "不合格"];
    Key = ["Answers", "Đáp án", "答案"];
    Name = ["Name", "Họ tên", "姓名"];
    Date = ["Date", "Ngày", "日期"];
    FaceDown = ["face down", "úp", "暗牌"];
    LiesOn = ["lies on", "nằm ở", "放在"];
    TogetherDrawn = ["drawn together", "rút cùng lúc", "同时抽出"];
    Apart = ["apart", "để riêng", "另放"];
    Left = ["cards in the shoe", "lá trong hộp", "张在牌靴内"];
    Round = ["round", "ván", "局"];
    Reserve = ["Reserve", "dự phòng", "备用金"];
    InsuranceOn = ["Insurance", "Bảo hiểm", "保险"];
}
