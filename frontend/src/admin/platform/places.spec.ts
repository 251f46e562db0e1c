import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import en from './locales/en';
import tr from './locales/tr';

const root = join(import.meta.dirname, '../../../..');

/** `Super Admin → Installation`: the two words before the arrow, the one after it. */
const LED = /(\p{L}+ ?\p{L}*) → (\p{L}+)/gu;

/** Where people are led by words: what operators read, what the terminal says, and the page itself. */
function texts(): [string, string][] {
  const folders = ['docs', 'backend/src', 'frontend/src'];
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const read = ['README.md', ...names].filter((name) => /\.(md|ts|tsx)$/.test(name) && !/\.spec\.tsx?$/.test(name));
  return read.map((name) => [name, readFileSync(join(root, name), 'utf8').replace(/\s+/g, ' ')]);
}

describe('a place of the administration', () => {
  it.each([
    ['en', en],
    ['tr', tr],
  ] as const)('is named as its tab is, wherever somebody is led there (%s)', (_, { title, tabs }) => {
    const labels = Object.values(tabs).map((label) => label.split(' ')[0]);
    const led = texts().flatMap(([name, text]) =>
      [...text.matchAll(LED)].map(([, from, to]) => ({ name, from: from!, to: to! })),
    );
    const there = led.filter(({ from }) => from.endsWith(title));
    expect(there.length).toBeGreaterThan(1);
    expect(there.filter(({ to }) => !labels.includes(to))).toEqual([]);
    expect(led.filter(({ from }) => /(?:Administration|Yönetim)$/.test(from))).toEqual([]);
  });
});
