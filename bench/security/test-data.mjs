import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';

/**
 * Hash of a random password. Users without a password have an incomplete profile and can't create the resources of the
 * test.
 */
let password;
const unknownPasswordHash = () => (password ??= hash(randomBytes(32).toString('hex')));

export const digestOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Inserts a user with a session into the database, which is faster than registering over HTTP.
 * @param isReauthenticated whether the session always counts as reauthenticated, so that routes that need it are
 *   reached
 * @returns the id, the email address and the headers of the session
 */
export async function insertUser(pool, name, extraColumns = {}, isReauthenticated = true) {
  const now = new Date();
  const columns = {
    email: `${name}@example.com`,
    username: name,
    first_name: 'Ada',
    last_name: 'Test',
    email_verified: true,
    language: 'en',
    password: await unknownPasswordHash(),
    created_at: now,
    updated_at: now,
    ...extraColumns,
  };
  const names = Object.keys(columns);
  const { rows } = await pool.query(
    `insert into users (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(columns),
  );
  const id = Number(rows[0].id);
  const sid = randomBytes(32).toString('base64url');
  await pool.query(
    `insert into sessions (sid, user_id, restricted, created_at, last_seen_at, expire, confirmed_at)
     values ($1, $2, false, now(), now(), now() + interval '1 day', case when $3 then now() + interval '1 hour' end)`,
    [digestOf(sid), id, isReauthenticated],
  );
  return { id, email: columns.email, headers: { Cookie: `zonary_session=${sid}` } };
}

/** Creates an API token of a user; returns its headers. */
export async function createApiToken(pool, userId, scope) {
  const token = `zonary_${randomBytes(32).toString('base64url')}`;
  await pool.query(
    `insert into api_tokens (digest, user_id, name, scope, expires_at, created_at)
     values ($1, $2, 'Attack', $3, now() + interval '1 day', now())`,
    [digestOf(token), userId, scope],
  );
  return { Authorization: `Bearer ${token}` };
}

/** Reads the body of a response; empty for event streams, which don't end. */
async function readBody(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body.cancel();
  return '';
}

/** Sends a request and returns the response; doesn't throw for error statuses. */
export async function send(url, method, path, options = {}, isFirst = true) {
  const { headers = {}, body, raw } = options;
  const startedAt = performance.now();
  const isJson = body !== undefined || (raw !== undefined && !headers['Content-Type']);
  try {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await readBody(response);
    return {
      status: response.status,
      text,
      ms: performance.now() - startedAt,
      cookies: response.headers.getSetCookie(),
    };
  } catch (error) {
    // A kept-alive connection may close at the moment it is reused, so the request is retried once.
    if (isFirst && /other side closed|ECONNRESET/.test(String(error.cause)))
      return send(url, method, path, options, false);
    return { status: 0, text: String(error.cause ?? error), ms: performance.now() - startedAt };
  }
}

/**
 * Waits for an email in the mailbox folder of a product without a mail server.
 * @returns the match of `pattern` in its text
 */
export async function waitForEmail(dataDir, to, pattern) {
  const folder = join(dataDir, 'mailbox');
  for (let attempt = 0; attempt < 300; attempt++) {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name)) : [];
    for (const name of names.sort().reverse()) {
      const email = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const match = email.to.includes(to) && pattern.exec(email.text);
      if (match) return match;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No email to ${to} arrived.`);
}

/** Creates an owner with one resource of every type, and the other actors. */
export async function createTestData(url, pool) {
  const owner = await insertUser(pool, 'attack_owner', { plan: 'pro-creator' });
  await pool.query(
    `insert into usage (owner_id, metric, period, allowed) values ($1, 'zones', '', null)
     on conflict (owner_id, metric, period) do update set allowed = null`,
    [owner.id],
  );
  const createAsOwner = (path, body) => createResource(url, owner.headers, path, body);
  const zone = await createAsOwner('/api/zones', { name: 'Target', type: 'public', autoJoin: true });
  // Admins may end users' sessions, and the owner's are needed.
  const otherUser = await insertUser(pool, 'attack_other');
  const ids = await createResources(url, owner, zone, createAsOwner, otherUser.id);
  const [member, nonMember] = [await insertUser(pool, 'attack_member'), await insertUser(pool, 'attack_non_member')];
  const blocked = await insertUser(pool, 'attack_blocked');
  for (const { headers, email } of [member, blocked])
    await send(url, 'POST', `/api/public-zones/${zone.publicLink}/join`, {
      headers,
      body: { email, emailConsent: true },
    });
  const admin = await insertUser(pool, 'attack_admin', { role: 'admin' });
  const superAdmin = await insertUser(pool, 'attack_super', { is_super_admin: true });
  const unconfirmedUser = await insertUser(pool, 'attack_unconfirmed', {}, false);
  Object.assign(ids, await insertCredentials(pool, owner), { userId: blocked.id });
  await send(url, 'POST', `/api/zones/${zone.id}/blocks`, { headers: owner.headers, body: { userId: blocked.id } });
  const tokens = {
    token: await createApiToken(pool, owner.id, 'read'),
    nonMemberToken: await createApiToken(pool, nonMember.id, 'write'),
  };
  return { owner, member, nonMember, unconfirmedUser, admin, superAdmin, zone, ids, ...tokens };
}

/** Inserts credentials of the owner's account: a passkey, a provider's identity and a token. Nobody knows their secrets. */
async function insertCredentials(pool, { id, email }) {
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
      `$1, '${digestOf('unknown token')}', 'Attacked', 'write', now() + interval '1 day', now()`,
    ),
  };
}

const ADMIN_PATHS = /^\/api\/(admin|acedumy|stripe-acedumy|woocommerce)\//;

/** The actor with the most access to a path. */
export const actorFor = (path, { owner, superAdmin }) => (ADMIN_PATHS.test(path) ? superAdmin : owner);

/**
 * Creates a resource.
 * @throws Error if the status isn't 201
 */
export async function createResource(url, headers, path, body) {
  const { status, text } = await send(url, 'POST', path, { headers, body });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/**
 * Uploads a file with a form.
 * @returns the created file
 */
export async function uploadFile(url, { headers }, zoneId, name, bytes) {
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

/** Creates one resource of each type that has an owner; returns their ids by path segment. */
async function createResources(url, owner, zone, createAsOwner, otherUserId) {
  const privateZone = await createAsOwner('/api/zones', { name: 'Other', type: 'private' });
  const folder = await createAsOwner(`/api/zones/${zone.id}/folders`, { name: 'Folder' });
  const file = await uploadFile(url, owner, zone.id, 'a.txt', 'text');
  const mirror = { sourceFolderId: folder.id, targetZoneId: privateZone.id, targetFolderName: 'Mirror' };
  const email = { name: 'News', subject: 'News', htmlContent: '<p>News</p>' };
  const suggestion = { title: 'A suggestion', description: 'A suggestion of several words', category: 'feature' };
  return {
    zones: zone.id,
    'private zone': privateZone.id,
    folders: folder.id,
    files: file.id,
    'folder-mirrors': (await createAsOwner(`/api/zones/${zone.id}/folder-mirrors`, mirror)).id,
    'temporary-links': (
      await createAsOwner(`/api/zones/${privateZone.id}/temporary-links`, { name: 'Link', expiresInHours: 1 })
    ).id,
    campaigns: (await createAsOwner('/api/campaigns', { ...email, zoneId: zone.id })).id,
    'email-templates': (await createAsOwner('/api/email-templates', email)).id,
    'feature-suggestions': (await createAsOwner('/api/feature-suggestions', suggestion)).id,
    users: otherUserId,
  };
}
