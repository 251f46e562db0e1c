import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';

/** Unknown to everybody. Accounts without a password are readers, who can't create anything to attack. */
let password;
const passwordOfNobody = () => (password ??= hash(randomBytes(32).toString('hex')));

export const digestOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Inserts users with sessions into the database, because this program also attacks routes behind the registration.
 * @param confirmed whether they always count as reauthenticated, so that routes that need it are reached
 */
export async function person(pool, name, more = {}, confirmed = true) {
  const now = new Date();
  const columns = {
    ...{ email: `${name}@example.com`, username: name, first_name: 'Ada', last_name: 'Test', email_verified: true },
    ...{ language: 'en', password: await passwordOfNobody(), created_at: now, updated_at: now, ...more },
  };
  const names = Object.keys(columns);
  const { rows } = await pool.query(
    `insert into users (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(columns),
  );
  const id = Number(rows[0].id);
  const sid = randomBytes(32).toString('base64url');
  await pool.query(
    `insert into sessions (sid, user_id, restricted, created_at, last_seen_at, expire, confirmed_at)
     values ($1, $2, false, now(), now(), now() + interval '1 day', case when $3 then now() + interval '1 hour' end)`,
    [digestOf(sid), id, confirmed],
  );
  return { id, email: columns.email, headers: { Cookie: `zonary_session=${sid}` } };
}

/** Headers of an API token of a user. */
export async function tokenOf(pool, userId, scope) {
  const token = `zonary_${randomBytes(32).toString('base64url')}`;
  await pool.query(
    `insert into api_tokens (digest, user_id, name, scope, expires_at, created_at)
     values ($1, $2, 'Attack', $3, now() + interval '1 day', now())`,
    [digestOf(token), userId, scope],
  );
  return { Authorization: `Bearer ${token}` };
}

/** The body of a response; empty for event streams, which don't end. */
async function textOf(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body.cancel();
  return '';
}

/** Sends a request and returns the response; doesn't throw for error statuses. */
export async function send(url, method, path, options = {}, isFirst = true) {
  const { headers = {}, body, raw } = options;
  const begun = performance.now();
  const json = body !== undefined || (raw !== undefined && !headers['Content-Type']);
  try {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin', ...(json ? { 'Content-Type': 'application/json' } : {}), ...headers },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await textOf(response);
    return { status: response.status, text, ms: performance.now() - begun, cookies: response.headers.getSetCookie() };
  } catch (error) {
    // A kept-alive connection may close at the moment it is reused, so the request is retried once.
    if (isFirst && /other side closed|ECONNRESET/.test(String(error.cause)))
      return send(url, method, path, options, false);
    return { status: 0, text: String(error.cause ?? error), ms: performance.now() - begun };
  }
}

/** Waits for an email in the mailbox folder of a product without a mail server; returns its text. */
export async function mailTo(dataDir, to, pattern) {
  const folder = join(dataDir, 'mailbox');
  for (let tries = 0; tries < 300; tries++) {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name)) : [];
    for (const name of names.sort().reverse()) {
      const mail = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const found = mail.to.includes(to) && pattern.exec(mail.text);
      if (found) return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail to ${to} came.`);
}

/** An owner with one resource of every kind, and the other actors. */
export async function world(url, pool) {
  const owner = await person(pool, 'attack_owner', { plan: 'pro-creator' });
  await pool.query(
    `insert into usage (owner_id, metric, period, allowed) values ($1, 'zones', '', null)
     on conflict (owner_id, metric, period) do update set allowed = null`,
    [owner.id],
  );
  const made = (path, body) => create(url, owner.headers, path, body);
  const zone = await made('/api/zones', { name: 'Attacked', type: 'public', autoJoin: true });
  // Admins may end users' sessions, and the owner's are needed.
  const somebody = await person(pool, 'attack_somebody');
  const ids = await things(url, owner, zone, made, somebody.id);
  const [member, stranger] = [await person(pool, 'attack_member'), await person(pool, 'attack_stranger')];
  const blocked = await person(pool, 'attack_blocked');
  for (const { headers, email } of [member, blocked])
    await send(url, 'POST', `/api/public-zones/${zone.publicLink}/join`, {
      headers,
      body: { email, emailConsent: true },
    });
  const admin = await person(pool, 'attack_admin', { role: 'admin' });
  const superAdmin = await person(pool, 'attack_super', { is_super_admin: true });
  const unconfirmed = await person(pool, 'attack_unconfirmed', {}, false);
  Object.assign(ids, await keysOf(pool, owner), { userId: blocked.id });
  await send(url, 'POST', `/api/zones/${zone.id}/blocks`, { headers: owner.headers, body: { userId: blocked.id } });
  const tokens = {
    token: await tokenOf(pool, owner.id, 'read'),
    strangersToken: await tokenOf(pool, stranger.id, 'write'),
  };
  return { owner, member, stranger, unconfirmed, admin, superAdmin, zone, ids, ...tokens };
}

/** Credentials of the owner's account: a passkey, a provider's identity and a token. Nobody knows their secrets. */
async function keysOf(pool, { id, email }) {
  const insert = async (table, columns, values) =>
    Number((await pool.query(`insert into ${table} (${columns}) values (${values}) returning id`, [id])).rows[0].id);
  return {
    passkeys: await insert(
      'passkeys',
      'user_id, credential_id, public_key, counter, transports, verifies_user, name, created_at',
      `$1, 'YXR0YWNr', 'YXR0YWNr', 0, 'internal', true, 'Attacked', now()`,
    ),
    identities: await insert(
      'external_identities',
      'user_id, issuer, subject, email, created_at, last_used_at',
      `$1, 'https://id.example', 'attacked', '${email}', now(), now()`,
    ),
    tokens: await insert(
      'api_tokens',
      'user_id, digest, name, scope, expires_at, created_at',
      `$1, '${digestOf('nobody has it')}', 'Attacked', 'write', now() + interval '1 day', now()`,
    ),
  };
}

const OF_STAFF = /^\/api\/(admin|acedumy|stripe-acedumy|woocommerce)\//;

/** The actor with the most access to a path. */
export const actorFor = (path, { owner, superAdmin }) => (OF_STAFF.test(path) ? superAdmin : owner);

/**
 * Creates a resource.
 * @throws Error if it is refused
 */
export async function create(url, headers, path, body) {
  const { status, text } = await send(url, 'POST', path, { headers, body });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/**
 * Uploads a file with a form.
 * @returns the created file
 */
export async function uploadTo(url, { headers }, zoneId, name, bytes) {
  const form = new FormData();
  form.append('files', new Blob([bytes]), name);
  const response = await fetch(`${url}/api/zones/${zoneId}/files`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: form,
  });
  if (response.status !== 201) throw new Error(`Upload: ${response.status} ${await response.text()}`);
  return [await response.json()].flat()[0];
}

/** One of each resource with an owner, by its path segment. */
async function things(url, owner, zone, made, users) {
  const other = await made('/api/zones', { name: 'Other', type: 'private' });
  const folder = await made(`/api/zones/${zone.id}/folders`, { name: 'Folder' });
  const file = await uploadTo(url, owner, zone.id, 'a.txt', 'text');
  const mirror = { sourceFolderId: folder.id, targetZoneId: other.id, targetFolderName: 'Mirror' };
  const mail = { name: 'News', subject: 'News', htmlContent: '<p>News</p>' };
  const wish = { title: 'A wish', description: 'A wish of several words', category: 'feature' };
  return {
    zones: zone.id,
    'private zone': other.id,
    folders: folder.id,
    files: file.id,
    'folder-mirrors': (await made(`/api/zones/${zone.id}/folder-mirrors`, mirror)).id,
    'temporary-links': (await made(`/api/zones/${other.id}/temporary-links`, { name: 'Link', expiresInHours: 1 })).id,
    campaigns: (await made('/api/campaigns', { ...mail, zoneId: zone.id })).id,
    'email-templates': (await made('/api/email-templates', mail)).id,
    'feature-suggestions': (await made('/api/feature-suggestions', wish)).id,
    users,
  };
}
