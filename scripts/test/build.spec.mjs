import { jest } from '@jest/globals';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, buildTargets } from '../lib/build.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());

/** A compiler that copies the only source, counts its runs, and fails if the source says so. */
const compiler = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  appendFileSync('runs', '.');
  const source = readFileSync('src/main.txt', 'utf8');
  mkdirSync('dist/compiled', { recursive: true });
  writeFileSync('dist/compiled/main.txt', source);
  if (source === 'broken') process.exit(1);
`;
/** The second step of the build. */
const bundler = `
  import { cpSync } from 'node:fs';
  cpSync('dist/compiled/main.txt', 'dist/part/main.txt');
`;
const target = {
  name: 'part',
  sources: ['src'],
  excluded: /\.spec\.txt$/,
  outDir: 'dist/part',
  buildCommands: [[folder.write('compiler.mjs', compiler)], [folder.write('bundler.mjs', bundler)]],
  compiled: { outDir: 'dist/compiled', toSourcePath: (file) => join('src', file) },
};

/** Builds if needed; returns how often the compiler has run so far. */
async function buildAndCountRuns() {
  await buildIfStale(target, process.execPath, folder.path);
  return readFileSync(join(folder.path, 'runs'), 'utf8').length;
}

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  rmSync(join(folder.path, 'runs'), { force: true });
  rmSync(join(folder.path, 'dist'), { recursive: true, force: true });
  folder.write('src/main.txt', 'one');
  expect(await buildAndCountRuns()).toBe(1);
});

it('builds once while nothing changes', async () => {
  expect(await buildAndCountRuns()).toBe(1);
});

it('rebuilds when a source is changed, added or removed, or a package changes', async () => {
  folder.write('src/main.txt', 'two');
  expect(await buildAndCountRuns()).toBe(2);
  const addedFile = folder.write('src/deep/more.txt', 'more');
  expect(await buildAndCountRuns()).toBe(3);
  rmSync(addedFile);
  expect(await buildAndCountRuns()).toBe(4);
  folder.write('package-lock.json', 'another version');
  expect(await buildAndCountRuns()).toBe(5);
});

it('does not rebuild for a changed test', async () => {
  folder.write('src/main.spec.txt', 'a test');
  expect(await buildAndCountRuns()).toBe(1);
});

it('rebuilds from scratch when dist holds foreign files and removes outputs without a source', async () => {
  const buildInfo = folder.write('dist/compiled/.tsbuildinfo', 'build info');
  expect(await buildAndCountRuns()).toBe(1);
  folder.write('dist/part/main.txt', 'built by something else');
  const orphan = folder.write('dist/compiled/deep/orphan.txt', '');
  expect(await buildAndCountRuns()).toBe(2);
  expect(existsSync(buildInfo)).toBe(false);
  expect(existsSync(orphan)).toBe(false);
  expect(readFileSync(join(folder.path, 'dist/part/main.txt'), 'utf8')).toBe('one');
});

it('rebuilds in a copy of the project folder', async () => {
  const other = createTempFolder();
  cpSync(folder.path, other.path, { recursive: true });
  await buildIfStale(target, process.execPath, other.path);
  expect(readFileSync(join(other.path, 'runs'), 'utf8').length).toBe(2);
  other.remove();
});

it('rebuilds after a failed build', async () => {
  folder.write('src/main.txt', 'broken');
  await expect(buildAndCountRuns()).rejects.toThrow('the part could not be built');
  await expect(buildAndCountRuns()).rejects.toThrow('the part could not be built');
  folder.write('src/main.txt', 'one');
  expect(await buildAndCountRuns()).toBe(4);
});

it.each([
  ['backend', 'backend/src/zones/zones.service.spec.ts', true],
  ['backend', 'backend/src/zones/zones.service.ts', false],
  ['frontend', 'frontend/src/app/app.spec.tsx', true],
  ['frontend', 'frontend/e2e', true],
  ['frontend', 'frontend/src/app/app.tsx', false],
])('decides whether the %s build ignores %s: %s', (name, path, isExcluded) => {
  expect(buildTargets[name].excluded.test(path)).toBe(isExcluded);
});
