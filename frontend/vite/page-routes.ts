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

interface Around {
  path: string;
  signedIn: boolean;
  components: string[];
}

/** The variable that holds the signed-in routes. */
const signedInRoutes = 'signedIn';

/**
 * Parses the routes in a router's source (`path`, `element` and `children` of object literals). Joins children with
 * their parents and omits the catch-all.
 */
export function pageRoutes(source: string): PageRoute[] {
  const file = ts.createSourceFile('router.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = constantsOf(file);
  const found = new Map<string, PageRoute>();
  const visit = (node: ts.Node, around: Around): void => {
    let here = around;
    if (ts.isVariableDeclaration(node) && node.name.getText() === signedInRoutes) here = { ...around, signedIn: true };
    if (ts.isObjectLiteralExpression(node)) {
      const path = textOf(property(node, 'path'));
      const components = [...around.components, ...componentsIn(property(node, 'element'), constants)];
      here = { ...around, path: path === null ? around.path : join('/', around.path, path), components };
      const isPage = path !== null || textOf(property(node, 'index')) === 'true';
      if (isPage && path !== '*') found.set(here.path, here);
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(file, { path: '', signedIn: false, components: [] });
  return [...found.values()];
}

function constantsOf(file: ts.SourceFile): Map<string, ts.Expression> {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((one) => [...one.declarationList.declarations]);
  return new Map(declarations.flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer]] : [])));
}

function property(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find((one) => ts.isPropertyAssignment(one) && one.name.getText() === name);
  return found && (found as ts.PropertyAssignment).initializer;
}

function textOf(node: ts.Expression | undefined): string | null {
  if (!node) return null;
  if (ts.isStringLiteral(node)) return node.text;
  return node.kind === ts.SyntaxKind.TrueKeyword ? 'true' : null;
}

/** Finds the elements in an expression, including those passed as arguments. */
function componentsIn(node: ts.Node | undefined, constants: Map<string, ts.Expression>): string[] {
  if (!node) return [];
  if (ts.isIdentifier(node) && constants.has(node.text)) return componentsIn(constants.get(node.text), constants);
  const isElement = ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node);
  const own = isElement ? [node.tagName.getText()] : [];
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    if (!isElement || child !== node.tagName) inner.push(...componentsIn(child, constants));
  });
  return [...own, ...inner];
}

/** Returns a regular expression for a route's path: `:id` is one segment, `:id?` an optional one, `*` any rest. */
export function patternOf(path: string): string {
  const parts = path.split('/').filter(Boolean).map(partOf);
  return `^${parts.join('')}/?$`;
}

function partOf(part: string): string {
  if (part === '*') return '(?:/.*)?';
  if (part.startsWith(':')) return part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+';
  return `/${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
}
