import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a folder: files of the source without specs and what is generated, and folders with the count of their entries. */
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
 * How large parts of the source are.
 * @param parents folders whose folders are a part each
 * @returns for each part its files and lines without specs, the median and the largest file, and the fullest folder
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
