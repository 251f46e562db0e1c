// node check-map.mjs MAP... [--root=/work/main]
import { readFileSync, existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { ts, loadMaps, resolveEntry, nameOf } from './lib.mjs';
const root = process.argv.find((a) => a.startsWith('--root='))?.slice(7) ?? '/work/main';
const { files, symbols, notes } = await loadMaps(process.argv.slice(2).filter((a) => !a.startsWith('--')));
let bad = 0; const say = (...a) => { bad++; console.log(...a); };
const moved = new Map(); const targets = new Map();
for (const [from, to] of files) {
  if (!existsSync(join(root, from))) say('file missing:', from);
  if (existsSync(join(root, to)) && !files.some(([f]) => f === to)) say('file exists already:', to);
  if (targets.has(to)) say('two files become', to);
  if (moved.has(from)) say('moved twice:', from);
  targets.set(to, from); moved.set(from, to);
  const spec = from.replace(/\.ts$/, '.spec.ts');
  if (!from.endsWith('.spec.ts') && existsSync(join(root, spec)) && !files.some(([f]) => f === spec)) say('spec stays behind:', spec);
}
const cache = new Map();
const parse = (f) => { if (!cache.has(f)) cache.set(f, ts.createSourceFile(f, readFileSync(join(root, f), 'utf8'), ts.ScriptTarget.ES2024, true)); return cache.get(f); };
const renamed = new Map();
for (const [f, q, n] of symbols) {
  if (!existsSync(join(root, f))) { say('no file for symbol:', f, q); continue; }
  if (!/^[A-Za-z_$][\w$]*$/.test(n)) { say('no identifier:', f, q, n); continue; }
  const nodes = resolveEntry(parse(f), q);
  if (!nodes.length) { say('not found:', f, q); continue; }
  for (const d of nodes) {
    if (renamed.has(d) && renamed.get(d) !== n) say('two names for', f, q, renamed.get(d), n);
    renamed.set(d, n);
  }
}
const newName = (d) => renamed.get(d) ?? nameOf(d);
// collisions: members of the same container; top level of the same file
for (const [d, n] of renamed) {
  const holder = ts.isVariableDeclaration(d) ? d.parent.parent.parent : d.parent;
  const sibs = [];
  const look = (c) => { if (ts.isVariableStatement(c)) c.declarationList.declarations.forEach((x) => sibs.push(x)); else if (ts.isImportDeclaration(c) && c.importClause) { const b = c.importClause.namedBindings; if (b && ts.isNamedImports(b)) sibs.push(...b.elements); } else sibs.push(c); if (ts.isConstructorDeclaration(c)) sibs.push(...c.parameters.filter((p) => p.modifiers?.length)); };
  ts.forEachChild(holder, look);
  if (ts.isConstructorDeclaration(holder)) ts.forEachChild(holder.parent, look);
  for (const s of sibs) if (s !== d && nameOf(s) !== undefined && newName(s) === n && nameOf(s) !== nameOf(d)) { if (ts.isImportSpecifier(s) && [...renamed.keys()].some((k) => nameOf(k) === nameOf(s))) continue; say('collision:', d.getSourceFile().fileName, nameOf(d), '→', n, 'exists as', ts.SyntaxKind[s.kind]); }
}
console.log(`${files.length} files, ${symbols.length} symbols, ${notes.length} notes, ${bad} faults`);
