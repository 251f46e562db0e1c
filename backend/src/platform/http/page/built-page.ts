import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../errors/app-error.js';

/** A page drawn at build time: what stands in the document before the program has loaded. */
export interface DrawnPage {
  readonly title: string;
  readonly description: string;
  /** With marks where something belongs that only the running installation knows (fill-in.ts). */
  readonly html: string;
  /** What stands in the head for it: its styles. */
  readonly head: string;
}

/** What the build of the page leaves for the server (frontend/vite). */
export interface BuiltPage {
  readonly document: string;
  /** Whether an address has a page; for the others there is nothing but a word of regret. */
  readonly hasPage: (path: string) => boolean;
  readonly landing: Readonly<Record<Language, DrawnPage>>;
}

/** Reads the built page; null when there is none, as in tests and with reload. */
export function readBuiltPage(folder: string): BuiltPage | null {
  if (!existsSync(join(folder, 'assets'))) return null;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const patterns = new RegExp((JSON.parse(read('pages.json')) as string[]).join('|'), 'i');
  return {
    document: read('index.html'),
    hasPage: (path) => patterns.test(path),
    landing: JSON.parse(read('.landing.json')) as BuiltPage['landing'],
  };
}
