import { join } from 'node:path';
import ts from 'typescript';

/** A route, as declared in the router's source. */
export interface PageRoute {
  readonly path: string;
  /** Requires sign-in. */
  readonly signedIn: boolean;
  /** Names of the components rendered there, outermost first. */
  readonly components: readonly string[];
}

interface RouteContext {
  path: string;
  signedIn: boolean;
  components: string[];
}

/** The variable that holds the signed-in routes. */
const SIGNED_IN_ROUTES = 'signedIn';

/**
 * Parses the routes in a router's source (`path`, `element` and `children` of object literals). Joins children with
 * their parents and omits the catch-all.
 */
export function parsePageRoutes(source: string): PageRoute[] {
  const file = ts.createSourceFile('router.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = listConstants(file);
  const found = new Map<string, PageRoute>();
  const visit = (node: ts.Node, parent: RouteContext): void => {
    let current = parent;
    if (ts.isVariableDeclaration(node) && node.name.getText() === SIGNED_IN_ROUTES)
      current = { ...parent, signedIn: true };
    if (ts.isObjectLiteralExpression(node)) {
      const path = getLiteral(findProperty(node, 'path'));
      const components = [...parent.components, ...findComponents(findProperty(node, 'element'), constants)];
      current = { ...parent, path: path === null ? parent.path : join('/', parent.path, path), components };
      const isPage = path !== null || getLiteral(findProperty(node, 'index')) === 'true';
      if (isPage && path !== '*') found.set(current.path, current);
    }
    ts.forEachChild(node, (child) => visit(child, current));
  };
  visit(file, { path: '', signedIn: false, components: [] });
  return [...found.values()];
}

function listConstants(file: ts.SourceFile): Map<string, ts.Expression> {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations]);
  return new Map(declarations.flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer]] : [])));
}

function findProperty(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find(
    (property) => ts.isPropertyAssignment(property) && property.name.getText() === name,
  );
  return found && (found as ts.PropertyAssignment).initializer;
}

function getLiteral(node: ts.Expression | undefined): string | null {
  if (!node) return null;
  if (ts.isStringLiteral(node)) return node.text;
  return node.kind === ts.SyntaxKind.TrueKeyword ? 'true' : null;
}

/** Finds the elements in an expression, including those passed as arguments. */
function findComponents(node: ts.Node | undefined, constants: Map<string, ts.Expression>): string[] {
  if (!node) return [];
  if (ts.isIdentifier(node) && constants.has(node.text)) return findComponents(constants.get(node.text), constants);
  const isElement = ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node);
  const own = isElement ? [node.tagName.getText()] : [];
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    if (!isElement || child !== node.tagName) inner.push(...findComponents(child, constants));
  });
  return [...own, ...inner];
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
