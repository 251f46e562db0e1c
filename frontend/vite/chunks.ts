import { join } from 'node:path';
import { Program, type Modules } from './program.ts';

const inPackages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names})[\\\\/]`);
/** Its charts are large and come with the few panels that draw them. */
const mui = inPackages('@mui[\\\\/](?!x-)[^\\\\/]+|@emotion|@popperjs|react-transition-group|stylis|clsx');
/** They name every component, and only react-admin imports through them. */
const barrel = /[\\/]@mui[\\/](?:material|icons-material)[\\/](?:esm[\\/])?index\.m?js$/;
const source = join(import.meta.dirname, '../src/');
const admin = join(source, 'admin/');
const setup = join(source, 'features/auth/setup/');
const main = join(source, 'main.tsx');
const frame = join(source, 'app/layout/app-shell.tsx');
/** Those that come together are named together (src/app/i18n/bundles). */
const texts = /[\\/](?:locales|bundles)[\\/][\w-]+\.ts$/;

/** The names of the parts, those first that others build upon. */
const names = ['start', 'mui', 'plain', 'frame', 'admin'];

/**
 * Names the part of the program that a module comes with. Each part is a request, and on a slow line a request costs more
 * than some kilobytes that nobody needs yet; but nobody is sent what only others use.
 *
 * - `start`: what every page needs, with the packages that it uses.
 * - `mui`: the component library as far as pages use it that are no admin screens; the rest comes with these.
 * - `plain`: what pages without the component library share.
 * - `frame`: the frame of the signed-in pages and what these share.
 * - `admin`: what admin screens share, for administrators alone.
 *
 * Null leaves a module to the one page that needs it, and to what comes with the setup alone beside the admin screens: it is
 * met once, and nobody else is sent it.
 */
export function partOf(id: string, modules: Modules): string | null {
  const program = Program.of(modules, main);
  if (id === main) return null;
  if (program.isOfStart(id)) return 'start';
  if (mui.test(id)) return isUsedByPages(id, modules, new Set()) ? 'mui' : null;
  if (!id.startsWith(source)) return null;
  if (texts.test(id)) return null;
  const pages = program.pagesWith(id);
  if (pages.every((page) => page === frame)) return 'frame';
  if (pages.length < 2) return null;
  if (pages.every((page) => page.startsWith(admin))) return 'admin';
  if (pages.every((page) => page.startsWith(admin) || page.startsWith(setup))) return null;
  return pages.every((page) => program.needs(page, mui)) ? 'frame' : 'plain';
}

/** The groups of the bundler: what one has taken, with all that it leans on, is not taken by the next. */
export const parts = names.map((name, at) => ({
  // What the bundler calls it where it tells how long it took; without it, it complains at every start.
  debugName: name,
  name: (id: string, modules: Modules) => (partOf(id, modules) === name ? name : null),
  priority: names.length - at,
}));

function isUsedByPages(id: string, modules: Modules, seen: Set<string>): boolean {
  if (seen.has(id) || barrel.test(id)) return false;
  seen.add(id);
  if (id.startsWith(source)) return !id.startsWith(admin);
  if (!mui.test(id) && seen.size > 1) return false;
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isUsedByPages(importer, modules, seen));
}
