// How the UI is built: one entry, screens loaded when they are opened, every file also compressed for the server.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Writes `file.br` beside each file that shrinks: the server only hands them out. */
function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle() {
      // A build that failed says so itself.
      if (!existsSync(folder)) return;
      const files = readdirSync(folder, { recursive: true, withFileTypes: true });
      for (const file of files.filter((file) => file.isFile() && /\.(html|js|css|svg|json)$/.test(file.name))) {
        const path = join(file.parentPath, file.name);
        const bytes = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        const small = brotliCompressSync(bytes, { params });
        if (small.length < bytes.length) writeFileSync(`${path}.br`, small);
      }
    },
  };
}

const server = process.env["CROUPIER_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte(), compressed()],
  build: {
    target: "es2022",
    // The content policy of the server allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    // Small files compress poorly: one for the looks, and one script for each kind of visitor.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "play", test: /src\/screens\/(lobby|entrance|table|rounds|shoe|me)\// },
            { name: "floor", test: /src\/screens\/(board|dealer|pit|watch)\// },
            { name: "office", test: /src\/screens\// },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` shows edits at once, over a server that runs elsewhere (CROUPIER_URL).
    proxy: { "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } } },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
