import { readFileSync, writeFileSync, readdirSync, unlinkSync } from 'node:fs';
const out = JSON.parse(readFileSync('/tmp/sq/out.json'));
const dir = '/work/main/backend/migrations/';
const docs = {
  platform: 'Tables of the platform: jobs, rate limits, audit log, security events, installation and its settings.',
  auth: 'Users, their sessions, tokens, second factors and identities.',
  plans: 'Plans of owners and what they use of them.',
  zones: 'Zones, members, invitations, requests to join, and who may be emailed.',
  files: 'Files and folders, uploads, trash, thumbnails and rendered pages.',
  activity: 'Activity by month, and what is counted of it by file and member.',
  insights: 'Figures by day and by quarter of an hour that charts are drawn from.',
  links: 'Temporary links, their uses, and joins that wait for a verified email address.',
  campaigns: 'Campaigns, their deliveries and events, templates, and email settings of zones.',
  integrations: 'Webhooks of shops, purchases and the zones that they open.',
  billing: 'Subscriptions and invoices of Stripe.',
  account: 'Accounts that are being erased.',
  admin: 'The daily digest of administrators.',
  retention: 'What retention policies removed.',
  suggestions: 'Suggestions and their votes.',
};
const before = {
  platform: [`create extension if not exists pg_trgm;`,
`create collation "tr_numeric" (provider = icu, locale = 'tr-u-kn-true');`,
`create function search_fold(t text) returns text immutable parallel safe language sql as $$
  select case when octet_length(t) = length(t) then lower(t collate "C") else
    normalize(replace(replace(translate(
      regexp_replace(normalize(replace(
        lower(upper(lower(translate(normalize(translate(t, U&'\\200C\\200D', ''), NFKC), 'Iİı', 'iii') collate "und-x-icu") collate "und-x-icu") collate "und-x-icu"),
        'ς', 'σ'), NFD), '[\\u0300-\\u036f]+', '', 'g'),
      'øđłħŧ', 'odlht'), 'æ', 'ae'), 'œ', 'oe'), NFC) collate "C" end
$$;`],
};
const after = {
  platform: [`insert into "installation" ("id") values (gen_random_uuid()::text);
insert into "mail_state" ("id") values (1);`,
`create function "audit_log_append_only_fn"() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  if new.id is distinct from old.id or new.type is distinct from old.type
    or new.created_at is distinct from old.created_at
    or (new.actor_id is not null and new.actor_id is distinct from old.actor_id)
    or (new.subject_id is not null and new.subject_id is distinct from old.subject_id)
    or (new.ip_address is not null and new.ip_address is distinct from old.ip_address)
    or not (new.params <@ old.params) then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger "append_only" before update or delete on "audit_log"
  for each row execute function "audit_log_append_only_fn"();`],
  files: [`create function "folder_mirrors_take_mount_fn"() returns trigger language plpgsql as $$
begin
  delete from folders where id = old.target_folder_id;
  return old;
end $$;
create trigger "take_mount" after delete on "folder_mirrors"
  for each row execute function "folder_mirrors_take_mount_fn"();`],
  activity: [`alter index "activity_default_created_at_idx" set (autosummarize = on);`],
  insights: [`create function "mark_late_activity"() returns trigger language plpgsql as $$
begin
  insert into dirty_days (day)
    select distinct (added.created_at at time zone 'UTC')::date from added, roll_ups
    where roll_ups.name = 'activity' and added.created_at < roll_ups.through
    order by 1
    on conflict (day) do update set day = excluded.day;
  return null;
end $$;
create trigger "activity_late" after insert on "activity" referencing new table as added
  for each statement execute function "mark_late_activity"();`],
};
const extra = {
  platform: `
 * \`search_fold\` is the folding of everything that is searched. It ignores case, accents ("odev" finds "ödev"),
 * look-alikes (NFKC: full-width letters, ligatures) and joiners (U+200C, U+200D), and skips this for ASCII. It isn't
 * \`strict\` and uses \`t\` cheaply, so PostgreSQL inlines it.`,
  activity: `
 * The month's partitions are created by a job; the default partition takes rows of months without one.`,
};
const list = [];
const names = Object.keys(out);
names.forEach((m, i) => {
  const n = String(i + 1).padStart(4, '0');
  const cls = `Migration${n}${m[0].toUpperCase()}${m.slice(1)}`;
  const sql = [...(before[m] ?? []), ...out[m], ...(after[m] ?? [])].join('\n').replace("replace(text, '\u00ad'::text, ''::text)", "replace(text, U&'\\00AD', '')").replace(/"left"\(search_fold\(name_key\), 300\)/, 'left(search_fold(name_key), 300)').replaceAll('"left"(', 'left(').replaceAll(" default '0'", ' default 0').replaceAll(' integer', ' int').replaceAll('\\', '\\\\').replaceAll('`', '\\`');
  const doc = extra[m] ? `/**\n * ${docs[m]}${extra[m]}\n */` : `/** ${docs[m]} */`;
  writeFileSync(`${dir}${n}-${m}.ts`, `import { Migration } from '@mikro-orm/migrations';\n\n${doc}\nexport class ${cls} extends Migration {\n  override up(): void {\n    this.addSql(\`\n${sql.split('\n').map((l) => (l ? '      ' + l : l)).join('\n')}\n    \`);\n  }\n}\n`);
  list.push([`${n}-${m}`, cls]);
});
let old = readFileSync(dir + '279-standard-job-names.ts', 'utf8').replace('Migration279StandardJobNames', 'Migration0016StandardJobNames');
for (const f of readdirSync(dir)) if (/^\d{3}-/.test(f)) unlinkSync(dir + f);
writeFileSync(dir + '0016-standard-job-names.ts', old);
list.push(['0016-standard-job-names', 'Migration0016StandardJobNames']);
writeFileSync(dir + 'list.ts', `import type { MigrationObject } from '@mikro-orm/core';\n${list.map(([n, c]) => `import { ${c} } from './${n}.js';`).join('\n')}\n\n/** All migrations in order. The first fifteen create the schema of version 0.2.0, by module. */\nexport const migrations: MigrationObject[] = [\n${list.map(([n, c]) => `  { name: '${n}', class: ${c} },`).join('\n')}\n];\n`);
