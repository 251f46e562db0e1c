import { join } from 'node:path';
import { ModuleGraph, type BundlerModules } from './module-graph.ts';

const inPackages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names})[\\\\/]`);
/** MUI's charts are excluded: they are large and loaded with the few panels that use them. */
const mui = inPackages('@mui[\\\\/](?!x-)[^\\\\/]+|@emotion|@popperjs|react-transition-group|stylis|clsx');
/** Barrel files import every component, and only react-admin uses them. */
const barrel = /[\\/]@mui[\\/](?:material|icons-material)[\\/](?:esm[\\/])?index\.m?js$/;
const source = join(import.meta.dirname, '../src/');
const admin = join(source, 'admin/');
const setup = join(source, 'features/auth/setup/');
const auth = join(source, 'features/auth/');
/** Folders whose shared modules are for signing in and the account. */
const authFolders = [auth, join(source, 'shared/account/'), join(source, 'shared/factors/')];
const inSource = (...names: string[]) => names.map((name) => join(source, name));
/** Pages that share a chunk of their own: a folder, or single modules. */
const pageGroups: Record<string, readonly string[]> = {
  files: inSource('app/composed-pages/files.page.tsx', 'features/files/trash/trash.page.tsx'),
  settings: inSource('features/settings/settings.page.tsx', 'app/layout/second-factor-required.tsx'),
  campaigns: inSource('features/campaigns/'),
  join: inSource('features/join/'),
};
const main = join(source, 'main.tsx');
const frame = join(source, 'app/layout/app-shell.tsx');
/** Texts that load together are re-exported together (`src/app/i18n/bundles`). */
const translationFiles = /[\\/](?:locales|bundles)[\\/][\w-]+\.ts$/;

/** Chunk names, dependencies first. */
const names = ['start', 'mui', 'plain', 'auth', 'frame', 'files', 'settings', 'campaigns', 'join', 'admin'];

/**
 * Names the chunk of a module. Each chunk is a request, and on a slow connection a request costs more than a few
 * unneeded kilobytes. Users should not download what only other users need.
 * - `start`: what every page needs, with its packages.
 * - `mui`: the part of the component library that several pages outside the admin screens use. Icons of a single page
 *   come with that page, what only the settings use (autocomplete) with those, the rest with the admin screens.
 * - `plain`: shared by pages without the component library.
 * - `auth`: the forms for signing in and registering.
 * - `frame`: the layout of the signed-in pages and the code they share.
 * - `files`, `settings`, `campaigns`, `join`: shared only by pages of these.
 * - `admin`: shared by admin screens, for administrators only.
 * @returns null to leave the module in the chunk of the page that needs it. Also null for modules that only the setup
 * shares with the admin screens: the setup runs once, and no other user should download them.
 */
export function getChunkName(id: string, modules: BundlerModules): string | null {
  const graph = ModuleGraph.of(modules, main);
  if (id === main) return null;
  if (graph.isInitial(id)) return 'start';
  const pages = graph.listPagesUsing(id);
  if (mui.test(id)) return isUsedByPages(id, modules, new Set()) ? getMuiChunkName(pages) : null;
  if (!id.startsWith(source) || translationFiles.test(id)) return null;
  if (pages.every((page) => page === frame)) return 'frame';
  if (pages.length < 2) return null;
  if (pages.every((page) => page.startsWith(admin))) return 'admin';
  if (pages.every((page) => page.startsWith(admin) || page.startsWith(setup))) return null;
  const group = findPageGroup(pages);
  if (group) return group;
  if (startsWithAny(id, authFolders) && pages.some((page) => page.startsWith(auth))) return 'auth';
  return pages.every((page) => graph.pageImports(page, mui)) ? 'frame' : 'plain';
}

function getMuiChunkName(pages: readonly string[]): string | null {
  if (pages.length === 1 && pages[0] !== frame) return null;
  return findPageGroup(pages.filter((page) => !page.startsWith(admin))) === 'settings' ? 'settings' : 'mui';
}

/** Returns the group to which all the pages belong. */
function findPageGroup(pages: readonly string[]): string | undefined {
  return Object.keys(pageGroups).find((name) => pages.every((page) => startsWithAny(page, pageGroups[name]!)));
}

const startsWithAny = (id: string, paths: readonly string[]) => paths.some((path) => id.startsWith(path));

/** Groups for the bundler. A module belongs to the first matching group, together with its dependencies. */
export const chunkGroups = names.map((name, index) => ({
  // The name in the bundler's timings; without it, the bundler warns at every start.
  debugName: name,
  name: (id: string, modules: BundlerModules) => (getChunkName(id, modules) === name ? name : null),
  priority: names.length - index,
}));

function isUsedByPages(id: string, modules: BundlerModules, seen: Set<string>): boolean {
  if (seen.has(id) || barrel.test(id)) return false;
  seen.add(id);
  if (id.startsWith(source)) return !id.startsWith(admin);
  if (!mui.test(id) && seen.size > 1) return false;
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isUsedByPages(importer, modules, seen));
}
