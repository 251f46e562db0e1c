import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import commonEn from '../../app/i18n/locales/en';
import commonTr from '../../app/i18n/locales/tr';
import en from './locales/en';
import tr from './locales/tr';

const root = join(import.meta.dirname, '../../../..');

/** `Super Admin → Site`: the menu entry, two words, and the first word of the tab. */
const REFERENCE_PATTERN = /(\p{L}+ ?\p{L}*) → (\p{L}+)/gu;

/** Texts that refer to tabs by name: the docs, the command line and the page itself. */
function readTexts(): [string, string][] {
  const folders = ['docs', 'backend/src', 'frontend/src'];
  const fileNames = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const textFiles = ['README.md', ...fileNames].filter(
    (name) => /\.(md|ts|tsx)$/.test(name) && !/\.spec\.tsx?$/.test(name),
  );
  return textFiles.map((name) => [name, readFileSync(join(root, name), 'utf8').replace(/\s+/g, ' ')]);
}

describe('References to admin tabs in texts', () => {
  it.each([
    ['en', commonEn.nav.admin, en.tabs],
    ['tr', commonTr.nav.admin, tr.tabs],
  ] as const)('use the labels of the menu entry and the tab (%s)', (_, menuEntry, tabs) => {
    const labels = Object.values(tabs).map((label) => label.split(' ')[0]);
    const references = readTexts().flatMap(([name, text]) =>
      [...text.matchAll(REFERENCE_PATTERN)].map(([, from, to]) => ({ name, from: from!, to: to! })),
    );
    const adminReferences = references.filter(({ from }) => from.endsWith(menuEntry));
    expect(adminReferences.length).toBeGreaterThan(1);
    expect(adminReferences.filter(({ to }) => !labels.includes(to))).toEqual([]);
    expect(references.filter(({ from }) => /(?:Administration|Yönetim)$/.test(from))).toEqual([]);
  });
});
