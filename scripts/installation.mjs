import { launch } from './lib/launch.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main } from './lib/project.mjs';

/** `npm run installation`: see docs/operations/storage.md. */
await main(async () => {
  const node = await prepare(['backend']);
  return launch(node, [inProject('dist/backend/src/cli/installation.js'), ...process.argv.slice(2)]);
});
