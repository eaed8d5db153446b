// Pictures of every game at every size, to look at: the browser and fixtures of the tests.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig({ ...tests, testMatch: "gallery.ts", workers: 1, fullyParallel: false, timeout: 600_000, retries: 0 });
