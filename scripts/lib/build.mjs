import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { digestOf, filesUnder } from './files.mjs';
import { say, Trouble } from './project.mjs';
import { run } from './run.mjs';

/** TypeScript's build info. */
const NOTES = '.tsbuildinfo';

/**
 * The two parts of the product: their sources, output folder and build command. No built file depends on one that
 * `leaveOut` matches. `sourceOf` returns the source of a built file, where the compiler doesn't empty the folder
 * itself.
 */
export const parts = {
  backend: {
    name: 'server',
    sources: [
      ...['backend/src', 'backend/migrations', 'backend/tsconfig.build.json', 'tsconfig.json', 'nest-cli.json'],
      'scripts/lib/swagger-plugin.mjs',
    ],
    leaveOut: /\.spec\.ts$/,
    out: 'dist/backend',
    program: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
    sourceOf: (file) => join('backend', file.replace(/\.js(\.map)?$/, '.ts')),
  },
  frontend: {
    name: 'page',
    sources: ['frontend', 'tsconfig.json'],
    leaveOut: /\.spec\.tsx?$|frontend[\\/](e2e|jest-[^\\/]*)$/,
    out: 'dist/frontend',
    program: ['node_modules/vite/bin/vite.js', 'build', '--config', 'frontend/vite.config.ts', '--logLevel', 'warn'],
  },
};

/** Builds a part unless `dist` was built from exactly these sources. */
export async function buildIfStale(part, node, folder) {
  const found = stateOf(part, folder);
  if (found.fresh) return;
  say(`building the ${part.name} …`);
  rmSync(stampFile(part, folder), { force: true });
  // An incomplete build, or one of other sources: the compiler must not trust its build info.
  if (!found.outputsKnown) rmSync(join(folder, part.out, NOTES), { force: true });
  const code = await run(node, part.program, { cwd: folder });
  if (code !== 0) throw new Trouble(`the ${part.name} could not be built. See the reason above.`);
  removeOrphans(part, folder);
  writeStamp(part, folder, found.sources);
}

/**
 * Compares sources and outputs with the record of the last build. A build of another folder counts as unknown:
 * compilers write paths into their output, so a moved or copied checkout is built again.
 */
export function stateOf(part, folder) {
  const sources = sourceDigest(part, folder);
  const found = readStamp(part, folder);
  const stamp = found?.folder === realpathSync(folder) ? found : null;
  const outputsKnown = stamp !== null && stamp.outputs === outputDigest(part, folder);
  return { sources, outputsKnown, fresh: outputsKnown && stamp.sources === sources };
}

export function writeStamp(part, folder, sources) {
  const file = stampFile(part, folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folder: realpathSync(folder), sources, outputs: outputDigest(part, folder) }));
}

function stampFile(part, folder) {
  return join(folder, `${part.out}.built.json`);
}

function readStamp(part, folder) {
  try {
    return JSON.parse(readFileSync(stampFile(part, folder), 'utf8'));
  } catch {
    return null;
  }
}

function sourceDigest(part, folder) {
  const paths = [...part.sources, 'package-lock.json'].map((path) => join(folder, path));
  return digestOf(
    filesUnder(paths, (path) => part.leaveOut.test(path)),
    folder,
  );
}

function outputDigest(part, folder) {
  return digestOf(
    filesUnder([join(folder, part.out)], (path) => path.endsWith(NOTES)),
    folder,
  );
}

/** The compiler keeps the output of deleted sources; a deleted migration, for example, would still be found there. */
function removeOrphans(part, folder) {
  if (!part.sourceOf) return;
  const out = join(folder, part.out);
  for (const file of filesUnder([out], (path) => path.endsWith(NOTES))) {
    if (!existsSync(join(folder, part.sourceOf(relative(out, file))))) rmSync(file);
  }
}
