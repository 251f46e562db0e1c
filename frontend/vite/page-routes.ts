import { join } from 'node:path';
import ts from 'typescript';
import { findStrings } from './lazy-pages.ts';

/** A route, as declared in the router's source. */
export interface PageRoute {
  readonly path: string;
  /** Requires sign-in. */
  readonly signedIn: boolean;
  /** Names of the pages shown there, outermost first. Pages that only administrators may load are left out. */
  readonly pages: readonly string[];
  /** Their first API requests. */
  readonly requests: readonly string[];
  readonly memberHomeRequests?: readonly string[];
}

/** The variable that holds the signed-in routes. */
const SIGNED_IN_ROUTES = 'signedIn';
/** The function that describes the page of a route (`src/app/loading/page-route.ts`). */
const PAGE_FUNCTION = 'page';

/**
 * Parses the routes in a router's source: `path`, `index`, `...page(<ZonesPage />, ['/api/zones'])` and `children` of
 * object literals. Joins children with their parents and omits the catch-all.
 */
export function parsePageRoutes(source: string): PageRoute[] {
  const file = ts.createSourceFile('router.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = listConstants(file);
  const found = new Map<string, PageRoute>();
  const visit = (node: ts.Node, parent: PageRoute): void => {
    let current = parent;
    if (ts.isVariableDeclaration(node) && node.name.getText() === SIGNED_IN_ROUTES)
      current = { ...parent, signedIn: true };
    if (ts.isObjectLiteralExpression(node)) {
      const path = findProperty(node, 'path');
      current = { ...parent, path: join('/', parent.path, ...(path ? findStrings(path) : [])) };
      const [call] = node.properties.filter(ts.isSpreadAssignment).flatMap(findPageCalls);
      if (call) current = withPage(current, call, constants);
      const isPage = path !== undefined || findProperty(node, 'index') !== undefined;
      if (isPage && current.path !== '/*') found.set(current.path, current);
    }
    ts.forEachChild(node, (child) => visit(child, current));
  };
  visit(file, { path: '/', signedIn: false, pages: [], requests: [] });
  return [...found.values()];
}

/** Adds the page of a `page()` call to those around it. */
function withPage(route: PageRoute, { arguments: args }: ts.CallExpression, constants: Constants): PageRoute {
  const [element, requests, options] = args.map((arg) => constants.get(arg.getText()) ?? arg);
  const memberHomeRequests =
    options && ts.isObjectLiteralExpression(options) && findProperty(options, 'memberHomeRequests');
  return {
    ...route,
    pages: [...route.pages, (element as ts.JsxSelfClosingElement).tagName.getText()],
    requests: [...route.requests, ...(requests ? findStrings(requests) : [])],
    ...(memberHomeRequests ? { memberHomeRequests: findStrings(memberHomeRequests) } : {}),
  };
}

type Constants = ReadonlyMap<string, ts.Expression>;

function listConstants(file: ts.SourceFile): Constants {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations]);
  return new Map(declarations.flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer]] : [])));
}

function findPageCalls(node: ts.Node): ts.CallExpression[] {
  if (ts.isCallExpression(node) && node.expression.getText() === PAGE_FUNCTION) return [node];
  const found: ts.CallExpression[] = [];
  ts.forEachChild(node, (child) => void found.push(...findPageCalls(child)));
  return found;
}

function findProperty(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find(
    (property) => ts.isPropertyAssignment(property) && property.name.getText() === name,
  );
  return found && (found as ts.PropertyAssignment).initializer;
}

/** Returns a regular expression for a route's path: `:id` is one segment, `:id?` an optional one, `*` any rest. */
export function createPattern(path: string): string {
  const segments = path.split('/').filter(Boolean).map(createSegmentPattern);
  return `^${segments.join('')}/?$`;
}

function createSegmentPattern(segment: string): string {
  if (segment === '*') return '(?:/.*)?';
  if (segment.startsWith(':')) return segment.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+';
  return `/${segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
}
