import { createRequire } from 'node:module';
import { readFileSync, existsSync } from 'node:fs';
import { join, dirname, relative, resolve } from 'node:path';
const require = createRequire('/work/main/package.json');
export const ts = require('typescript');
export const nameOf = (d) => {
  if (ts.isConstructorDeclaration(d)) return 'constructor';
  const n = d.name;
  if (!n) return undefined;
  return ts.isIdentifier(n) || ts.isPrivateIdentifier(n) || ts.isStringLiteral(n) ? n.text : undefined;
};
const isDecl = (n) =>
  ts.isClassDeclaration(n) || ts.isClassExpression(n) || ts.isFunctionDeclaration(n) || ts.isFunctionExpression(n) || ts.isInterfaceDeclaration(n) ||
  ts.isTypeAliasDeclaration(n) || ts.isEnumDeclaration(n) || ts.isEnumMember(n) || ts.isVariableDeclaration(n) || ts.isMethodDeclaration(n) ||
  ts.isPropertyDeclaration(n) || ts.isGetAccessor(n) || ts.isSetAccessor(n) || ts.isMethodSignature(n) || ts.isPropertySignature(n) || ts.isParameter(n) ||
  ts.isBindingElement(n) || ts.isPropertyAssignment(n) || ts.isConstructorDeclaration(n) || ts.isTypeParameterDeclaration(n) || ts.isImportSpecifier(n) || ts.isNamespaceImport(n) || ts.isImportClause(n);
/** All declarations named `name` inside `node`, nearest level first: those of least depth of named containers. */
export function findIn(node, name) {
  let level = [node];
  while (level.length) {
    const found = [], next = [];
    const visit = (n) => {
      if (isDecl(n) && nameOf(n) !== undefined) {
        if (nameOf(n) === name) { found.push(n); return; }
        next.push(n);
        // parameters and patterns of functions count as one level
        return;
      }
      if (ts.isVariableDeclaration(n) || ts.isParameter(n)) { ts.forEachChild(n, visit); return; }
      ts.forEachChild(n, visit);
    };
    for (const n of level) ts.forEachChild(n, visit);
    if (found.length) { const own = found.filter((d) => !ts.isPropertyAssignment(d)); return own.length ? own : found; }
    level = next;
  }
  return [];
}
export function resolveEntry(sf, qualified) {
  let nodes = [sf];
  for (const part of qualified.split('.')) {
    const got = nodes.flatMap((n) => findIn(n, part));
    nodes = [...new Set(got)];
    if (!nodes.length) return [];
  }
  return nodes;
}
export const loadMaps = async (paths) => {
  const files = [], symbols = [], notes = [];
  for (const p of paths) {
    const m = (await import(resolve(p) + '?' + Date.now())).default;
    files.push(...(m.files ?? [])); symbols.push(...(m.symbols ?? [])); notes.push(...(m.notes ?? []));
  }
  return { files, symbols, notes };
};
