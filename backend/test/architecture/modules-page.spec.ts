import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../../..');
const page = readFileSync(join(project, 'docs/modules.md'), 'utf8');

/** Folders in the first column of the table below a heading. */
function foldersBelow(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)\/`/gm)].map((row) => row[1]!);
}

const foldersIn = (path: string) =>
  readdirSync(join(project, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The order in which modules may import each other, from the dependency-cruiser rules. */
function orderOfModules(): string[] {
  const rules = readFileSync(join(project, '.dependency-cruiser.cjs'), 'utf8');
  const [, list = ''] = /const order = \[([^\]]+)\]/.exec(rules) ?? [];
  return [...list.matchAll(/'([a-z-]+)'/g)].map((match) => match[1]!);
}

describe('docs/modules.md', () => {
  it('lists every folder of the platform', () => {
    expect(foldersBelow('Platform').sort()).toEqual(foldersIn('backend/src/platform').sort());
  });

  it('lists every module in the order of imports', () => {
    const listed = foldersBelow('Feature modules');
    expect(listed).toEqual(orderOfModules());
    expect(listed.sort()).toEqual(foldersIn('backend/src/modules').sort());
  });

  it('names only folders that exist inside the modules', () => {
    const parts = page.split('### Folders inside the modules')[1]!.split('\n## ')[0]!;
    const named = parts.split(/^(?=`[a-z-]+\/`:$)/m).flatMap((part) => {
      const [, module] = /^`([a-z-]+)\/`:$/m.exec(part) ?? [];
      const items = [...part.matchAll(/^- (.+?):/gm)].flatMap((item) => [...item[1]!.matchAll(/`([a-z/-]+)\/`/g)]);
      return module ? items.map((folder) => join('backend/src/modules', module, folder[1]!)) : [];
    });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((folder) => !existsSync(join(project, folder)))).toEqual([]);
  });
});
