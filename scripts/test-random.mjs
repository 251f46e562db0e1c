import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest, serverSuites } from './lib/proof/jest.mjs';
import { prepare } from './lib/prepare.mjs';
import { main, root, say } from './lib/project.mjs';

/**
 * `npm run test:random -- 20`: runs the property tests (every suite that uses fast-check) that many times with new
 * random seeds; for the night. Prints the seed of a failed round; `PROPERTY_SEED` repeats it.
 */
const rounds = Number(process.argv[2] ?? 5);

/** Suites below a folder that contain property tests. */
function propertySuites(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.spec.ts') && /fast-check|tree-run/.test(readFileSync(join(root, path), 'utf8')));
}

await main(async () => {
  const node = await prepare(['backend']);
  const suites = [...propertySuites('backend/src'), ...propertySuites('backend/test')];
  const failed = [];
  for (let round = 1; round <= rounds; round++) {
    const seed = randomInt(2 ** 31);
    say(`round ${round} of ${rounds}, PROPERTY_SEED=${seed}`);
    const env = { ...process.env, PROPERTY_SEED: String(seed) };
    const code = await jest(node, [...serverSuites, '--runTestsByPath', ...suites], { env });
    if (code !== 0) failed.push(seed);
  }
  say(failed.length === 0 ? `${rounds} rounds passed` : `failed with PROPERTY_SEED=${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});
