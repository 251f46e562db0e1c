import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { onWindows, root, say, Trouble } from './project.mjs';
import { run } from './run.mjs';

/** Installs the lock file's packages unless they are installed already. */
export async function installIfNeeded() {
  if (isInstalled(root)) return;
  say(
    existsSync(join(root, 'node_modules'))
      ? 'packages have changed; installing …'
      : 'installing packages, about a minute …',
  );
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // Disables a package's install telemetry.
  const env = { ...hostEnv(), SCARF_ANALYTICS: 'false' };
  const code = await run('npm', args, { env, shell: onWindows });
  if (code !== 0) throw new Trouble("couldn't install the packages (npm ci). See the reason above.");
}

/**
 * Whether `node_modules` matches `package-lock.json`. npm writes its own lock file when an installation has finished,
 * so interrupted installations are detected and manual ones are accepted.
 */
export function isInstalled(folder) {
  const wanted = packagesIn(join(folder, 'package-lock.json'));
  const found = packagesIn(join(folder, 'node_modules/.package-lock.json'));
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const have = found[path];
    // Packages for other systems are in the lock file, but rightly not installed.
    if (!have) return Boolean(optional || devOptional);
    return have.version === version && have.integrity === integrity;
  });
}

/**
 * The environment without our own packages on the PATH: npm must not run on the Node version it is about to replace.
 */
export function hostEnv() {
  const own = join('node_modules', '.bin');
  const isOwn = (folder) => folder === own || folder.endsWith(sep + own) || folder.includes('node-gyp-bin');
  const others = Object.entries(process.env).filter(([name]) => name.toUpperCase() !== 'PATH');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !isOwn(folder));
  return { ...Object.fromEntries(others), PATH: path.join(delimiter) };
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
