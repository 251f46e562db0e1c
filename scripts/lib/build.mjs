import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hashFiles, listFiles } from './files.mjs';
import { log, ScriptError } from './project.mjs';
import { run } from './run.mjs';

/** TypeScript's record for incremental builds, inside the output folder. */
const BUILD_INFO = '.tsbuildinfo';

/**
 * What can be built: sources, output folder and build commands. No built file depends on a source that `excluded`
 * matches. `compiled` is the folder of an incremental compiler that doesn't empty it: `toSourcePath` returns the source of
 * a file in it.
 */
export const buildTargets = {
  backend: {
    name: 'server',
    sources: [
      ...['backend/src', 'backend/migrations', 'backend/tsconfig.build.json', 'tsconfig.json', 'nest-cli.json'],
      ...['scripts/lib/swagger-plugin.mjs', 'scripts/lib/bundle.mjs'],
    ],
    excluded: /\.spec\.ts$/,
    outDir: 'dist/backend',
    buildCommands: [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['scripts/lib/bundle.mjs']],
    compiled: {
      outDir: 'dist/compiled',
      toSourcePath: (file) => join('backend', file.replace(/\.js(\.map)?$/, '.ts')),
    },
  },
  frontend: {
    name: 'page',
    sources: ['frontend', 'tsconfig.json'],
    excluded: /\.spec\.tsx?$|frontend[\\/](e2e|jest-[^\\/]*)$/,
    outDir: 'dist/frontend',
    buildCommands: [
      ['node_modules/vite/bin/vite.js', 'build', '--config', 'frontend/vite.config.ts', '--logLevel', 'warn'],
    ],
  },
};

/** Builds a target unless `dist` was built from exactly these sources. */
export async function buildIfStale(target, node, folder) {
  const state = readBuildState(target, folder);
  if (state.isFresh) return;
  log(`building the ${target.name} …`);
  rmSync(stampPath(target, folder), { force: true });
  // An incomplete build, or one of other sources: the compiler must not trust its build info.
  if (!state.areOutputsUnchanged) rmSync(join(folder, compiledDir(target), BUILD_INFO), { force: true });
  for (const command of target.buildCommands) {
    const code = await run(node, command, { cwd: folder });
    if (code !== 0) throw new ScriptError(`the ${target.name} could not be built. See the output above.`);
  }
  removeOrphans(target, folder);
  writeStamp(target, folder, state.sources);
}

/**
 * Compares sources and outputs with the record of the last build. A build of another folder counts as unknown:
 * compilers write paths into their output, so a moved or copied checkout is built again.
 */
export function readBuildState(target, folder) {
  const sources = hashSources(target, folder);
  const lastStamp = readStamp(target, folder);
  const stamp = lastStamp?.folder === realpathSync(folder) ? lastStamp : null;
  const areOutputsUnchanged = stamp !== null && stamp.outputs === hashOutputs(target, folder);
  return { sources, areOutputsUnchanged, isFresh: areOutputsUnchanged && stamp.sources === sources };
}

export function writeStamp(target, folder, sources) {
  const file = stampPath(target, folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folder: realpathSync(folder), sources, outputs: hashOutputs(target, folder) }));
}

function stampPath(target, folder) {
  return join(folder, `${target.outDir}.built.json`);
}

function readStamp(target, folder) {
  try {
    return JSON.parse(readFileSync(stampPath(target, folder), 'utf8'));
  } catch {
    return null;
  }
}

function hashSources(target, folder) {
  const paths = [...target.sources, 'package-lock.json'].map((path) => join(folder, path));
  return hashFiles(
    listFiles(paths, (path) => target.excluded.test(path)),
    folder,
  );
}

function hashOutputs(target, folder) {
  const outDirs = new Set([target.outDir, compiledDir(target)]);
  return hashFiles(
    listFiles(
      [...outDirs].map((outDir) => join(folder, outDir)),
      (path) => path.endsWith(BUILD_INFO),
    ),
    folder,
  );
}

const compiledDir = (target) => target.compiled?.outDir ?? target.outDir;

/** The compiler keeps the output of deleted sources; a deleted migration, for example, would still be found there. */
function removeOrphans(target, folder) {
  if (!target.compiled) return;
  const outDir = join(folder, target.compiled.outDir);
  for (const file of listFiles([outDir], (path) => path.endsWith(BUILD_INFO))) {
    if (!existsSync(join(folder, target.compiled.toSourcePath(relative(outDir, file))))) rmSync(file);
  }
}
