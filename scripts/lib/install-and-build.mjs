import './check-node.mjs';
import { buildIfStale, buildTargets } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { findNode } from './find-node.mjs';
import { projectRoot, log } from './project.mjs';
import { withFolderLock } from './folder-lock.mjs';

/**
 * Prepares the project to run: installs packages, then builds what is requested, both only if needed. Concurrent processes wait
 * for each other.
 * @param targets what to build: `backend`, `frontend`
 * @returns the Node executable for the server
 */
export function installAndBuild(targets) {
  const work = async () => {
    await installIfNeeded();
    const node = findNode();
    const results = await Promise.allSettled(
      targets.map((name) => buildIfStale(buildTargets[name], node, projectRoot)),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return node;
  };
  return withFolderLock(projectRoot, work, () =>
    log('waiting for another process that is installing or building here …'),
  );
}
