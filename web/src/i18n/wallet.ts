// Words of a wallet and what moved it.
import { words } from "./text.svelte";

export const wallet = words({
  wallet: ["Wallet", "Ví", "钱包"],
  history: ["What moved the wallet", "Biến động ví", "钱包变动"],
  where: ["Where", "Nơi", "来源"],
  line: ["Line", "Dòng", "行号"],
  cage: ["Cage", "Quầy thu ngân", "账房"],
  tableOf: ["Table {n}", "Bàn {n}", "{n} 号桌"],
  caseOf: ["Dispute {n}", "Khiếu nại {n}", "争议 {n}"],
  short: ["The wallet does not hold enough for this table. The cage takes money in.", "Ví không đủ cho bàn này. Hãy nạp tiền tại quầy thu ngân.", "钱包余额不足以在此桌买码，请到账房存款。"],
});
