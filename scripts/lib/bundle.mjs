import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { compileCache, projectPath, projectRoot, runMain, ScriptError } from './project.mjs';

/**
 * Second step of the server's build: bundles what TypeScript compiled into `dist/compiled`, with its packages, into
 * `dist/backend`. Loading a few large files instead of thousands of small ones halves the time to start (ADR 0063).
 */

const SOURCES = projectPath('backend/src');
const COMPILED = projectPath('dist/compiled');
const BUNDLE = projectPath('dist/backend');
/** Replaces the bundle at the end, so that no process starts from half of it. */
const DRAFT = `${BUNDLE}.new`;

/** Packages that are loaded from node_modules, because they don't work in a bundle. */
const EXTERNAL_PACKAGES = [
  // They load native add-ons by their own path.
  ...['@css-inline/css-inline', '@node-rs/argon2', 'msgpackr-extract', 'sharp'],
  // Serves the files of its folder.
  'swagger-ui-dist',
  // The mailer loads it only to show emails in a browser, which we don't use: 3 MB of parsers.
  'preview-email',
];

/** Optional packages that nobody installs; whatever imports them copes without. */
const MISSING_PACKAGES = ['@fastify/static', '@nestjs/microservices', '@nestjs/websockets', 'pg-native'];

const packagePattern = (names) => new RegExp(`^(${names.join('|')})(/|$)`);

/**
 * Modules find their files and packages by `import.meta.url`. In the bundle it stays the URL of the module's own place
 * below `dist/backend`, where their assets are.
 */
const keepModuleUrls = {
  name: 'keep-module-urls',
  load: {
    filter: { id: /[\\/]dist[\\/]compiled[\\/].*\.js$/ },
    handler(id) {
      const path = relative(COMPILED, id).split(sep).join('/');
      const code = readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
      const map = JSON.parse(readFileSync(`${id}.map`, 'utf8'));
      return {
        code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href`),
        map: { ...map, sources: map.sources.map((source) => resolve(dirname(id), source)) },
      };
    },
  },
};

/**
 * Some ES modules of packages require other packages by `createRequire`, which a bundler can't see: Nest's mapped types
 * would get a second class-validator, without our rules. A plain `require` is bundled.
 */
const bundleCreatedRequires = {
  name: 'bundle-created-requires',
  transform: {
    filter: { id: /node_modules/, code: 'const require = createRequire(import.meta.url);' },
    handler: (code) => ({ code: code.replace('const require = createRequire(import.meta.url);', ''), map: null }),
  },
};

/** `main` and the commands; the paths of the bundle are those of their sources. */
function findPrograms() {
  const commands = readdirSync(join(SOURCES, 'cli')).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  const paths = ['src/main', ...commands.map((name) => `src/cli/${basename(name, '.ts')}`)];
  return Object.fromEntries(paths.map((path) => [path, join(COMPILED, `${path}.js`)]));
}

/** Copies what programs read or run by its path: templates, and the rendering process with its modules. */
function copyAssets() {
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }))
    if (['.hbs', '.mjs'].includes(extname(path))) cpSync(join(SOURCES, path), join(DRAFT, 'src', path));
}

async function bundle() {
  const warnings = [];
  const bundler = await rolldown({
    input: findPrograms(),
    platform: 'node',
    cwd: projectRoot,
    external: packagePattern([...EXTERNAL_PACKAGES, ...MISSING_PACKAGES]),
    plugins: [keepModuleUrls, bundleCreatedRequires],
    onLog: (level, { message }) => level === 'warn' && warnings.push(message),
  });
  rmSync(DRAFT, { recursive: true, force: true });
  await bundler.write({
    dir: DRAFT,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names of classes are names of entities, tokens and schemas.
    keepNames: true,
    // Modules are executed in the order of the unbundled program: reflect-metadata before the first decorator.
    strictExecutionOrder: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // V8 keeps files of ASCII in half of the memory.
    comments: { jsdoc: false },
    charset: 'ascii',
  });
  await bundler.close();
  // An import that can't be resolved would fail when it is executed, perhaps weeks later.
  if (warnings.length > 0) throw new ScriptError(`the server can't be bundled:\n${warnings.join('\n')}`);
  copyAssets();
  rmSync(BUNDLE, { recursive: true, force: true });
  renameSync(DRAFT, BUNDLE);
  // V8 never removes code of earlier builds from it.
  rmSync(compileCache, { recursive: true, force: true });
}

await runMain(bundle);
