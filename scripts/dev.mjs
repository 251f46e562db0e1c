import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main } from './lib/project.mjs';

/**
 * `npm run dev`: recompiles and restarts the server when its source changes; the page reloads by itself. The page is at
 * http://localhost:5173 and proxies everything else to the server.
 */
await main(async () => launch(await prepare([]), [inProject('scripts/lib/develop.mjs')]));
