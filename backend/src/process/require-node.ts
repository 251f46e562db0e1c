import { fileURLToPath } from 'node:url';
import { unsupportedNodeMessage } from './node-version.js';

// Must be the first import of every program: an old Node.js would otherwise fail on a feature it doesn't support.
const message = unsupportedNodeMessage(process.versions.node, fileURLToPath(new URL('../../../..', import.meta.url)));
if (message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
