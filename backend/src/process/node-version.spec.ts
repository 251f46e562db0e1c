import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unsupportedNodeMessage } from './node-version.js';

const source = join(import.meta.dirname, '..');

describe('Unsupported Node.js version', () => {
  const project = mkdtempSync(join(tmpdir(), 'zonary-node-'));
  afterAll(() => rmSync(project, { recursive: true }));

  it('is reported with what to do', () => {
    expect(unsupportedNodeMessage('20.20.2', project)).toBe(
      'Zonary needs Node 22.17 or newer, and this is Node 20.20.2. Install Node 24 from nodejs.org, or start it with npm start.',
    );
    expect(unsupportedNodeMessage('22.16.0', project)).toContain('this is Node 22.16.0');
    expect([unsupportedNodeMessage('22.17.0', project), unsupportedNodeMessage('24.0.0', project)]).toEqual([
      null,
      null,
    ]);
  });

  it('is reported with the path of the Node.js among the installed packages', () => {
    const [system, name] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
    const folder = join(project, `node_modules/node-${system}-${process.arch}/bin`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '');
    expect(unsupportedNodeMessage('20.20.2', project)).toContain(
      `Use the one in its packages: "${join(folder, name)}"`,
    );
  });

  it('is checked by every program before anything else is loaded', () => {
    const programs = [
      'main.ts',
      ...readdirSync(join(source, 'cli'))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `cli/${name}`),
    ];
    expect(programs.length).toBeGreaterThan(5);
    for (const program of programs) {
      const [first] = readFileSync(join(source, program), 'utf8').split('\n');
      expect([program, first]).toEqual([program, expect.stringMatching(/^import '.*process\/require-node\.js';$/)]);
    }
  });

  it('can reach that check: no source statically imports modules that Node 20 lacks', () => {
    const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const imports = /^import (?!type )[^;]*from 'node:(sqlite|sea)'/m;
    expect(sources.filter((name) => imports.test(readFileSync(join(source, name), 'utf8')))).toEqual([]);
  });
});
