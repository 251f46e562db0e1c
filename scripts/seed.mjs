import { installAndBuild } from './lib/install-and-build.mjs';
import { supervise } from './lib/supervise.mjs';
import { projectPath, runMain } from './lib/project.mjs';

/** `npm run seed`: fills the database with demonstration data. */
await runMain(async () => {
  const node = await installAndBuild(['backend']);
  return supervise(node, [projectPath('dist/backend/src/cli/seed.js'), ...process.argv.slice(2)]);
});
