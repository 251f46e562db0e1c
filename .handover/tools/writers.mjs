import { readFileSync } from 'node:fs'; import { execSync } from 'node:child_process';
const files=execSync("git ls-files 'backend/src/**/*.ts'",{encoding:'utf8'}).split('\n').filter(f=>f&&!f.endsWith('.spec.ts'));
const m=new Map();
for(const f of files){const t=readFileSync(f,'utf8').replace(/^\s*(\*|\/\/).*$/gm,'');
 for(const r of [/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,/\binsert\s+into\s+"?([a-z_]+)"?/g,/\bupdate\s+"?([a-z_]+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/g,/\bdelete\s+from\s+"?([a-z_]+)"?/g])
  for(const x of t.matchAll(r)) (m.get(x[1])??m.set(x[1],new Set()).get(x[1])).add(f.replace('backend/src/',''));}
for(const [t,s] of [...m].sort()) console.log(s.size>1?'**':'  ',t,[...s].join(' '));
