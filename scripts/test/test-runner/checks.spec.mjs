import { existsSync } from 'node:fs';
import { createToolGroups, runTool } from '../../lib/test-runner/checks.mjs';
import { createTempFolder } from '../support.mjs';
import { jest } from '@jest/globals';
import { relative } from 'node:path';
import { projectPath } from '../../lib/project.mjs';

const folder = createTempFolder();
const printed = [];
beforeEach(() => jest.spyOn(console, 'error').mockImplementation((text) => printed.push(text)));
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

/** A tool that prints lines and exits with a code. */
const createTool = (lines, code) => {
  const file = folder.write(
    'tool.mjs',
    `console.log(${JSON.stringify(lines.join('\n'))}); process.exitCode = ${code};`,
  );
  const findings = (output) => output.split('\n').filter((line) => line.includes('error'));
  return { name: 'style', args: [relative(projectPath('node_modules'), file)], findings };
};

it('reports the first ten findings and the number of further ones', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => `error ${index}`);
  const { code, failures } = await runTool(process.execPath, createTool(['start', ...lines], 1));
  expect(code).toBe(1);
  expect(failures).toEqual([{ name: 'style', lines: [...lines.slice(0, 10), 'and 2 more'] }]);
  expect(printed.at(-1)).toContain('error 11');
});

it('reports the last output of a crashed tool', async () => {
  const { failures } = await runTool(process.execPath, createTool(['start', 'crashed'], 2));
  expect(failures).toEqual([{ name: 'style', lines: ['start', 'crashed'] }]);
});

it('reports nothing for a tool without findings', async () => {
  expect(await runTool(process.execPath, createTool(['error 1 was fixed'], 0))).toMatchObject({
    code: 0,
    failures: [],
  });
});

it('finds each of its tools among the packages', async () => {
  const programs = createToolGroups()
    .flat()
    .map(({ args }) => projectPath('node_modules', args[0]));
  expect(programs.length).toBeGreaterThan(3);
  expect(programs.filter((program) => !existsSync(program))).toEqual([]);
});
