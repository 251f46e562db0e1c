import { readFileSync, readdirSync } from 'node:fs';
const fs=readdirSync('/tmp/prof').map(f=>'/tmp/prof/'+f);
for(const f of fs){const p=JSON.parse(readFileSync(f));
const self=new Map(); p.samples.forEach((id,i)=>self.set(id,(self.get(id)??0)+p.timeDeltas[i]));
const byUrl=new Map(), byFn=new Map(); let tot=0;
for(const n of p.nodes){const t=self.get(n.id)??0; tot+=t; const u=n.callFrame.url; const m=/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(u); const k=m?m[1]:u.includes('/frontend/')?'frontend':u.startsWith('node:')?'node:':u||`(${n.callFrame.functionName})`; byUrl.set(k,(byUrl.get(k)??0)+t); const fk=n.callFrame.functionName+' '+u.slice(-70)+':'+n.callFrame.lineNumber; byFn.set(fk,(byFn.get(fk)??0)+t);}
console.log(f,(tot/1e6).toFixed(1),'s'); const show=(m,n)=>[...m].sort((a,b)=>b[1]-a[1]).slice(0,n).forEach(([k,v])=>console.log((v/1000).toFixed(0).padStart(6),k));
show(byUrl,28); console.log(); show(byFn,40);}
