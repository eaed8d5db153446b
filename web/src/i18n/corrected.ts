// Words for cards that were put right, wherever the round is shown.
import { words } from "./text.svelte";

export const corrected = words({
  all: ["Corrections in this round", "Sửa bài trong ván này", "本局更正"],
  card: ["Card {draw} put right: {was}", "Đã sửa lá {draw}: {was}", "更正第 {draw} 张：{was}"],
  inBox: ["Card of {holder} put right: {was}", "Đã sửa lá của {holder}: {was}", "更正{holder}的牌：{was}"],
  afterResult: ["after the result", "sau kết quả", "结果之后"],
  witnessed: ["seen by a second person", "có người thứ hai chứng kiến", "有第二人见证"],
});
