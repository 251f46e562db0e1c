import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from './version.js';

const project = join(import.meta.dirname, '../../../..');
const textOf = (file: string) => readFileSync(join(project, file), 'utf8');
const manifestOf = (file: string) => JSON.parse(textOf(file)) as { version: string; packages?: { '': object } };

describe('productVersion', () => {
  it('equals the version in package.json and package-lock.json', () => {
    const { version } = manifestOf('package.json');
    const lock = manifestOf('package-lock.json');
    expect(productVersion()).toBe(version);
    expect([lock.version, lock.packages!['']]).toEqual([version, expect.objectContaining({ version })]);
  });

  it('is the latest section of CHANGELOG.md', () => {
    const released = [...textOf('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map((match) => match[1]);
    expect(released[0]).toBe(productVersion());
  });
});
