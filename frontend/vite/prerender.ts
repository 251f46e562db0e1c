import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } };
type Prerender = typeof import('../src/app/prerender');

const project = join(import.meta.dirname, '..');
const landingPage = /features\/landing\/landing\.page\.tsx$/;
const entry = /index\.html$/;

/**
 * Draws the landing page at build time, in every language, so that it can be read before any program has loaded. Leaves
 * it in `.pages.json` beside the built page, with the addresses that have a page; the server puts both to use.
 */
export function prerender(): Plugin {
  let head = '';
  return {
    name: 'prerender',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        head = headOf(bundle);
      },
    },
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        const landing = await inNode(join(dir!, '..'), async ({ drawLanding }) => ({
          en: { ...(await drawLanding('en')), head },
          tr: { ...(await drawLanding('tr')), head },
        }));
        writeFileSync(join(dir!, '.landing.json'), JSON.stringify(landing));
      },
    },
  };
}

/** Styles of the first document and of the landing page. */
function headOf(bundle: Bundle): string {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId && entry.test(facadeModuleId));
  const landing = chunks.find(({ facadeModuleId }) => facadeModuleId && landingPage.test(facadeModuleId));
  if (!first || !landing) throw new Error('The build has no landing page of its own.');
  const needed = [...new Set([first, landing].flatMap((chunk) => withImports(chunk, bundle)))];
  const styles = new Set(needed.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
  const css = [...styles].map((name) => sourceOf(bundle, name)).join('');
  return `<style>${css}</style>`;
}

function withImports(chunk: Chunk, bundle: Bundle): Chunk[] {
  const seen = new Set<Chunk>();
  const visit = (one: Chunk) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const name of one.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') visit(imported as Chunk);
    }
  };
  visit(chunk);
  return [...seen];
}

function sourceOf(bundle: Bundle, name: string): string {
  const asset = bundle[name];
  return asset?.type === 'asset' ? String(asset.source) : '';
}

/** Builds the same sources for Node and works with them there, with as much of a browser as they look at. */
async function inNode<T>(dist: string, work: (prerender: Prerender) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(dist, '.prerender-'));
  try {
    await build({
      root: project,
      configFile: false,
      logLevel: 'error',
      plugins: [react()],
      build: {
        ssr: 'src/app/prerender.tsx',
        outDir: folder,
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });
    pretendBrowser();
    return await work((await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Prerender);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pretendBrowser(): void {
  const root = { setAttribute: () => undefined, lang: 'en' };
  const document = {
    documentElement: root,
    querySelector: () => ({ content: '[[appName]]' }),
    getElementById: () => null,
  };
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { document, localStorage: storage, location: new URL('http://localhost/') });
}
