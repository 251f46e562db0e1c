import { each, kindOf, operationsOf, SLOW } from './findings.mjs';
import { send } from './test-data.mjs';

/** An id that doesn't exist. */
const NOWHERE = 999_999_999;
/** Removes what may differ between the responses to two ids the user may not access. */
const volatile = (text) => text.replace(/"requestId":"[^"]*"/, '');
/** Would end the session that the other requests need. */
const LEFT_OUT = new Set(['POST /api/logout', 'DELETE /api/user']);
/** Resources that are open to everybody. */
const SHARED = new Set(['feature-suggestions']);
/** Actions on those that only the author may take. */
const OF_AUTHORS = /\/feature-suggestions\/\{id\}\/(words|withdraw)$/;
/** Routes that secure the account; API tokens must not access them. */
const OF_THE_ACCOUNT =
  /^\/api\/(change-password|complete-profile|user\/(confirm|email|factors|passkeys|identities|sessions|tokens|export)(?![\w-]))/;
/** What a member may change in somebody else's zone: their own membership, and their last visit (`visits`). */
const OF_MEMBERS = /\/(leave|consent|toggle-favorite|download|view|visits)$/;

/** A path with ids of the owner's resources, or with unknown ids. */
function addressOf(path, ids, known) {
  const kind = kindOf(path);
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    if (name !== 'id') return name.endsWith('Id') ? String((known && ids[name]) || NOWHERE) : 'x'.repeat(20);
    return String(known ? (ids[kind] ?? 1) : NOWHERE);
  });
}

/** Returns what is wrong with a response, or null. */
function judge(actor, { method, path, operation }, status) {
  const access = operation['x-access'];
  const safe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  // 503 is returned on purpose if an external service is missing or not configured.
  if (status === 0 || (status >= 500 && status !== 503)) return 'broke';
  const got = status >= 200 && status < 300;
  if (access === undefined) return 'declares no access';
  if (actor === 'read token' && !safe && got) return 'a token that reads has changed something';
  if (actor.endsWith('token') && OF_THE_ACCOUNT.test(path) && got) return 'lets a program at what protects the account';
  if (actor === 'unconfirmed' && operation['x-confirmed'] && got) return 'asks for no confirmation';
  if (access === 'public') return null;
  // The content type is checked before authentication.
  if (actor === 'signed out') return [401, 415].includes(status) ? null : 'answers somebody who is not signed in';
  if (status === 401) return 'refuses somebody who is signed in';
  const isAdmin = actor === 'admin' || actor === 'super admin';
  if (access === 'super-admin' && actor !== 'super admin') return status === 403 ? null : 'is for super admins';
  if (access === 'admin' && !isAdmin) return status === 403 ? null : 'is for admins';
  const kind = kindOf(path);
  const isThing = access === 'signed-in' && kind !== null && !SHARED.has(kind) && /\{id\}/.test(path);
  const isStrange = ['stranger', 'write token', 'unconfirmed', 'admin', 'super admin'].includes(actor);
  if (isStrange && got && (isThing || OF_AUTHORS.test(path))) return 'gives a thing of another';
  if (isThing && got && actor === 'member' && !safe && !OF_MEMBERS.test(path)) return 'lets a member change it';
  return null;
}

/** A hash of the owner's data, which attempts by others must not change. */
async function stateOf(pool, ownerId) {
  const tables = [
    'zones',
    'folders',
    'files',
    'folder_mirrors',
    'temporary_links',
    'email_campaigns',
    'email_templates',
    'zone_blocks',
  ];
  const { rows: there } = await pool.query('select tablename from pg_tables where tablename = any($1)', [tables]);
  const parts = there.map(({ tablename }) => `select '${tablename}:' || t::text as line from ${tablename} t`);
  const keys = ['passkeys', 'external_identities', 'api_tokens'].map(
    (table) => `select '${table}:' || t.id from ${table} t where t.user_id = ${ownerId}`,
  );
  const user = `select 'user:' || id || email || coalesce(role, '') || is_super_admin from users where id = ${ownerId}`;
  const { rows } = await pool.query(
    `select md5(string_agg(line, '|' order by line)) as md5 from (${[...parts, ...keys, user].join(' union all ')}) all_of_it(line)`,
  );
  return rows[0].md5;
}

/** The routes an actor tries: admins skip account management, which they are allowed, and the owner only reads. */
function triedBy(actor, operations) {
  return operations.filter(({ method, operation }) => {
    if (actor === 'owner') return method === 'GET';
    return !(actor === 'super admin' && ['admin', 'super-admin'].includes(operation['x-access']) && method !== 'GET');
  });
}

/** Calls every route as every actor, with an empty body, with ids of the owner's resources and with unknown ids. */
export async function matrix(url, pool, contract, scene, findings, until) {
  const operations = operationsOf(contract).filter(({ method, path }) => !LEFT_OUT.has(`${method} ${path}`));
  const actors = [
    ['signed out', {}],
    ['read token', scene.token],
    ['write token', scene.strangersToken],
    ['unconfirmed', scene.unconfirmed.headers],
    ['stranger', scene.stranger.headers],
    ['admin', scene.admin.headers],
    ['super admin', scene.superAdmin.headers],
    ['member', scene.member.headers],
    ['owner', scene.owner.headers],
  ];
  const before = await stateOf(pool, scene.owner.id);
  for (const [actor, headers] of actors) {
    const tried = triedBy(actor, operations);
    const left = await each(tried, 4, until, (one) => tryOne({ url, actor, headers, one, ids: scene.ids, findings }));
    if (left > 0) findings.add('matrix', `${left} calls by ${actor} were not made: out of time`);
    // Members may leave, and the owner's own reading marks items as read.
    if (['member', 'owner'].includes(actor)) continue;
    if ((await stateOf(pool, scene.owner.id)) !== before)
      findings.add('matrix', `${actor} has changed what is the owner’s`);
  }
}

async function tryOne({ url, actor, headers, one, ids, findings }) {
  const body = one.method === 'GET' || one.method === 'HEAD' ? undefined : {};
  const ask = (known) => send(url, one.method, addressOf(one.path, ids, known), { headers, body });
  const answer = await ask(true);
  findings.count(`matrix, ${actor}`, answer);
  const name = `${one.method} ${one.path}`;
  const fault = judge(actor, one, answer.status);
  if (fault) findings.add('matrix', `${name} by ${actor}: ${answer.status}, ${fault}`);
  if (answer.ms > SLOW) {
    const again = await ask(true);
    if (again.ms > SLOW) findings.add('matrix', `${name} by ${actor} took ${Math.round(again.ms)} ms, twice`);
  }
  const kind = kindOf(one.path);
  const isHidden = one.operation['x-access'] === 'signed-in' && kind in ids && !SHARED.has(kind);
  if (actor !== 'stranger' || !isHidden) return;
  const nobody = await ask(false);
  findings.count('matrix, ids of nobody', nobody);
  if (nobody.status !== answer.status || volatile(nobody.text) !== volatile(answer.text))
    findings.add('matrix', `${name} tells a stranger what exists: ${answer.status} and ${nobody.status}`);
}
