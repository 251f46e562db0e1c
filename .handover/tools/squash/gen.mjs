import pg from '/work/main/node_modules/pg/lib/index.js';
import { readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { execSync } from 'node:child_process';
const root = '/work/main/';
const c = new pg.Client(JSON.parse(readFileSync('/tmp/sq/conn.json')));
await c.connect();
const all = async (s) => (await c.query(s)).rows;
// table -> module
const owner = {};
for (const f of execSync(`git ls-files 'backend/src/**/*.entity.ts'`, { cwd: root }).toString().trim().split('\n')) {
  const m = /backend\/src\/(?:modules\/)?([^/]+)/.exec(f)[1];
  for (const [, t] of readFileSync(root + f, 'utf8').matchAll(/tableName: '([^']+)'/g)) owner[t] = m;
}
const { migrations } = await import('/work/main/dist/backend/migrations/list.js');
const sources = [];
for (const m of migrations) { const x = new m.class({ getPlatform: () => ({}) }, { get: () => undefined }); await x.up(); sources.push([m.name, x.getQueries().map((q) => typeof q === 'string' ? q.replace(/;?\s*$/, ';') : (console.log('?', m.name, q), '')).join('\n')]); }
const indexSrc = {}, checkSrc = {};
for (const [f, s] of sources) {
  for (const [, u, n, rest] of s.matchAll(/create (unique )?index (?:concurrently )?(?:if not exists )?"?([a-z0-9_]+)"? (on [\s\S]*?);/g)) indexSrc[n] = [f, `${u ?? ''}index`, rest];
  for (const m of s.matchAll(/constraint "?([a-z0-9_]+)"?\s+check\s*\(/g)) {
    let i = m.index + m[0].length, d = 1; while (d) { if (s[i] === '(') d++; if (s[i] === ')') d--; i++; }
    checkSrc[m[1]] = s.slice(m.index + m[0].length, i - 1).replace(/\s+/g, ' ').trim();
  }
}
indexSrc.entitlements_notice_due_index = ['', 'index', indexSrc.entitlements_untold_index?.[2].replace(/is_untold/g, 'is_notice_due')];
console.log(indexSrc.entitlements_notice_due_index);
const tables = await all(`select c.oid, relname as name, relkind, pg_get_partkeydef(c.oid) part, (select relname from pg_class p join pg_inherits i on i.inhparent=p.oid where i.inhrelid=c.oid) parent, pg_get_expr(relpartbound, c.oid) bound, reloptions from pg_class c where relnamespace='public'::regnamespace and relkind in ('r','p') order by oid`);
const attrs = await all(`select attrelid as oid, attnum, attname as name, format_type(atttypid, atttypmod) type, attnotnull nn, pg_get_expr(adbin, adrelid) def, attgenerated gen, attidentity ident, (select collname from pg_collation l where l.oid=attcollation and attcollation <> typcollation) coll from pg_attribute a join pg_class c on c.oid=attrelid join pg_type t on t.oid=atttypid left join pg_attrdef d on adrelid=attrelid and adnum=attnum where relnamespace='public'::regnamespace and relkind in ('r','p') and attnum>0 and not attisdropped order by attrelid, attnum`);
const cons = await all(`select conrelid oid, conname name, contype t, conkey::int[] k, confrelid f, confkey::int[] fk, confdeltype del, confdelsetcols::int[] dsc, pg_get_constraintdef(oid) def from pg_constraint where connamespace='public'::regnamespace and contype<>'n' and conparentid=0 order by oid`);
const idx = await all(`select indrelid oid, c.relname name, pg_get_indexdef(indexrelid) def, reloptions from pg_index i join pg_class c on c.oid=indexrelid where c.relnamespace='public'::regnamespace and not c.relispartition and not exists (select from pg_constraint k where k.conindid=indexrelid and k.contype in ('p','u')) order by c.oid`);
const byOid = Object.fromEntries(tables.map((t) => [t.oid, t]));
const col = (oid, n) => `"${attrs.find((a) => a.oid === oid && a.attnum === n).name}"`;
const types = { 'character varying': 'varchar', 'timestamp with time zone': 'timestamptz' };
const type = (t) => t.replace('character varying', 'varchar').replace('timestamp with time zone', 'timestamptz');
const DEL = { c: 'cascade', n: 'set null', a: 'no action', r: 'restrict', d: 'set default' };
const warn = [];
const order = ['platform', 'auth', 'plans', 'zones', 'files', 'mirrors', 'activity', 'insights', 'links', 'campaigns', 'integrations', 'billing', 'account', 'admin', 'retention', 'suggestions', 'site'];
const modOf = (t) => t.parent ? modOf(tables.find((x) => x.name === t.parent)) : (owner[t.name] && order.includes(owner[t.name]) && owner[t.name]) || 'platform';
const mods = {};
for (const t of tables) if (t.name !== 'mikro_orm_migrations') (mods[modOf(t)] ??= []).push(t);
const created = new Set(); const out = {}; let deferredAll = [];
for (const m of order) {
  if (!mods[m]) continue;
  let todo = [...mods[m]]; const blocks = []; 
  // topological
  const deps = (t) => cons.filter((k) => k.oid === t.oid && k.t === 'f' && k.f !== t.oid).map((k) => byOid[k.f].name);
  const emit = (t, force) => {
    if (t.parent) return blocks.push(`create table "${t.name}" partition of "${t.parent}" ${t.bound.toLowerCase()};`);
    const lines = []; const after = [];
    const pk = cons.find((k) => k.oid === t.oid && k.t === 'p');
    if (pk && pk.name !== `${t.name}_pkey`) warn.push(`pk name ${pk.name}`);
    for (const a of attrs.filter((x) => x.oid === t.oid)) {
      let ty = type(a.type), def = '';
      if (a.def?.startsWith('nextval(')) ty = ty === 'bigint' ? 'bigserial' : ty === 'integer' ? 'serial' : `?${ty}`;
      else if (a.gen === 's') def = ` generated always as (${a.def}) stored`;
      else if (a.gen) warn.push('gen ' + a.name);
      else if (a.def) def = ` default ${a.def.replace(/::[a-z ]+(\(\d+\))?(\[\])?$/, (x) => /^'\{|^ARRAY/.test(a.def) ? x : '')}`;
      if (a.ident) warn.push('identity ' + t.name + a.name);
      const isPk = pk && pk.k.length === 1 && pk.k[0] === a.attnum;
      lines.push(`"${a.name}" ${ty}${a.coll ? ` collate "${a.coll}"` : ''}${isPk ? ' primary key' : ty.includes('serial') ? '' : a.nn ? ' not null' : ' null'}${def}`);
    }
    if (pk && pk.k.length > 1) lines.push(`primary key (${pk.k.map((n) => col(t.oid, n)).join(', ')})`);
    for (const k of cons.filter((x) => x.oid === t.oid).sort((p, q) => 'pucf'.indexOf(p.t) - 'pucf'.indexOf(q.t))) {
      const own = k.k?.map((n) => col(t.oid, n)).join(', ');
      if (k.t === 'u') { if (/NULLS|INCLUDE/.test(k.def)) warn.push(k.def); lines.push(`constraint "${k.name}" unique (${own})`); }
      if (k.t === 'c') { if (!checkSrc[k.name]) warn.push(`check ${k.name}: ${k.def}`); lines.push(`constraint "${k.name}" check (${checkSrc[k.name] ?? k.def.replace(/^CHECK \(|\)$/g, '')})`); }
      if (k.t === 'f') {
        const f = byOid[k.f];
        const text = `constraint "${k.name}" foreign key (${own}) references "${f.name}" (${k.fk.map((n) => col(k.f, n)).join(', ')})${/ON UPDATE CASCADE/.test(k.def) ? ' on update cascade' : ''}${k.del === 'a' ? '' : ` on delete ${DEL[k.del]}`}${k.dsc?.length ? ` (${k.dsc.map((n) => col(t.oid, n)).join(', ')})` : ''}`;
        if (/DEFERR|MATCH|ON UPDATE (?!CASCADE)/.test(k.def)) warn.push(k.def);
        if (f.oid === t.oid || created.has(f.name)) lines.push(text); else after.push([f.name, `alter table "${t.name}" add ${text};`]);
      }
    }
    let sql = `create table "${t.name}" (\n${lines.map((l) => '  ' + l).join(',\n')}\n)${t.part ? ` partition by ${t.part.toLowerCase()}` : ''};`;
    if (t.reloptions) warn.push(`reloptions ${t.name} ${t.reloptions}`);
    for (const i of idx.filter((x) => x.oid === t.oid)) {
      const s = indexSrc[i.name];
      if (!s) { warn.push(`index ${i.name}: ${i.def}`); sql += `\n${i.def};`; }
      else sql += `\ncreate ${s[1]} "${i.name}" ${s[2].replace(/\s+/g, ' ').trim()};`;
    }
    created.add(t.name);
    blocks.push(sql); deferredAll.push(...after);
    deferredAll = deferredAll.filter(([f, text]) => { if (!created.has(f)) return true; blocks.push(text); return false; });
  };
  while (todo.length) {
    let t = todo.find((x) => x.parent ? created.has(x.parent) : deps(x).every((d) => created.has(d) || !mods[m].some((y) => y.name === d)));
    t ??= todo[0];
    emit(t); todo = todo.filter((x) => x !== t);
  }
  out[m] = blocks;
}
if (deferredAll.length) warn.push('left ' + JSON.stringify(deferredAll));
console.log(warn.join('\n'));
writeFileSync('/tmp/sq/out.json', JSON.stringify(out));
for (const m in out) console.log(m, mods[m].map((t) => t.name).join(' '));
await c.end();
