import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** All files under the paths (files or folders; missing ones are ignored), sorted, except those `isExcluded` accepts. */
export function listFiles(paths, isExcluded = () => false) {
  return paths.filter((path) => existsSync(path)).flatMap((path) => listPath(path, isExcluded));
}

/** Hash of names and contents; names are relative to `base`. */
export function hashFiles(files, base) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(base, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listPath(path, isExcluded) {
  if (isExcluded(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listPath(join(path, name), isExcluded));
}
