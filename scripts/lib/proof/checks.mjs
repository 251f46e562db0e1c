import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../project.mjs';
import { outputOf } from '../run.mjs';
import { report } from './reports/report.mjs';

/** Findings of a tool repeated in the summary. */
const FINDINGS = 10;

const matching = (pattern) => (output) => output.split('\n').filter((line) => pattern.test(line));

/** `args` is a program in `node_modules`; `findings` extracts one line per finding from its output. */
const style = (paths) => ({
  name: 'style',
  args: ['eslint/bin/eslint.js', '--no-warn-ignored', '--format', 'json', ...paths],
  findings: eslintFindings,
});
const format = (paths) => ({
  name: 'format',
  args: ['prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...paths],
  findings: matching(/^\[(warn|error)\] .*[./]/),
});
const imports = {
  name: 'imports',
  args: [
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'backend/src',
    'frontend/src',
  ],
  findings: matching(/^ *(error|warn) /),
};
const typesOf = (part) => ({
  name: `types of the ${part}`,
  args: ['typescript/bin/tsc', '-p', `${part}/tsconfig.json`, '--noEmit', '--pretty', 'false'],
  findings: matching(/error TS/),
});

/**
 * Each lane uses one core, and its tools run in sequence. The lanes are balanced to end at about the same time: on two
 * cores style takes 30 seconds, the second lane 26 and 15, the third 20 and 6. Exported for its tests.
 */
export const lanes = (files) => {
  const code = files?.filter((path) => /\.[cm]?[jt]sx?$/.test(path)) ?? ['.'];
  const text = files ?? ['.'];
  const styled = code.length > 0 ? [style(code)] : [];
  const formatted = text.length > 0 ? [format(text)] : [];
  return [styled, [...formatted, typesOf('frontend')], [typesOf('backend'), imports]];
};

/**
 * Checks style, format, the import graph and types.
 * @param node the Node.js that runs the tools
 * @param files to check for style and format; null for all
 * @param limit an AbortSignal that ends the tools
 * @returns a stage's report (report.mjs)
 */
export async function checks(node, files = null, limit = undefined) {
  const reports = (await Promise.all(lanes(files).map((tools) => lane(node, tools, limit)))).flat();
  return report({
    code: reports.some(({ code }) => code !== 0) ? 1 : 0,
    failures: reports.flatMap((one) => one.failures),
  });
}

async function lane(node, tools, limit) {
  const reports = [];
  for (const tool of tools)
    reports.push(limit?.aborted ? unfinished(tool, 'never began') : await check(node, tool, limit));
  return reports;
}

/**
 * Runs one tool and prints its findings. Exported for its tests.
 * @param limit an AbortSignal that ends it
 */
export async function check(node, tool, limit = undefined) {
  const { name, args, findings } = tool;
  const [program, ...more] = args;
  const options = { signal: limit, killSignal: 'SIGKILL' };
  const outcome = await outputOf(node, [`node_modules/${program}`, ...more], options).catch((error) => {
    if (error.name === 'AbortError') return null;
    throw error;
  });
  if (outcome === null) return unfinished(tool, 'never ended');
  const { code, output } = outcome;
  if (code === 0) return report({});
  const plain = stripVTControlCharacters(output);
  const found = findings(plain);
  // A tool that crashed has no findings, so its last lines are shown.
  const told = found.length > 0 ? found : plain.trimEnd().split('\n').slice(-FINDINGS);
  console.error([`${name}:`, ...told].join('\n'));
  const rest = told.length - FINDINGS;
  const lines = [...told.slice(0, FINDINGS), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return report({ code, failures: [{ where: name, lines }] });
}

const unfinished = ({ name }, how) => report({ code: 1, failures: [{ where: name, lines: [how] }] });

function eslintFindings(output) {
  const begin = output.indexOf('[{');
  if (begin < 0) return [];
  const files = JSON.parse(output.slice(begin, output.lastIndexOf(']') + 1));
  return files.flatMap(({ filePath, messages }) =>
    messages.map(
      ({ line, column, message, ruleId }) => `${relative(root, filePath)}:${line}:${column} ${message} (${ruleId})`,
    ),
  );
}
