import './check-node.mjs';
import { buildIfStale, parts } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { findNode } from './node.mjs';
import { root, say } from './project.mjs';
import { inTurn } from './turn.mjs';

/**
 * Prepares the project to run: installs packages, then builds the requested parts, if needed. Concurrent processes wait
 * for each other.
 * @param wanted parts to build: `backend`, `frontend`
 * @returns the Node executable for the server
 */
export function prepare(wanted) {
  const work = async () => {
    await installIfNeeded();
    const node = findNode();
    const built = await Promise.allSettled(wanted.map((name) => buildIfStale(parts[name], node, root)));
    const failed = built.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return node;
  };
  return inTurn(root, work, () => say('waiting for another process that is installing or building here …'));
}
