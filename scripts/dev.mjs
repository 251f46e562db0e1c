import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main } from './lib/project.mjs';

/**
 * `npm run dev`: the server is compiled and started again at every change of its sources, the page reloads by itself.
 * The page is at http://localhost:5173 and hands what it does not know to the server.
 */
await main(async () => launch(await prepare([]), [inProject('scripts/lib/develop.mjs')]));
