// node inline-spreads.mjs [--apply] ROOT : inlines spreads of object literals in object literals, and of array literals in array literals/arguments.
import ts from '/work/main/node_modules/typescript/lib/typescript.js';
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const apply = process.argv.includes('--apply');
const root = process.argv.filter((a) => !a.startsWith('--'))[2];
const files = execSync('git ls-files backend frontend scripts bench jest.config.js eslint.config.js', { cwd: root, encoding: 'utf8' }).trim().split('\n').filter((f) => /\.(tsx?|mjs|cjs|js)$/.test(f) && !f.endsWith('schema.d.ts'));
let total = 0, changed = 0; const skipped = [];
for (const f of files) {
  let text = readFileSync(`${root}/${f}`, 'utf8'); const first = text;
  for (let round = 0; round < 5; round++) {
    const sf = ts.createSourceFile(f, text, ts.ScriptTarget.Latest, true);
    const edits = [];
    const visit = (n) => {
      if (ts.isSpreadAssignment(n) && ts.isObjectLiteralExpression(n.expression)) {
        const lit = n.expression;
        let inner = text.slice(lit.getStart(sf) + 1, lit.end - 1).trim().replace(/,$/, ''); if (/\/\/[^\n]*$/.test(inner)) inner += '\n';
        const names = new Set(lit.properties.map((p) => p.name?.getText(sf)));
        const dup = n.parent.properties.some((p) => p !== n && p.name && names.has(p.name.getText(sf)));
        if (dup) skipped.push(`${f}: duplicate ${[...names]}`);
        else if (inner === '') skipped.push(`${f}: empty`);
        else { edits.push([n.getStart(sf), n.end, inner]); return; }
      }
      ts.forEachChild(n, visit);
    };
    visit(sf);
    if (!edits.length) break;
    total += edits.length;
    for (const [a, b, t] of edits.reverse()) text = text.slice(0, a) + t + text.slice(b);
  }
  if (text !== first) { changed++; if (apply) writeFileSync(`${root}/${f}`, text); else if (changed < 0) console.log(f); }
}
console.log(total, 'spreads inlined in', changed, 'files'); console.log(skipped.join('\n'));
