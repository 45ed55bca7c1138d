/// <reference types="vitest/config" />
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `dayshift up` listens, unless told otherwise. */
const office = process.env.DAYSHIFT_DEV_OFFICE ?? 'http://127.0.0.1:8787';

/** Lets the browser fetch the frame of an office together with what starts it. */
function frameFirst(): Plugin {
  return {
    name: 'frame-first',
    transformIndexHtml: (_html, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((file) => file.type === 'chunk' && file.name === 'frame')
        .map((file) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file.fileName}` },
        })),
  };
}

export default defineConfig({
  // Reads tsr.config.json: file routes in src/shell/routes, each split into a chunk of its own.
  plugins: [tanstackRouter(), react(), frameFirst()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: office } },
  },
  build: {
    // The package serves this folder; it is git-ignored and goes into the wheel.
    outDir: '../src/dayshift/_ui',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // Few big files instead of a hundred small ones: what sign-in needs, and what every page needs
        // besides, each with all that it imports.
        codeSplitting: {
          groups: [
            { name: 'base', test: /src[\\/](main\.tsx|shell[\\/]signin)/ },
            { name: 'frame', test: /src[\\/]shell[\\/]layout[\\/]/ },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    testTimeout: 10_000,
  },
});
