import { expect, it } from "vitest";
import { grouped, proofOf } from "./factor";

it("tells a code of the app from a recovery code", () => {
  expect(proofOf(" 123 456 ")).toEqual({ code: "123 456" });
  expect(proofOf("123456")).toEqual({ code: "123456" });
  expect(proofOf("abcd-efgh-2345-6722 ")).toEqual({ recovery: "abcd-efgh-2345-6722" });
  expect(proofOf("2222-3333-4444-5555")).toEqual({ recovery: "2222-3333-4444-5555" });
});

it("writes a key in groups", () => {
  expect(grouped("GEZDGNBVGY3TQOJQ")).toBe("GEZD GNBV GY3T QOJQ");
  expect(grouped("GEZDG")).toBe("GEZD G");
  expect(grouped("")).toBe("");
});
