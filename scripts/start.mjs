import { installAndBuild } from './lib/install-and-build.mjs';
import { supervise } from './lib/supervise.mjs';
import { projectPath, runMain, log } from './lib/project.mjs';
import { serverEnv, serverFlags, workerEnv, workerFlags } from './lib/server-flags.mjs';

/** `npm start`: installs, builds and runs whatever is needed; the server prints the URL. */
await runMain(async () => {
  const node = await installAndBuild(['backend', 'frontend']);
  log('starting …');
  const isWorker = process.env.ROLE === 'worker';
  const env = { NODE_ENV: process.env.NODE_ENV ?? 'production', ...(isWorker ? workerEnv : serverEnv) };
  const flags = isWorker ? workerFlags : serverFlags;
  return supervise(node, [...flags, projectPath('dist/backend/src/main.js')], env);
});
