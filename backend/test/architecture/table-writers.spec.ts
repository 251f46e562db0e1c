import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../../src/modules');

/** Statements of Kysely and of SQL that write a table; the first group is its name. */
const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\binsert\s+into\s+"?([a-z_]+)"?/g,
  /\bupdate\s+"?([a-z_]+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/g,
  /\bdelete\s+from\s+"?([a-z_]+)"?/g,
];

/** Statements over tables of many modules, and the schema's triggers. */
const SHARED = ['retention/retention-policies.sql.ts', 'files/entities/folder-mirror.entity.ts'];

/** Tables with several writers, each for columns or steps of its own (see docs/rules.md). */
const SEVERAL_WRITERS: Record<string, readonly string[]> = {};

/** Returns the files that write each table. */
async function findWriters(): Promise<Map<string, string[]>> {
  const writers = new Map<string, string[]>();
  const names = await readdir(modules, { recursive: true });
  for (const name of names.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).sort()) {
    if (SHARED.includes(name)) continue;
    const code = readFileSync(join(modules, name), 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    const tables = new Set(WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!)));
    for (const table of tables) writers.set(table, [...(writers.get(table) ?? []), name]);
  }
  return writers;
}

describe('Tables', () => {
  it('are written by one repository each, except those listed', async () => {
    const several = [...(await findWriters())].filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(several.sort())).toEqual(SEVERAL_WRITERS);
  });

  it('are written in repositories only', async () => {
    const files = [...(await findWriters()).values()].flat();
    expect([...new Set(files)].filter((file) => !/\.(repository|sql)\.ts$/.test(file))).toEqual([]);
  });
});
