import { installAndBuild } from './lib/install-and-build.mjs';
import { supervise } from './lib/supervise.mjs';
import { projectPath, runMain } from './lib/project.mjs';

/**
 * `npm run dev`: recompiles and restarts the server when its source changes; the page reloads by itself. The page is at
 * http://localhost:5173 and proxies everything else to the server.
 */
await runMain(async () => supervise(await installAndBuild([]), [projectPath('scripts/lib/dev-server.mjs')]));
