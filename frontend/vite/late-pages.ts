import ts from 'typescript';

/** A lazy page, as declared in the source. */
export interface LatePage {
  /** Its import specifiers. */
  readonly imports: readonly string[];
  /** Namespaces of its texts. */
  readonly texts: readonly string[];
}

/** Additional imports of each wrapper. */
const wrappers: Record<string, readonly string[]> = { lazyPage: [], muiPage: ['./mui-provider'] };

/** Parses the pages of `app/pages.ts`: `export const ZonesPage = lazyPage(() => import('…'), ['zones'])`. */
export function latePages(source: string): Map<string, LatePage> {
  const file = ts.createSourceFile('pages.ts', source, ts.ScriptTarget.Latest, true);
  const pages = new Map<string, LatePage>();
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!initializer || !ts.isCallExpression(initializer)) continue;
      const beside = wrappers[initializer.expression.getText()];
      const [load, texts] = initializer.arguments;
      if (beside && load) {
        pages.set(name.getText(), { imports: [...importsIn(load), ...beside], texts: texts ? stringsIn(texts) : [] });
      }
    }
  }
  return pages;
}

/** Parses the import specifiers of texts, by namespace and language. */
export function textModules(source: string): Map<string, Map<string, string>> {
  const file = ts.createSourceFile('namespaces.ts', source, ts.ScriptTarget.Latest, true);
  const together = new Map<string, Map<string, string>>();
  const found = new Map<string, Map<string, string>>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)) {
      together.set(node.name.getText(), byLanguage(node.initializer));
    } else if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      found.set(node.name.getText(), byLanguage(node.initializer));
    } else if (ts.isPropertyAssignment(node) && ts.isCallExpression(node.initializer)) {
      found.set(node.name.getText(), together.get(node.initializer.expression.getText()) ?? new Map());
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Finds `{ en: () => import('…'), tr: () => import('…') }` below a node. */
function byLanguage(node: ts.Node): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (one: ts.Node): void => {
    const [path] = ts.isPropertyAssignment(one) ? importsIn(one.initializer) : [];
    if (path !== undefined) found.set((one as ts.PropertyAssignment).name.getText(), path);
    else ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}

function importsIn(node: ts.Node): string[] {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return stringsIn(node);
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...importsIn(child)));
  return found;
}

function stringsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...stringsIn(child)));
  return found;
}
