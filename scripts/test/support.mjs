import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder for one suite, with a helper for writing files. */
export function createTempFolder() {
  const path = mkdtempSync(join(tmpdir(), 'zonary-scripts-'));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Polls until a condition holds, limited by the test's timeout. */
export async function waitUntil(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
