import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../errors/app-error.js';

/** Built page, beside the built backend in dist/. Run from its sources (tests, reload), the backend serves none. */
export const builtPageFolder = fileURLToPath(new URL('../../../../../frontend/', import.meta.url));

const INLINE_SCRIPT = /<script>([^]*?)<\/script>/g;

/** What a page asks for first, so that the browser can be told with the document. */
export interface PagePreloads {
  /** Files of the program in each language, beside those that every page loads. */
  readonly parts: Readonly<Record<Language, readonly string[]>>;
  /** Paths of the API; `:2` stands for the second part of the page's own address. */
  readonly asks: readonly string[];
  /** In their place where the browser remembers that somebody reads there; the server does not know. */
  readonly readersAsks?: readonly string[];
}

interface PagePattern extends PagePreloads {
  /** A regular expression for the addresses of the page. */
  readonly pattern: string;
  /** Behind the sign-in, which stands in its place for others. */
  readonly signedIn: boolean;
}

/** What the build of the page leaves for the server (frontend/vite). */
export interface BuiltPage {
  readonly indexHtml: string;
  /** What the page of an address needs; null where there is none and nothing is shown but a word of regret. */
  readonly preloadsOf: (path: string, signedIn: boolean) => PagePreloads | null;
  /** What draws pages (drawing.ts). */
  readonly rendererFile: string;
}

/** Reads the built page; null when there is none, as in tests and with reload. */
export function readBuiltPage(folder: string): BuiltPage | null {
  if (!existsSync(join(folder, 'assets'))) return null;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { pages, signIn } = JSON.parse(read('pages.json')) as { pages: PagePattern[]; signIn: PagePreloads };
  const patterns = pages.map((page) => ({ page, pattern: new RegExp(page.pattern, 'i') }));
  return {
    indexHtml: read('index.html'),
    preloadsOf: (path, signedIn) => {
      const page = patterns.find(({ pattern }) => pattern.test(path))?.page;
      if (!page) return null;
      return page.signedIn && !signedIn ? signIn : page;
    },
    rendererFile: join(folder, '.drawing.cjs'),
  };
}

/** What a content security policy says of the scripts that stand in the document itself: nothing else may run so. */
export function inlineScriptSources(folder = builtPageFolder): string[] {
  const document = readBuiltPage(folder)?.indexHtml ?? '';
  return [...document.matchAll(INLINE_SCRIPT)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
}
