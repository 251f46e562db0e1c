import { fileURLToPath } from 'node:url';
import { unsupportedNodeMessage } from './node-version.js';

// Imported first by every program: an old Node.js would otherwise fail on something that it does not know.
const message = unsupportedNodeMessage(process.versions.node, fileURLToPath(new URL('../../../..', import.meta.url)));
if (message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
