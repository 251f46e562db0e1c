import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { parseLazyPages, parseTranslationModules } from './lazy-pages.ts';
import { createPattern, parsePageRoutes, type PageRoute } from './page-routes.ts';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;
/** Chunk file names by language. */
type ChunkNames = Record<string, string[]>;

const app = join(import.meta.dirname, '../src/app');
const read = (name: string) => readFileSync(join(app, name), 'utf8');
/** The layout of the signed-in pages. */
const APP_SHELL = 'AppShell';
/** Shown to signed-out users instead. */
const SIGN_IN_SCREEN = 'AuthScreen';
/** First API requests of every signed-in page: what the layout shows. */
const SIGNED_IN_REQUESTS = ['/api/session', '/api/subscription-status', '/api/user/usage'];
/** First API requests of every other page. */
const SIGNED_OUT_REQUESTS = ['/api/session', '/api/site'];

/**
 * Writes `pages.json` to the build. The server uses it to answer 404 for unknown paths, and to list in the HTML which
 * chunks and API responses a page will request.
 */
export function pagesForServer(): Plugin {
  return {
    name: 'pages-for-server',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(describePages(bundle)) });
      },
    },
  };
}

function describePages(bundle: Bundle) {
  const listChunks = createChunkLister(bundle);
  const toPage = ({ path, signedIn, pages, requests, memberHomeRequests }: PageRoute) => {
    const listRequests = (own: readonly string[]) => [
      ...(signedIn ? SIGNED_IN_REQUESTS : SIGNED_OUT_REQUESTS),
      ...own.map((request) => withSegmentNumbers(request, path)),
    ];
    return {
      pattern: createPattern(path),
      signedIn,
      parts: listChunks(signedIn ? [APP_SHELL, ...pages] : pages),
      prefetches: listRequests(requests),
      ...(memberHomeRequests && { memberHomePrefetches: listRequests(memberHomeRequests) }),
    };
  };
  return {
    pages: parsePageRoutes(read('router.tsx')).map(toPage),
    signIn: { parts: listChunks([SIGN_IN_SCREEN]), prefetches: SIGNED_OUT_REQUESTS },
  };
}

/** Converts `/api/zones/:zoneId` of the page `/zones/:zoneId` to `/api/zones/:2`: the second path segment. */
function withSegmentNumbers(request: string, path: string): string {
  const segments = path.split('/');
  return request.replace(/:\w+/g, (name) => {
    if (!segments.includes(name)) throw new Error(`${path} has no ${name} for ${request}.`);
    return `:${segments.indexOf(name)}`;
  });
}

/** Returns a function that lists the chunks of pages by language, without those that every page loads. */
function createChunkLister(bundle: Bundle): (pageNames: readonly string[]) => ChunkNames {
  const pages = parseLazyPages(read('pages.ts'));
  const translationModules = parseTranslationModules(read('i18n/namespaces.ts'));
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
  // A dynamically imported module may get a facade chunk of its own, which imports the chunk with the code.
  const findChunk = (base: string, specifier: string): Chunk => {
    const path = join(base, specifier);
    const found = chunks.find(({ facadeModuleId: id }) => id === `${path}.ts` || id === `${path}.tsx`);
    if (!found) throw new Error(`No chunk starts with ${path}.`);
    return found;
  };
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const initialChunks = new Set(withImports([entry], bundle).map(({ fileName }) => fileName));
  return (pageNames) => {
    const lazyPages = pageNames.map((name) => pages.get(name)!);
    const pageChunks = lazyPages.flatMap(({ imports }) => imports.map((specifier) => findChunk(app, specifier)));
    const namespaces = new Set(['common', ...lazyPages.flatMap((page) => page.namespaces)]);
    const listInLanguage = (language: string) => {
      const textChunks = [...namespaces].map((namespace) =>
        findChunk(dirname(join(app, 'i18n/_')), translationModules.get(namespace)!.get(language)!),
      );
      const fileNames = withImports([...pageChunks, ...textChunks], bundle).map(({ fileName }) => fileName);
      return fileNames.filter((name) => !initialChunks.has(name));
    };
    return { en: listInLanguage('en'), tr: listInLanguage('tr') };
  };
}

/** Returns the chunks and all their direct and indirect static imports. */
export function withImports(chunks: readonly Chunk[], bundle: Bundle): Chunk[] {
  const seen = new Set<Chunk>();
  const visit = (chunk: Chunk) => {
    if (seen.has(chunk)) return;
    seen.add(chunk);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') visit(imported as Chunk);
    }
  };
  chunks.forEach(visit);
  return [...seen];
}
