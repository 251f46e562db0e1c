import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Plugin } from 'vite';

const router = join(import.meta.dirname, '../src/app/router.tsx');

/**
 * The paths of the routes that the source of a router writes down (`path` and `children` of object literals), children
 * joined with their parents, without the one for everything else.
 */
export function pagePaths(source: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node, above: string): void => {
    const own = ts.isObjectLiteralExpression(node) ? pathOf(node) : null;
    const here = own === null ? above : join('/', above, own);
    if (own !== null && own !== '*') found.add(here);
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(ts.createSourceFile('router.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), '');
  return [...found];
}

function pathOf(route: ts.ObjectLiteralExpression): string | null {
  for (const property of route.properties) {
    const isPath = ts.isPropertyAssignment(property) && property.name.getText() === 'path';
    if (isPath && ts.isStringLiteral(property.initializer)) return property.initializer.text;
  }
  return null;
}

/** A regular expression for the addresses of a path: `:id` is one part, `:id?` one or none, `*` all that follows. */
export function patternOf(path: string): string {
  const parts = path.split('/').filter(Boolean).map(partOf);
  return `^${parts.join('')}/?$`;
}

function partOf(part: string): string {
  if (part === '*') return '(?:/.*)?';
  if (part.startsWith(':')) return part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+';
  return `/${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
}

/** Writes pages.json beside the page: by it the server knows which addresses are pages and answers 404 for the others. */
export function pagePathsForServer(): Plugin {
  return {
    name: 'page-paths-for-server',
    generateBundle() {
      const patterns = pagePaths(readFileSync(router, 'utf8')).map(patternOf);
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(patterns) });
    },
  };
}
