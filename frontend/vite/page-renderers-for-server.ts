import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

const project = join(import.meta.dirname, '..');

/**
 * Builds `src/app/page-renderers.tsx` as a single file for Node. The server uses it for SSR
 * (`backend/src/platform/http/page/ssr-renderer.ts`).
 */
export function pageRenderersForServer(): Plugin {
  return {
    name: 'page-renderers-for-server',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        await build({
          root: project,
          configFile: false,
          logLevel: 'error',
          plugins: [react()],
          define: { 'process.env.NODE_ENV': JSON.stringify('production') },
          ssr: { noExternal: true },
          build: {
            ssr: 'src/app/page-renderers.tsx',
            outDir: dir!,
            emptyOutDir: false,
            copyPublicDir: false,
            minify: true,
            rolldownOptions: { output: { format: 'cjs', entryFileNames: '.page-renderers.cjs', codeSplitting: false } },
          },
        });
      },
    },
  };
}
