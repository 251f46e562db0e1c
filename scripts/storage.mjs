import { supervise } from './lib/supervise.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { projectPath, runMain } from './lib/project.mjs';

/** `npm run storage`: see docs/operations/storage.md. */
await runMain(async () => {
  const node = await installAndBuild(['backend']);
  return supervise(node, [projectPath('dist/backend/src/cli/storage.js'), ...process.argv.slice(2)]);
});
