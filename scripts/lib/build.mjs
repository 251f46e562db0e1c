import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { digestOf, filesUnder } from './files.mjs';
import { say, Trouble } from './project.mjs';
import { run } from './run.mjs';

/** The compiler's own notes about what it has built. */
const NOTES = '.tsbuildinfo';

/**
 * The two halves of the product: what each is built from, where to, and how. No built file depends on one that is left
 * out. `requireSource` names the source of a built file where the compiler does not clear its folder itself.
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

/** Builds a part unless what lies in dist was built from exactly these sources. */
export async function buildIfStale(part, node, folder) {
  const found = stateOf(part, folder);
  if (found.fresh) return;
  say(`building the ${part.name} …`);
  rmSync(stampFile(part, folder), { force: true });
  // Half a build, or one of other sources: the compiler must not trust its notes about it.
  if (!found.outputsKnown) rmSync(join(folder, part.out, NOTES), { force: true });
  const code = await run(node, part.program, { cwd: folder });
  if (code !== 0) throw new Trouble(`the ${part.name} could not be built. See the reason above.`);
  removeOrphans(part, folder);
  writeStamp(part, folder, found.sources);
}

/**
 * Compares sources and outputs with the note that the last build left. A build of another folder counts as unknown:
 * compilers write paths into what they build, so a checkout that was moved or copied is built again.
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

/** The compiler leaves the output of a source that is gone, and a migration, say, would still be found there. */
function removeOrphans(part, folder) {
  if (!part.sourceOf) return;
  const out = join(folder, part.out);
  for (const file of filesUnder([out], (path) => path.endsWith(NOTES))) {
    if (!existsSync(join(folder, part.sourceOf(relative(out, file))))) rmSync(file);
  }
}
