import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main } from './lib/project.mjs';

/** `npm run seed`: fills the database with demonstration data. */
await main(async () => {
  const node = await prepare(['backend']);
  return launch(node, [inProject('dist/backend/src/cli/seed.js'), ...process.argv.slice(2)]);
});
