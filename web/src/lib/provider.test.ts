import { expect, it } from "vitest";
import { answered } from "./provider";

it("reads the provider's answer on its own page only", () => {
  expect(answered("/sign-in", "?code=a&state=b")).toBeUndefined();
  expect(answered("/sign-in/provider", "?code=a&state=b")).toEqual({ code: "a", state: "b" });
  const whole = "?code=a&state=b&iss=https%3A%2F%2Flogin.example";
  expect(answered("/sign-in/provider/", whole)).toEqual({ code: "a", state: "b", issuer: "https://login.example" });
});

it("tells why the provider let nobody in", () => {
  expect(answered("/sign-in/provider", "?error=access_denied&state=b")).toEqual({ error: "access_denied" });
  expect(answered("/sign-in/provider", "")).toEqual({ error: "no answer" });
});
