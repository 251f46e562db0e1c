import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { muiChunk } from './vite/chunks.ts';
import { compress } from './vite/compress.ts';
import { pagePathsForServer } from './vite/page-paths.ts';
import { prerender } from './vite/prerender.ts';
import { themeInHead } from './vite/theme-in-head.ts';

const api = 'http://localhost:3000';

/** A group of packages that changes rarely and is shared by many pages, so that it is cached on its own. */
const group = (name: string, packages: string, priority: number) => ({
  name,
  test: new RegExp(`[\\\\/]node_modules[\\\\/](?:${packages})[\\\\/]`),
  priority,
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeInHead(), pagePathsForServer(), prerender(), compress()],
  build: {
    outDir: '../dist/frontend',
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            group('react', 'react|react-dom|scheduler|react-router|cookie|set-cookie-parser', 30),
            group('data', '@tanstack|openapi-fetch|openapi-react-query|i18next|react-i18next', 20),
            { name: muiChunk, priority: 10 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': api, '/healthz': api, '/dev': api },
  },
});
