// The pictures of the README: the same browser and fixtures as the tests, with the release build.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

process.env["CROUPIER_BIN"] ??= new URL("../target/release/croupier", import.meta.url).pathname;

export default defineConfig({ ...tests, testMatch: "pictures.ts", workers: 1, fullyParallel: false, timeout: 180_000 });
