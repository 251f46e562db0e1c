import { existsSync } from 'node:fs';
import { check, lanes } from '../../lib/proof/checks.mjs';
import { temporaryFolder } from '../temporary.mjs';
import { jest } from '@jest/globals';
import { relative } from 'node:path';
import { inProject } from '../../lib/project.mjs';

const folder = temporaryFolder();
const shown = [];
beforeEach(() => jest.spyOn(console, 'error').mockImplementation((text) => shown.push(text)));
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

/** A tool that prints lines and exits with a code. */
const tool = (lines, code) => {
  const file = folder.write(
    'tool.mjs',
    `console.log(${JSON.stringify(lines.join('\n'))}); process.exitCode = ${code};`,
  );
  const findings = (output) => output.split('\n').filter((line) => line.includes('error'));
  return { name: 'style', args: [relative(inProject('node_modules'), file)], findings };
};

it('reports the first ten findings and the number of further ones', async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `error ${at}`);
  const { code, failures } = await check(process.execPath, tool(['begin', ...lines], 1));
  expect(code).toBe(1);
  expect(failures).toEqual([{ where: 'style', lines: [...lines.slice(0, 10), 'and 2 more'] }]);
  expect(shown.at(-1)).toContain('error 11');
});

it('reports the last output of a crashed tool', async () => {
  const { failures } = await check(process.execPath, tool(['begin', 'cannot go on'], 2));
  expect(failures).toEqual([{ where: 'style', lines: ['begin', 'cannot go on'] }]);
});

it('reports nothing for a tool without findings', async () => {
  expect(await check(process.execPath, tool(['error 1 was mended'], 0))).toMatchObject({ code: 0, failures: [] });
});

it('finds each of its tools among the packages', async () => {
  const programs = lanes()
    .flat()
    .map(({ args }) => inProject('node_modules', args[0]));
  expect(programs.length).toBeGreaterThan(3);
  expect(programs.filter((program) => !existsSync(program))).toEqual([]);
});
