// node only-comments.mjs ROOT BASE: files of ROOT whose code (tokens without comments) differs from that at BASE
import { execFileSync } from 'node:child_process'; import { readFileSync, existsSync } from 'node:fs'; import { join } from 'node:path';
import { ts } from './lib.mjs';
const [root, base] = process.argv.slice(2);
const git = (...a) => execFileSync('git', ['-C', root, ...a], { maxBuffer: 1e9, encoding: 'utf8' });
const files = git('diff', '--name-only', base).split('\n').filter(Boolean);
const tokens = (f, text) => { const kind = f.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS; const sf = ts.createSourceFile(f, text, ts.ScriptTarget.ESNext, true, kind); const out = []; const visit = (n) => { const kids = n.getChildren(sf).filter((k) => k.kind < ts.SyntaxKind.FirstJSDocNode || k.kind > ts.SyntaxKind.LastJSDocNode); if (!kids.length) out.push(n.getText(sf).replace(/\s+/g, ' ')); else kids.forEach(visit); }; visit(sf); return out.filter((x) => x && x !== ',').join('\u0001'); };
let bad = 0; const words = { before: 0, after: 0 };
const count = (t) => (t.match(/\/\*\*?[\s\S]*?\*\/|\/\/[^\n]*/g) ?? []).join(' ').split(/\s+/).length;
for (const f of files) {
  if (!/\.(ts|tsx|mjs|cjs|js)$/.test(f)) { console.log('other file changed:', f); continue; }
  let before; try { before = git('show', `${base}:${f}`); } catch { console.log('new file:', f); bad++; continue; }
  if (!existsSync(join(root, f))) { console.log('gone:', f); bad++; continue; }
  const after = readFileSync(join(root, f), 'utf8');
  words.before += count(before); words.after += count(after);
  if (tokens(f, before) !== tokens(f, after)) { console.log('code changed:', f); bad++; }
}
console.log(`${files.length} files, ${bad} with changed code; words of comments ${words.before} → ${words.after}`);
