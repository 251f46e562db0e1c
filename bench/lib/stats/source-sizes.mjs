import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the files below a folder, without specs and generated files, and the folders with their numbers of entries. */
function scanFolder(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const subfolders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => scanFolder(join(folder, name)));
  const files = entries
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.(spec|d)\.tsx?$/.test(name))
    .map(({ name }) => ({ path: join(folder, name), lines: countLines(join(folder, name)) }));
  return {
    files: [...files, ...subfolders.flatMap(({ files }) => files)],
    folders: [{ path: folder, entries: entries.length }, ...subfolders.flatMap(({ folders }) => folders)],
  };
}

const countLines = (file) => readFileSync(file, 'utf8').split('\n').length - 1;

/**
 * Measures the parts of the source.
 * @param parents folders whose subfolders are the parts
 * @returns for each part: files and lines without specs, median and largest file, number of folders, and entries of the fullest folder
 */
export function measureParts(parents) {
  return parents.flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ part: join(parent, name), ...measureFolder(join(parent, name)) })),
  );
}

function measureFolder(folder) {
  const { files, folders } = scanFolder(folder);
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  return {
    files: files.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    median: lines[Math.floor(lines.length / 2)] ?? 0,
    largest: lines.at(-1) ?? 0,
    maxEntries: Math.max(...folders.map(({ entries }) => entries)),
    folders: folders.length,
  };
}
