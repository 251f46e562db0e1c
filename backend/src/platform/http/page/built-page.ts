import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../errors/app-error.js';

/**
 * The built frontend, beside the built backend in dist/. When run from source (tests, watch mode), the backend serves
 * none.
 */
export const builtPageFolder = fileURLToPath(new URL('../../../../../frontend/', import.meta.url));

const INLINE_SCRIPT = /<script>([^]*?)<\/script>/g;

/** What a page loads first, to be preloaded by the document. */
export interface PagePreloads {
  /** Script files by language, in addition to those that every page loads. */
  readonly parts: Readonly<Record<Language, readonly string[]>>;
  /** API paths; `:2` stands for the second segment of the page's own path. */
  readonly prefetches: readonly string[];
  /**
   * Replaces these in browsers that remember that `/` is the member home of their user, which the server doesn't know.
   */
  readonly memberHomePrefetches?: readonly string[];
}

interface PagePattern extends PagePreloads {
  /** A regular expression for the page's paths. */
  readonly pattern: string;
  /** Requires sign-in; others see the sign-in page instead. */
  readonly signedIn: boolean;
}

/** Build output of the frontend that the server uses (frontend/vite). */
export interface BuiltPage {
  readonly indexHtml: string;
  /** Returns the preloads for a path; null when there is no page and only an error is shown. */
  readonly preloadsOf: (path: string, signedIn: boolean) => PagePreloads | null;
  /** Path of the SSR module, which ssr-renderer.ts loads. */
  readonly rendererFile: string;
}

/** Reads the built frontend; null when there is none, as in tests and watch mode. */
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
    rendererFile: join(folder, '.page-renderers.cjs'),
  };
}

/** Returns the CSP sources of the inline scripts in the document; no other inline script may run. */
export function inlineScriptSources(folder = builtPageFolder): string[] {
  const document = readBuiltPage(folder)?.indexHtml ?? '';
  return [...document.matchAll(INLINE_SCRIPT)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
}
