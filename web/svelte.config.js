// Every component is written with runes.
import { readdirSync } from "node:fs";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

const components = readdirSync(new URL("src", import.meta.url), { recursive: true })
  .map((name) => String(name).replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".svelte"))
  .sort();

/** The class that keeps a component's styles its own. It stands in every rule, so it is short: the component's number. */
function scope(filename, hash, css) {
  const path = `/${filename.replaceAll("\\", "/")}`;
  const place = components.findIndex((name) => path.endsWith(`/src/${name}`));
  return place < 0 ? `s-${hash(css)}` : `s${place.toString(36)}`;
}

/** @type {import("@sveltejs/vite-plugin-svelte").SvelteConfig} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    discloseVersion: false,
    cssHash: ({ filename = "", hash, css }) => scope(filename, hash, css),
  },
};
