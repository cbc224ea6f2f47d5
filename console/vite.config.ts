import react from "@vitejs/plugin-react";
import { compression, defineAlgorithm } from "vite-plugin-compression2";
import { defineConfig } from "vitest/config";
import { proxyTo } from "./daemon.config.ts";
import { handbook } from "./handbook.config.ts";
import { GROUPS, rooms } from "./rooms.config.ts";

const daemon = process.env.TALKDRUM_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [
    react(),
    rooms(),
    handbook(),
    // vite-plugin-compression2: kept up, does both encodings, needs nothing beside node's zlib.
    compression({
      include: /\.(html|js|css|svg|json|webmanifest)$/,
      exclude: /\.vite\//,
      threshold: 512,
      // The daemon unpacks the gzip for a client that takes none: hence that one last, after which the original goes.
      deleteOriginalAssets: true,
      algorithms: [
        defineAlgorithm("brotliCompress", { params: { 1: 11, 2: 24 } }), // the best quality, the widest window
        defineAlgorithm("gzip", { level: 9 }),
      ],
    }),
  ],
  build: {
    manifest: true,
    target: "es2022",
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    // Nothing is inlined as data: the policy of the daemon allows it for pictures only, and hashes cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { proxy: proxyTo(daemon) },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    // A form typed key by key takes seconds on a machine that compiles beside it.
    testTimeout: 30_000,
  },
});
