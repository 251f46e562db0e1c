// node --max-old-space-size=6000 rename.mjs ROOT [--apply] [--projects=backend,frontend] MAP...
// One pass over every identifier with the type checker; declarations in the maps give the new names.
import { readFileSync, writeFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, dirname, relative, resolve, basename } from 'node:path';
import { execFileSync } from 'node:child_process';
import { ts, loadMaps, resolveEntry, nameOf } from './lib.mjs';
const args = process.argv.slice(2);
const root = resolve(args.find((a) => !a.startsWith('--')));
const apply = args.includes('--apply');
const projects = (args.find((a) => a.startsWith('--projects='))?.slice(11) ?? 'backend,frontend').split(',');
const maps = args.filter((a) => !a.startsWith('--')).slice(1);
const { files: moves, symbols } = await loadMaps(maps);
const t0 = Date.now(); const log = (...a) => console.log(`[${((Date.now() - t0) / 1000).toFixed(0)}s]`, ...a);
const lower = (s) => s[0].toLowerCase() + s.slice(1);
const bare = (s) => s.replace(/(Service|Repository)$/, '') || s;
const edits = new Map(); // file → Map(start → {end, text})
const conflicts = [];
const edit = (file, start, end, text) => {
  const m = edits.get(file) ?? edits.set(file, new Map()).get(file);
  const was = m.get(start);
  if (was && was.text !== text) conflicts.push(`${relative(root, file)}:${start} ${was.text} | ${text}`);
  else m.set(start, { end, text });
};
const unresolvedTexts = new Map();
const memberOld = new Map();
for (const [, q, n] of symbols) if (q.includes('.') && !q.includes('constructor.')) memberOld.set(q.split('.').pop(), n);
for (const project of projects) {
  const cfgPath = join(root, project, 'tsconfig.json');
  const cfg = ts.getParsedCommandLineOfConfigFile(cfgPath, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (d) => { throw new Error(d.messageText); } });
  const program = ts.createProgram(cfg.fileNames, { ...cfg.options, noEmit: true });
  const checker = program.getTypeChecker();
  log(project, program.getSourceFiles().filter((f) => !f.fileName.includes('node_modules')).length, 'files');
  const renamed = new Map(); // declaration → new name
  const classNew = new Map(); // class declaration → [old, new]
  for (const [f, q, n] of symbols) {
    const sf = program.getSourceFile(join(root, f));
    if (!sf) continue;
    const nodes = resolveEntry(sf, q);
    if (!nodes.length) conflicts.push(`not found ${f} ${q}`);
    for (const d of nodes) {
      renamed.set(d, n);
      if (ts.isClassDeclaration(d)) classNew.set(d, [nameOf(d), n]);
    }
  }
  const sources = program.getSourceFiles().filter((f) => !f.fileName.includes('/node_modules/') && !f.isDeclarationFile || f.fileName.startsWith(root) && !f.fileName.includes('node_modules'));
  const declsOf = (sym) => {
    if (!sym) return [];
    if (sym.flags & ts.SymbolFlags.Alias) { try { sym = checker.getAliasedSymbol(sym); } catch { return []; } }
    return sym.declarations ?? [];
  };
  const newOf = (sym) => {
    for (const d of declsOf(sym)) { const n = renamed.get(d); if (n) return n; }
    return undefined;
  };
  const propOf = (type, name) => {
    if (!type) return undefined;
    type = checker.getNonNullableType(type);
    const p = type.getProperty?.(name) ?? checker.getPropertyOfType(type, name);
    if (p) return p;
    if (type.isUnion?.()) for (const t of type.types) { const q = propOf(t, name); if (q) return q; }
    const c = checker.getBaseConstraintOfType(type);
    return c && c !== type ? propOf(c, name) : undefined;
  };
  const contextual = (lit, name) => { const t = checker.getContextualType(lit); return propOf(t, name); };
  const isHookResult = (lit) => {
    let q = lit.parent; while (q && (ts.isParenthesizedExpression(q) || ts.isAsExpression(q))) q = q.parent;
    const f = q && (ts.isReturnStatement(q) ? q.parent?.parent : q);
    if (!f || !ts.isFunctionLike(f)) return false;
    const name = f.name ? nameOf(f) : f.parent && ts.isVariableDeclaration(f.parent) ? nameOf(f.parent) : undefined;
    return Boolean(name && /^use[A-Z]/.test(name));
  };
  // Closure: members that implement or override renamed ones, literal members of renamed types.
  for (let round = 0; round < 4; round++) {
    let added = 0;
    for (const sf of sources) {
      const visit = (n) => {
        if ((ts.isClassDeclaration(n) || ts.isClassExpression(n) || ts.isInterfaceDeclaration(n)) && n.heritageClauses) {
          const bases = n.heritageClauses.flatMap((h) => h.types).map((t) => checker.getTypeAtLocation(t));
          const members = [...n.members, ...n.members.filter(ts.isConstructorDeclaration).flatMap((c) => c.parameters.filter((p) => p.modifiers?.length))];
          for (const m of members) {
            const name = nameOf(m);
            if (!name || renamed.has(m)) continue;
            for (const b of bases) { const nn = newOf(propOf(b, name)); if (nn) { renamed.set(m, nn); added++; break; } }
          }
        }
        if (ts.isObjectLiteralExpression(n)) for (const m of n.properties) {
          const name = m.name && nameOf(m);
          if (!name || renamed.has(m) || ts.isShorthandPropertyAssignment(m)) continue;
          const nn = newOf(contextual(n, name)); if (nn) { renamed.set(m, nn); added++; }
        }
        // hooks that return `{ local }`: the property follows the local
        if (ts.isShorthandPropertyAssignment(n) && !renamed.has(n) && isHookResult(n.parent) && !contextual(n.parent, n.name.text)) {
          const nn = newOf(checker.getShorthandAssignmentValueSymbol(n));
          if (nn) { renamed.set(n, nn); added++; }
        }
        // locals taken out of a renamed property are called as it, where that name is free
        if (ts.isBindingElement(n) && ts.isIdentifier(n.name) && !n.propertyName && !n.dotDotDotToken && ts.isObjectBindingPattern(n.parent) && !renamed.has(n)) {
          const nn = newOf(propOf(checker.getTypeAtLocation(n.parent), n.name.text));
          if (nn && nn !== n.name.text && !/^(new|function|delete|export|import|default|package|public|private|static|class|return|with)$/.test(nn)) {
            let body = n; while (body && !ts.isFunctionLike(body) && !ts.isSourceFile(body)) body = body.parent;
            const outer = ts.isFunctionLike(body) ? body : sf;
            const taken = new RegExp(`(?<![.\\w$])${nn}(?![\\w$])`).test(outer.getText(sf)) || checker.getSymbolsInScope(n, ts.SymbolFlags.Value).some((x) => x.name === nn && x.declarations?.some((d) => d.getSourceFile() === sf)) || [...renamed].some(([d, v]) => v === nn && d.getSourceFile() === sf && d.pos >= outer.pos && d.end <= outer.end);
            if (!taken) { renamed.set(n, nn); added++; }
          }
        }
        // fields and parameters called as their renamed class
        if (round === 0 && (ts.isParameter(n) || ts.isPropertyDeclaration(n) || ts.isVariableDeclaration(n)) && n.name && ts.isIdentifier(n.name) && !renamed.has(n)) {
          if (classNew.size) {
            const t = n.type ? checker.getTypeAtLocation(n.type) : ts.isVariableDeclaration(n) ? checker.getTypeAtLocation(n.name) : undefined;
            const d = t?.symbol?.declarations?.find((x) => classNew.has(x));
            if (d) { const [o, w] = classNew.get(d); if (n.name.text === lower(o) || n.name.text === lower(bare(o))) { const target = lower(bare(w)); if (target !== n.name.text && !['function','delete','export','import','default','package','public'].includes(target)) { renamed.set(n, target); added++; } } }
          }
        }
        ts.forEachChild(n, visit);
      };
      visit(sf);
    }
    log(project, 'closure', round, added);
    if (!added) break;
  }
  for (const sf of sources) {
    const file = sf.fileName;
    const visit = (n) => {
      if (ts.isIdentifier(n) || ts.isPrivateIdentifier(n)) handle(n, sf, file);
      // jest.spyOn(x, 'name'), Pick/Omit<X, 'name'>, X['name']
      else if (ts.isStringLiteral(n) && memberOld.has(n.text)) handleString(n, file);
      ts.forEachChild(n, visit);
    };
    visit(sf);
  }
  function handleString(n, file) {
    const p = n.parent; let type;
    if (ts.isCallExpression(p) && p.arguments[1] === n && /spyOn|replaceProperty/.test(p.expression.getText())) type = checker.getTypeAtLocation(p.arguments[0]);
    else if (ts.isElementAccessExpression(p) && p.argumentExpression === n) type = checker.getTypeAtLocation(p.expression);
    else if (ts.isLiteralTypeNode(p)) {
      let q = p.parent; while (q && ts.isUnionTypeNode(q)) q = q.parent;
      if (q && ts.isIndexedAccessTypeNode(q)) type = checker.getTypeAtLocation(q.objectType);
      else if (q && ts.isTypeReferenceNode(q) && /^(Pick|Omit)$/.test(q.typeName.getText())) type = checker.getTypeAtLocation(q.typeArguments[0]);
    } else if (ts.isStringLiteral(n)) {
      const ct = checker.getContextualType(n);
      if (ct && (ct.flags & ts.TypeFlags.Index)) type = ct.type;
    }
    const nn = type && newOf(propOf(type, n.text));
    if (nn) edit(file, n.getStart() + 1, n.getEnd() - 1, nn);
  }
  function handle(n, sf, file) {
    const p = n.parent; const start = n.getStart(sf), end = n.getEnd();
    if (ts.isShorthandPropertyAssignment(p) && p.name === n) {
      const prop = newOf(contextual(p.parent, n.text)) ?? renamed.get(p);
      const val = newOf(checker.getShorthandAssignmentValueSymbol(p));
      if (!prop && !val) return;
      const a = prop ?? n.text, b = val ?? n.text;
      return edit(file, start, end, a === b ? a : `${a}: ${b}`);
    }
    if (ts.isBindingElement(p) && p.name === n && !p.propertyName && ts.isObjectBindingPattern(p.parent) && !p.dotDotDotToken) {
      const t = checker.getTypeAtLocation(p.parent);
      const prop = newOf(propOf(t, n.text));
      const val = renamed.get(p) ?? newOf(checker.getSymbolAtLocation(n));
      if (!prop && !val) return;
      // A local that was called as the property follows it, unless it has a name of its own.
      const b = val ?? n.text, a = prop ?? n.text;
      return edit(file, start, end, a === b ? a : `${a}: ${b}`);
    }
    if (ts.isBindingElement(p) && p.propertyName === n) {
      const nn = newOf(propOf(checker.getTypeAtLocation(p.parent), n.text));
      if (nn) edit(file, start, end, nn); return;
    }
    let nn;
    if (p.name === n && renamed.has(p)) nn = renamed.get(p);
    else if (ts.isJsxAttribute(p) && p.name === n) nn = newOf(propOf(checker.getContextualType(p.parent), n.text));
    else if (ts.isPropertyAssignment(p) && p.name === n) nn = newOf(contextual(p.parent, n.text)) ?? newOf(checker.getSymbolAtLocation(n));
    else if (ts.isImportSpecifier(p) || ts.isExportSpecifier(p)) {
      // import { Old as x }: only Old; import { Old }: the name and, through the alias, its uses
      if (p.propertyName && p.name === n) { return; }
      let s = checker.getSymbolAtLocation(n);
      if (ts.isExportSpecifier(p)) s = checker.getExportSpecifierLocalTargetSymbol(p) ?? s;
      nn = newOf(s);
    } else {
      const s = checker.getSymbolAtLocation(n);
      // Uses of `import { Old as x }` keep x.
      const local = s?.declarations?.find((d) => ts.isImportSpecifier(d));
      if (local && local.propertyName) return;
      if (s && (s.flags & ts.SymbolFlags.Alias) && s.declarations?.some((d) => ts.isImportClause(d))) { const d = s.declarations.find((x) => ts.isImportClause(x)); nn = newOf(s); if (d && n.text !== (declsOf(s).map(nameOf).find(Boolean))) return; }
      else nn = newOf(s);
      if (!s && memberOld.has(n.text) && ts.isPropertyAccessExpression(p) && p.name === n) unresolvedTexts.set(`${relative(root, file)}:${sf.getLineAndCharacterOfPosition(start).line + 1} .${n.text}`, 1);
    }
    if (nn && nn !== n.text) edit(file, start, end, nn);
  }
  log(project, 'edits in', edits.size, 'files');
}
// Moves: import specifiers by relative path.
const moveMap = new Map(moves.map(([a, b]) => [join(root, a), join(root, b)]));
const tracked = execFileSync('git', ['-C', root, 'ls-files', '-z'], { maxBuffer: 1e8 }).toString().split('\0').filter(Boolean);
const codeFiles = tracked.filter((f) => /\.(ts|tsx|mjs|cjs|js)$/.test(f) && !/schema\.d\.ts$/.test(f));
const resolveSpec = (from, spec) => {
  const base = resolve(dirname(from), spec);
  for (const c of [base, base.replace(/\.js$/, '.ts'), base.replace(/\.js$/, '.tsx'), base.replace(/\.jsx$/, '.tsx'), base + '.ts', base + '.tsx']) if (moveMap.has(c) || (existsSync(c) && !c.endsWith('/') && tracked.includes(relative(root, c)))) return c;
  return undefined;
};
const trackedSet = new Set(tracked); tracked.includes = (x) => trackedSet.has(x);
for (const f of codeFiles) {
  const abs = join(root, f); const text = readFileSync(abs, 'utf8');
  const to = moveMap.get(abs) ?? abs;
  for (const m of text.matchAll(/(['"`])(\.{1,2}\/[^'"`\n$]*)\1/g)) {
    const target = resolveSpec(abs, m[2]); if (!target) continue;
    const nt = moveMap.get(target) ?? target;
    if (nt === target && to === abs) continue;
    let rel = relative(dirname(to), nt); if (!rel.startsWith('.')) rel = './' + rel;
    const oldExt = m[2].match(/\.(js|jsx|ts|tsx|mjs|cjs|json)$/)?.[0];
    const realExt = nt.match(/\.[a-z]+$/)?.[0] ?? '';
    if (!oldExt) rel = rel.replace(/\.(ts|tsx)$/, ''); else if (oldExt !== realExt) rel = rel.slice(0, -realExt.length) + oldExt;
    if (rel !== m[2]) edit(abs, m.index + 1, m.index + 1 + m[2].length, rel);
  }
}
log('conflicts', conflicts.length); for (const c of conflicts.slice(0, 200)) console.log('  ', c);
let count = 0; for (const m of edits.values()) count += m.size;
log('edits', count, 'in', edits.size, 'files; unresolved uses', unresolvedTexts.size);
writeFileSync('/tmp/unresolved.txt', [...unresolvedTexts.keys()].join('\n'));
if (!apply) process.exit(0);
for (const [file, m] of edits) {
  let text = readFileSync(file, 'utf8');
  for (const [start, e] of [...m].sort((a, b) => b[0] - a[0])) text = text.slice(0, start) + e.text + text.slice(e.end);
  writeFileSync(file, text);
}
for (const [a, b] of moveMap) { mkdirSync(dirname(b), { recursive: true }); execFileSync('git', ['-C', root, 'mv', a, b]); }
// Words in comments and documents: classes and functions with two humps that have one new name; whole paths.
const words = new Map(); const twice = new Set();
for (const [, q, n] of symbols) { if (q.includes('.')) continue; if (!/[a-z][A-Z]/.test(q)) continue; if (words.has(q) && words.get(q) !== n) twice.add(q); words.set(q, n); }
for (const t of twice) words.delete(t);
const stillDeclared = new Set();
const re = words.size ? new RegExp(`(?<![\\w$'./-])(${[...words.keys()].sort((a, b) => b.length - a.length).join('|')})(?![\\w$'])`, 'g') : null;
const pathPairs = [...moves].map(([a, b]) => [a, b]).sort((x, y) => y[0].length - x[0].length);
const now = execFileSync('git', ['-C', root, 'ls-files', '-z'], { maxBuffer: 1e8 }).toString().split('\0').filter((f) => /\.(ts|tsx|mjs|cjs|js|md|json|yml|sh)$/.test(f) && !/package-lock|openapi\.json|schema\.d\.ts|CHANGELOG/.test(f));
for (const f of now) {
  const abs = join(root, f); let text = readFileSync(abs, 'utf8'); const was = text;
  if (re) {
    if (f.endsWith('.md')) text = text.replace(re, (w) => words.get(w));
    else if (/\.(ts|tsx|mjs|cjs|js)$/.test(f)) text = text.replace(/\/\*\*?[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, (c) => c.replace(re, (w) => words.get(w)));
  }
  for (const [a, b] of pathPairs) for (const cut of ['', 'backend/', 'backend/src/', 'backend/src/modules/', 'frontend/', 'frontend/src/']) {
    if (!a.startsWith(cut)) continue;
    const x = a.slice(cut.length), y = b.startsWith(cut) ? b.slice(cut.length) : b;
    if (!x.includes('/')) continue;
    for (const [p, q] of [[x, y], [x.replace(/\.ts$/, '.js'), y.replace(/\.ts$/, '.js')]]) if (text.includes(p)) text = text.replace(new RegExp(`(?<![\\w/.-])${p.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g'), q);
  }
  if (text !== was) writeFileSync(abs, text);
}
log('applied');
