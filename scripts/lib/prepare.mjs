import './check-node.mjs';
import { buildIfStale, parts } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { findNode } from './node.mjs';
import { root, say } from './project.mjs';
import { inTurn } from './turn.mjs';

/**
 * Brings the project into a state in which it runs: packages, then the parts asked for. Does nothing that is done
 * already; two processes take turns.
 * @param wanted names of parts to build: `backend`, `frontend`
 * @returns the Node to run the server with
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
