import { fileURLToPath } from 'node:url';
import { nodeFault } from './node-version.js';

// Imported first by every program: an old Node.js would otherwise fail on something that it does not know.
const fault = nodeFault(process.versions.node, fileURLToPath(new URL('../../../..', import.meta.url)));
if (fault) {
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}
