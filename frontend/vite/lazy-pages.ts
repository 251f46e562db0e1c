import ts from 'typescript';

/** A lazy page, as declared in the source. */
export interface LazyPage {
  /** Its import specifiers. */
  readonly imports: readonly string[];
  /** I18n namespaces it uses. */
  readonly namespaces: readonly string[];
}

/** Modules that each wrapper imports additionally. */
const WRAPPER_IMPORTS: Record<string, readonly string[]> = { lazyPage: [], muiPage: ['./mui-provider'] };

/** Parses the pages of `app/pages.ts`: `export const ZonesPage = lazyPage(() => import('…'), ['zones'])`. */
export function parseLazyPages(source: string): Map<string, LazyPage> {
  const file = ts.createSourceFile('pages.ts', source, ts.ScriptTarget.Latest, true);
  const pages = new Map<string, LazyPage>();
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!initializer || !ts.isCallExpression(initializer)) continue;
      const wrapperImports = WRAPPER_IMPORTS[initializer.expression.getText()];
      const [load, namespaces] = initializer.arguments;
      if (wrapperImports && load) {
        pages.set(name.getText(), {
          imports: [...findImports(load), ...wrapperImports],
          namespaces: namespaces ? findStrings(namespaces) : [],
        });
      }
    }
  }
  return pages;
}

/** Parses the import specifiers of the translations in `app/i18n/namespaces.ts`, by namespace and language. */
export function parseTranslationModules(source: string): Map<string, Map<string, string>> {
  const file = ts.createSourceFile('namespaces.ts', source, ts.ScriptTarget.Latest, true);
  const bundles = new Map<string, Map<string, string>>();
  const found = new Map<string, Map<string, string>>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)) {
      bundles.set(node.name.getText(), findImportsByLanguage(node.initializer));
    } else if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      found.set(node.name.getText(), findImportsByLanguage(node.initializer));
    } else if (ts.isPropertyAssignment(node) && ts.isCallExpression(node.initializer)) {
      found.set(node.name.getText(), bundles.get(node.initializer.expression.getText()) ?? new Map());
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Finds `{ en: () => import('…'), tr: () => import('…') }` below a node. */
function findImportsByLanguage(node: ts.Node): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (child: ts.Node): void => {
    const [path] = ts.isPropertyAssignment(child) ? findImports(child.initializer) : [];
    if (path !== undefined) found.set((child as ts.PropertyAssignment).name.getText(), path);
    else ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function findImports(node: ts.Node): string[] {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return findStrings(node);
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...findImports(child)));
  return found;
}

/** Lists the string literals below a node. */
export function findStrings(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...findStrings(child)));
  return found;
}
