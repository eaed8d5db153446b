// When a bet pays and what, in words. The English is that of the terminal: a test compares them.
import type { CardPlace, CardSuit, Side, WhoseCards } from "../api/schema";
import { cards } from "./cards";
import { type Words, words } from "./text.svelte";

export const lines = words({
  and: [", ", ", ", "，"],
  or: [" or ", " hoặc ", " 或 "],
  list: [", ", ", ", "、"],
  not: ["not ({part})", "không phải ({part})", "非（{part}）"],
  brackets: ["({part})", "({part})", "（{part}）"],
  boxWins: ["box wins", "ô thắng", "投注格赢"],
  dealerWins: ["Dealer wins", "người chia bài thắng", "荷官赢"],
  natural: ["natural", "bài tự nhiên", "例牌"],
  noNatural: ["no natural", "không có bài tự nhiên", "非例牌"],
  otherwise: ["otherwise", "còn lại", "其余情况"],
  always: ["always", "mọi trường hợp", "任何情况"],
  anyWinner: ["any winner", "bên nào thắng cũng được", "不论胜负"],
  points: ["{side} on {n}", "{side} {n} điểm", "{side} {n} 点"],
  cards: ["{side} {n} cards", "{side} {n} lá", "{side} {n} 张"],
  allCards: ["{n} cards", "tổng {n} lá", "共 {n} 张"],
  margin: ["by {n}", "cách biệt {n}", "相差 {n} 点"],
  pointsSum: ["both counts sum to {n}", "tổng điểm hai bên {n}", "双方点数之和 {n}"],
  pair: ["{side} pair", "đôi {side}", "{side}对"],
  noPair: ["no {side} pair", "không đôi {side}", "无{side}对"],
  initialPoints: ["{side} on {n} with two cards", "{side} {n} điểm với hai lá đầu", "{side}首两张 {n} 点"],
  perfectPair: ["{side} perfect pair", "đôi hoàn hảo {side}", "{side}完美对子"],
  noPerfectPair: ["no {side} perfect pair", "không đôi hoàn hảo {side}", "无{side}完美对子"],
  suited: ["{side}'s first two cards of one suit", "hai lá đầu của {side} cùng chất", "{side}首两张同花色"],
  equalPairs: ["equal pairs", "hai đôi cùng số", "双方对子点数相同"],
  noEqualPairs: ["no equal pairs", "không có hai đôi cùng số", "双方无相同对子"],
  anyCard: ["any", "bất kỳ", "任意牌"],
  red: ["red", "đỏ", "红色"],
  black: ["black", "đen", "黑色"],
  ranksOfSuits: ["{suits} {ranks}", "{ranks} {suits}", "{suits} {ranks}"],
  boxHas: ["box has {hands}", "ô có {hands}", "投注格为{hands}"],
  dealerHas: ["Dealer has {hands}", "người chia bài có {hands}", "荷官为{hands}"],
  reserve: ["{main}; Reserve: {reserve}", "{main}; Dự phòng: {reserve}", "{main}；备用金：{reserve}"],
  push: ["push", "hoàn tiền", "退回"],
  lose: ["lose", "thua", "输"],
  less: ["{odds} less {n}", "{odds} trừ {n}", "{odds} 减 {n}"],
});

/** A card of a hand by its place. */
export const places: Record<CardPlace, Words> = {
  first: ["{side}'s first card {cards}", "lá thứ nhất của {side}: {cards}", "{side}第一张：{cards}"],
  second: ["{side}'s second card {cards}", "lá thứ hai của {side}: {cards}", "{side}第二张：{cards}"],
  third: ["{side}'s third card {cards}", "lá thứ ba của {side}: {cards}", "{side}第三张：{cards}"],
};

/** How many cards are such. */
export const counts: Record<WhoseCards, Words> = {
  both: ["{n} × {cards}", "{n} × {cards}", "{n} × {cards}"],
  player: ["{n} × {cards} of the Player's", "{n} × {cards} của Nhà con", "闲 {n} × {cards}"],
  banker: ["{n} × {cards} of the Banker's", "{n} × {cards} của Nhà cái", "庄 {n} × {cards}"],
};

/** Every card is such. */
export const everies: Record<WhoseCards, Words> = {
  both: ["every card {cards}", "mọi lá: {cards}", "每张牌：{cards}"],
  player: ["every card of the Player's {cards}", "mọi lá của Nhà con: {cards}", "闲每张牌：{cards}"],
  banker: ["every card of the Banker's {cards}", "mọi lá của Nhà cái: {cards}", "庄每张牌：{cards}"],
};

export const suits: Record<CardSuit, Words> = {
  spades: cards.S,
  hearts: cards.H,
  clubs: cards.C,
  diamonds: cards.D,
};

/** Who wins a round, within a condition. */
export const wins: Record<Side | "tie", Words> = {
  player: ["Player wins", "Nhà con thắng", "闲赢"],
  banker: ["Banker wins", "Nhà cái thắng", "庄赢"],
  tie: ["tie", "hòa", "和局"],
};
