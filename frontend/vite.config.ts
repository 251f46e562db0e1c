import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite/chunks.ts';
import { compress } from './vite/compress.ts';
import { documentHead } from './vite/document-head.ts';
import { pageRenderersForServer } from './vite/page-renderers-for-server.ts';
import { pagesForServer } from './vite/pages-for-server.ts';

const api = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), documentHead(), pagesForServer(), pageRenderersForServer(), compress()],
  build: {
    outDir: '../dist/frontend',
    emptyOutDir: true,
    target: 'es2022',
    // One small style sheet, inlined in the HTML document (vite/document-head.ts).
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': api, '/healthz': api, '/dev': api },
  },
});
