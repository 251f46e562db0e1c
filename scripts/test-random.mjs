import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJest, serverProjects } from './lib/test-runner/jest.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { log, projectRoot, runMain } from './lib/project.mjs';

/**
 * `npm run test:random -- 20`: runs the property tests (every suite that uses fast-check) that many times with new
 * random seeds; for the night. Prints the seed of a failed round; `PROPERTY_SEED` repeats it.
 */
const rounds = Number(process.argv[2] ?? 5);

/** Suites below a folder that contain property tests. */
function listPropertySuites(folder) {
  return readdirSync(join(projectRoot, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter(
      (path) => path.endsWith('.spec.ts') && /fast-check|tree-run/.test(readFileSync(join(projectRoot, path), 'utf8')),
    );
}

await runMain(async () => {
  const node = await installAndBuild(['backend']);
  const suites = [...listPropertySuites('backend/src'), ...listPropertySuites('backend/test')];
  const failedSeeds = [];
  for (let round = 1; round <= rounds; round++) {
    const seed = randomInt(2 ** 31);
    log(`round ${round} of ${rounds}, PROPERTY_SEED=${seed}`);
    const env = { ...process.env, PROPERTY_SEED: String(seed) };
    const code = await runJest(node, [...serverProjects, '--runTestsByPath', ...suites], { env });
    if (code !== 0) failedSeeds.push(seed);
  }
  log(failedSeeds.length === 0 ? `${rounds} rounds passed` : `failed with PROPERTY_SEED=${failedSeeds.join(', ')}`);
  return failedSeeds.length === 0 ? 0 : 1;
});
