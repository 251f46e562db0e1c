import { join } from 'node:path';

interface Modules {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null;
}

const inPackages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names})[\\\\/]`);
/** Its charts are large and come with the few panels that draw them. */
const mui = inPackages('@mui[\\\\/](?!x-)[^\\\\/]+|@emotion|@popperjs|react-transition-group|stylis|clsx');
/** They name every component, and only react-admin imports through them. */
const barrel = /[\\/]@mui[\\/](?:material|icons-material)[\\/](?:esm[\\/])?index\.m?js$/;
const source = join(import.meta.dirname, '../src/');
const admin = join(source, 'admin/');

/**
 * Names the chunk of a module of the component library: `mui` for what a page that is not an admin screen uses, nothing
 * for what only react-admin does, which then comes with the admin screens and is loaded by administrators alone.
 */
export function muiChunk(id: string, modules: Modules): string | null {
  return mui.test(id) && isUsedByPages(id, modules, new Set()) ? 'mui' : null;
}

function isUsedByPages(id: string, modules: Modules, seen: Set<string>): boolean {
  if (seen.has(id) || barrel.test(id)) return false;
  seen.add(id);
  if (id.startsWith(source)) return !id.startsWith(admin);
  if (!mui.test(id) && seen.size > 1) return false;
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isUsedByPages(importer, modules, seen));
}
