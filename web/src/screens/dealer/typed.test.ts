import { describe, expect, it } from "vitest";
import { cardsTyped } from "./typed";

describe("typed cards", () => {
  it("are a rank and a suit in either case", () => {
    expect(cardsTyped("8s")).toEqual(["8S"]);
    expect(cardsTyped(" KD ")).toEqual(["KD"]);
  });
  it("have two ways to write a ten", () => {
    expect(cardsTyped("10h")).toEqual(["TH"]);
    expect(cardsTyped("th")).toEqual(["TH"]);
  });
  it("come one after the other", () => {
    expect(cardsTyped("8s 10h,kd;ac")).toEqual(["8S", "TH", "KD", "AC"]);
    expect(cardsTyped("8s10hkd")).toEqual(["8S", "TH", "KD"]);
  });
  it("may have the suits as signs", () => {
    expect(cardsTyped("8♠ A♥")).toEqual(["8S", "AH"]);
  });
  it("are nothing else", () => {
    for (const text of ["", "8", "s8", "1S", "11S", "8X", "8S?"]) expect(cardsTyped(text)).toBeUndefined();
  });
});
