import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { routePrefetches } from '../src/app/loading/route-prefetches.ts';
import { latePages, textModules, type LatePage } from './late-pages.ts';
import { pageRoutes, patternOf, type PageRoute } from './page-routes.ts';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;
type Parts = Record<string, string[]>;

const app = join(import.meta.dirname, '../src/app');
const read = (name: string) => readFileSync(join(app, name), 'utf8');
/** The layout of the signed-in pages, and what signed-out users see instead. */
const frame = 'AppShell';
const signIn = 'AuthScreen';
/** Components behind it are not listed for preloading: only administrators load them. */
const adminGuard = 'RequireAdmin';

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
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pagesOf(bundle)) });
      },
    },
  };
}

function pagesOf(bundle: Bundle) {
  const partsOf = partsIn(bundle);
  const toPage = (route: PageRoute) => ({
    pattern: patternOf(route.path),
    signedIn: route.signedIn,
    parts: partsOf([...(route.signedIn ? [frame] : []), ...namedOf(route)]),
    asks: requestsOf(route, routePrefetches.pages).map((request) => withSegmentNumbers(request, route.path)),
    ...(route.path in routePrefetches.readers ? { readersAsks: requestsOf(route, routePrefetches.readers) } : {}),
  });
  return {
    pages: pageRoutes(read('router.tsx')).map(toPage),
    signIn: { parts: partsOf([signIn]), asks: [...routePrefetches.always, ...routePrefetches.signedOut] },
  };
}

function namedOf({ components }: PageRoute): readonly string[] {
  const closed = components.indexOf(adminGuard);
  return closed < 0 ? components : components.slice(0, closed);
}

function requestsOf({ path, signedIn }: PageRoute, byRoute: Readonly<Record<string, readonly string[]>>): string[] {
  const common = signedIn ? routePrefetches.signedIn : routePrefetches.signedOut;
  return [...routePrefetches.always, ...common, ...(byRoute[path] ?? [])];
}

/** Converts `/api/zones/:zoneId` of the page `/zones/:zoneId` to `/api/zones/:2`: the second path segment. */
function withSegmentNumbers(request: string, path: string): string {
  const segments = path.split('/');
  return request.replace(/:\w+/g, (name) => {
    if (!segments.includes(name)) throw new Error(`${path} has no ${name} for ${request}.`);
    return `:${segments.indexOf(name)}`;
  });
}

/** Returns a function that lists the files of a page's components by language, without those every page loads. */
function partsIn(bundle: Bundle): (components: readonly string[]) => Parts {
  const pages = latePages(read('pages.ts'));
  const texts = textModules(read('i18n/namespaces.ts'));
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
  // The entry of a module may be a chunk of its own, which imports the one with the code.
  const chunkOf = (base: string, specifier: string): Chunk => {
    const path = join(base, specifier);
    const found = chunks.find(({ facadeModuleId: id }) => id === `${path}.ts` || id === `${path}.tsx`);
    if (!found) throw new Error(`No part of the program begins with ${path}.`);
    return found;
  };
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const always = new Set(withImports([entry], bundle).map(({ fileName }) => fileName));
  return (components) => {
    const late = components.map((name) => pages.get(name)).filter((page): page is LatePage => page !== undefined);
    const programs = late.flatMap(({ imports }) => imports.map((one) => chunkOf(app, one)));
    const namespaces = new Set(['common', ...late.flatMap((page) => page.texts)]);
    const inLanguage = (language: string) => {
      const words = [...namespaces].map((one) => chunkOf(dirname(join(app, 'i18n/_')), texts.get(one)!.get(language)!));
      const all = withImports([...programs, ...words], bundle).map(({ fileName }) => fileName);
      return all.filter((name) => !always.has(name));
    };
    return { en: inLanguage('en'), tr: inLanguage('tr') };
  };
}

/** These chunks and all their static imports. */
export function withImports(chunks: readonly Chunk[], bundle: Bundle): Chunk[] {
  const seen = new Set<Chunk>();
  const visit = (one: Chunk) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const name of one.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') visit(imported as Chunk);
    }
  };
  chunks.forEach(visit);
  return [...seen];
}
