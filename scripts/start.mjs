import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { serverFlags } from './lib/server-flags.mjs';

/** `npm start`: installs, builds and runs whatever is needed; the server says where to click. */
await main(async () => {
  const node = await prepare(['backend', 'frontend']);
  say('starting …');
  const env = { NODE_ENV: process.env.NODE_ENV ?? 'production' };
  const flags = process.env.ROLE === 'worker' ? [] : serverFlags;
  return launch(node, [...flags, inProject('dist/backend/src/main.js')], env);
});
