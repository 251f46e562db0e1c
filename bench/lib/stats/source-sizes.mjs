import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files below a folder, without specs and generated files, and folders with their number of entries. */
function within(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => within(join(folder, name)));
  const own = entries
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.(spec|d)\.tsx?$/.test(name))
    .map(({ name }) => ({ path: join(folder, name), lines: linesOf(join(folder, name)) }));
  return {
    files: [...own, ...below.flatMap(({ files }) => files)],
    folders: [{ path: folder, entries: entries.length }, ...below.flatMap(({ folders }) => folders)],
  };
}

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;

/**
 * Sizes of the source's parts.
 * @param parents folders whose subfolders are the parts
 * @returns for each part: files and lines without specs, median and largest file, and the folder with most entries
 */
export function sizesOf(parents) {
  return parents.flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ part: join(parent, name), ...sizeOf(join(parent, name)) })),
  );
}

function sizeOf(folder) {
  const { files, folders } = within(folder);
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  return {
    files: files.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    median: lines[Math.floor(lines.length / 2)] ?? 0,
    largest: lines.at(-1) ?? 0,
    fullest: Math.max(...folders.map(({ entries }) => entries)),
    rooms: folders.length,
  };
}
