import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from './project.mjs';
import { run } from './run.mjs';

/**
 * Writes the contract and the types made from it once more, elsewhere, and compares them with what is kept in the project.
 * @param node the Node to run with; the backend must have been built
 * @returns exit code
 */
export async function checkContract(node) {
  const folder = mkdtempSync(join(tmpdir(), 'zonary-contract-'));
  try {
    const contract = join(folder, 'openapi.json');
    const types = join(folder, 'schema.d.ts');
    const steps = [
      [inProject('dist/backend/src/cli/openapi.js'), contract],
      [inProject('node_modules/openapi-typescript/bin/cli.js'), contract, '-o', types],
    ];
    for (const step of steps) {
      const code = await run(node, step, { stdio: ['ignore', 'ignore', 'inherit'] });
      if (code !== 0) return code;
    }
    const same = [compare('openapi.json', contract), compare('frontend/src/shared/api/schema.d.ts', types)];
    return same.every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(kept, made) {
  if (read(inProject(kept)) === read(made)) return true;
  console.error(`${kept} does not say what the controllers say. Run "npm run openapi" and commit what it writes.`);
  return false;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
