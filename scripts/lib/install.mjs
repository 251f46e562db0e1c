import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { isWindows, projectRoot, log, ScriptError } from './project.mjs';
import { run } from './run.mjs';

/** Installs the lock file's packages unless they are installed already. */
export async function installIfNeeded() {
  if (isInstalled(projectRoot)) return;
  rejectLinkedPackages(projectRoot);
  log(
    existsSync(join(projectRoot, 'node_modules'))
      ? 'packages have changed; installing …'
      : 'installing packages, about a minute …',
  );
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // Disables a package's install telemetry.
  const env = { ...createHostEnv(), SCARF_ANALYTICS: 'false' };
  const code = await run('npm', args, { env, shell: isWindows });
  if (code !== 0) throw new ScriptError("couldn't install the packages (npm ci). See the output above.");
}

/**
 * Whether `node_modules` matches `package-lock.json`. npm writes its own lock file when an installation has finished,
 * so interrupted installations are detected and manual ones are accepted.
 */
export function isInstalled(folder) {
  const locked = readPackages(join(folder, 'package-lock.json'));
  const installed = readPackages(join(folder, 'node_modules/.package-lock.json'));
  if (!locked || !installed) return false;
  return Object.entries(locked).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const present = installed[path];
    // Packages for other systems are in the lock file, but rightly not installed.
    if (!present) return Boolean(optional || devOptional);
    return present.version === version && present.integrity === integrity;
  });
}

/** Throws if `node_modules` is a link: `npm ci` would empty the folder it leads to. */
export function rejectLinkedPackages(folder) {
  if (lstatSync(join(folder, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ScriptError(
      "node_modules is a link to packages that don't match package-lock.json. Remove the link and try again.",
    );
}

/**
 * The environment without our own packages on the PATH: npm must not run on the Node version it is about to replace.
 */
export function createHostEnv() {
  const packageBins = join('node_modules', '.bin');
  const isPackageBin = (folder) =>
    folder === packageBins || folder.endsWith(sep + packageBins) || folder.includes('node-gyp-bin');
  const otherVariables = Object.entries(process.env).filter(([name]) => name.toUpperCase() !== 'PATH');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !isPackageBin(folder));
  return { ...Object.fromEntries(otherVariables), PATH: path.join(delimiter) };
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
