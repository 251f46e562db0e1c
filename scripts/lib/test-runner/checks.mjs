import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from '../project.mjs';
import { captureOutput } from '../run.mjs';
import { createReport } from './reports/report.mjs';

/** Findings of a tool repeated in the summary. */
const MAX_FINDINGS = 10;

const filterLines = (pattern) => (output) => output.split('\n').filter((line) => pattern.test(line));

/** `args` is a program in `node_modules`; `findings` extracts one line per finding from its output. */
const typeCheck = {
  name: 'types and style',
  args: ['oxlint/bin/oxlint', '--format', 'unix'],
  findings: filterLines(/^\S+:\d+:\d+: /),
};
/** Our own rules, which oxlint doesn't have. */
const createStyleCheck = (paths) => ({
  name: 'style',
  args: ['eslint/bin/eslint.js', '--no-warn-ignored', '--format', 'json', ...paths],
  findings: listEslintFindings,
});
const createFormatCheck = (paths) => ({
  name: 'format',
  args: ['prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...paths],
  findings: filterLines(/^\[(warn|error)\] .*[./]/),
});
const importCheck = {
  name: 'imports',
  args: [
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'backend/src',
    'frontend/src',
  ],
  findings: filterLines(/^ *(error|warn) /),
};
/**
 * The tools of a group run in sequence, the groups in parallel. oxlint checks all files even if few have changed, because
 * a change can break the types of others. Exported for its tests.
 */
export const createToolGroups = (files) => {
  const codeFiles = files?.filter((path) => /\.[cm]?[jt]sx?$/.test(path)) ?? ['.'];
  const allFiles = files ?? ['.'];
  const styleChecks = codeFiles.length > 0 ? [createStyleCheck(codeFiles)] : [];
  const formatChecks = allFiles.length > 0 ? [createFormatCheck(allFiles)] : [];
  return [[typeCheck], formatChecks, [...styleChecks, importCheck]];
};

/**
 * Checks style, format, the import graph and types.
 * @param node the Node.js that runs the tools
 * @param files to check for style and format; null for all
 * @param abortSignal an AbortSignal that ends the tools
 * @returns a stage's report (report.mjs)
 */
export async function runChecks(node, files = null, abortSignal) {
  const reports = (
    await Promise.all(createToolGroups(files).map((tools) => runGroup(node, tools, abortSignal)))
  ).flat();
  return createReport({
    code: reports.some(({ code }) => code !== 0) ? 1 : 0,
    failures: reports.flatMap((report) => report.failures),
  });
}

async function runGroup(node, tools, abortSignal) {
  const reports = [];
  for (const tool of tools)
    reports.push(
      abortSignal?.aborted ? createUnfinishedReport(tool, 'not started') : await runTool(node, tool, abortSignal),
    );
  return reports;
}

/**
 * Runs one tool and prints its findings. Exported for its tests.
 * @param abortSignal an AbortSignal that ends it
 */
export async function runTool(node, tool, abortSignal) {
  const { name, args, findings } = tool;
  const [program, ...programArgs] = args;
  const options = { signal: abortSignal, killSignal: 'SIGKILL' };
  const outcome = await captureOutput(node, [`node_modules/${program}`, ...programArgs], options).catch((error) => {
    if (error.name === 'AbortError') return null;
    throw error;
  });
  if (outcome === null) return createUnfinishedReport(tool, 'not finished');
  const { code, output } = outcome;
  if (code === 0) return createReport({});
  const plainOutput = stripVTControlCharacters(output);
  const found = findings(plainOutput);
  // A tool that crashed has no findings, so its last lines are shown.
  const shownLines = found.length > 0 ? found : plainOutput.trimEnd().split('\n').slice(-MAX_FINDINGS);
  console.error([`${name}:`, ...shownLines].join('\n'));
  const rest = shownLines.length - MAX_FINDINGS;
  const lines = [...shownLines.slice(0, MAX_FINDINGS), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return createReport({ code, failures: [{ name, lines }] });
}

const createUnfinishedReport = ({ name }, reason) => createReport({ code: 1, failures: [{ name, lines: [reason] }] });

function listEslintFindings(output) {
  const start = output.indexOf('[{');
  if (start < 0) return [];
  const files = JSON.parse(output.slice(start, output.lastIndexOf(']') + 1));
  return files.flatMap(({ filePath, messages }) =>
    messages.map(
      ({ line, column, message, ruleId }) =>
        `${relative(projectRoot, filePath)}:${line}:${column} ${message} (${ruleId})`,
    ),
  );
}
