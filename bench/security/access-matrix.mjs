import { forEachConcurrently, resourceTypeOf, operationsOf, SLOW_MS } from './findings.mjs';
import { send } from './test-data.mjs';

/** An id that doesn't exist. */
const UNKNOWN_ID = 999_999_999;
/** Removes the request id, which differs between otherwise equal responses. */
const withoutRequestId = (text) => text.replace(/"requestId":"[^"]*"/, '');
/** Never sent, because they would end the session that the other requests need. */
const EXCLUDED = new Set(['POST /api/logout', 'DELETE /api/user']);
/** Resources that are open to everybody. */
const PUBLIC_RESOURCES = new Set(['feature-suggestions']);
/** Actions on those that only the author may take. */
const AUTHOR_ACTIONS = /\/feature-suggestions\/\{id\}\/(words|withdraw)$/;
/** Routes that secure the account; API tokens must not access them. */
const ACCOUNT_SECURITY_ROUTES =
  /^\/api\/(change-password|complete-profile|user\/(confirm|email|factors|passkeys|identities|sessions|tokens|export)(?![\w-]))/;
/** What a member may change in another user's zone: their own membership, and their last visit (`visits`). */
const MEMBER_ACTIONS = /\/(leave|consent|toggle-favorite|download|view|visits)$/;

/** Returns a path with ids of the owner's resources, or with unknown ids. */
function urlOf(path, ids, isKnown) {
  const resourceType = resourceTypeOf(path);
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    if (name !== 'id') return name.endsWith('Id') ? String((isKnown && ids[name]) || UNKNOWN_ID) : 'x'.repeat(20);
    return String(isKnown ? (ids[resourceType] ?? 1) : UNKNOWN_ID);
  });
}

/** Returns what is wrong with a response; null if there is none. */
function findProblem(actor, { method, path, operation }, status) {
  const access = operation['x-access'];
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  // 503 is correct if an external service is missing or not configured.
  if (status === 0 || (status >= 500 && status !== 503)) return 'server error';
  const isSuccess = status >= 200 && status < 300;
  if (access === undefined) return 'no declared access';
  if (actor === 'read token' && !isSafe && isSuccess) return 'changed data with a read-only token';
  if (actor.endsWith('token') && ACCOUNT_SECURITY_ROUTES.test(path) && isSuccess) return 'accessible with an API token';
  if (actor === 'not reauthenticated' && operation['x-confirmed'] && isSuccess) return 'no reauthentication required';
  if (access === 'public') return null;
  // The content type is checked before authentication.
  if (actor === 'signed out') return [401, 415].includes(status) ? null : 'accessible without signing in';
  if (status === 401) return '401 although signed in';
  const isAdmin = actor === 'admin' || actor === 'super admin';
  if (access === 'super-admin' && actor !== 'super admin')
    return status === 403 ? null : 'must be limited to super admins';
  if (access === 'admin' && !isAdmin) return status === 403 ? null : 'must be limited to admins';
  const resourceType = resourceTypeOf(path);
  const isResource =
    access === 'signed-in' && resourceType !== null && !PUBLIC_RESOURCES.has(resourceType) && /\{id\}/.test(path);
  const isOutsider = ['non-member', 'write token', 'not reauthenticated', 'admin', 'super admin'].includes(actor);
  if (isOutsider && isSuccess && (isResource || AUTHOR_ACTIONS.test(path))) return 'access to another user’s resource';
  if (isResource && isSuccess && actor === 'member' && !isSafe && !MEMBER_ACTIONS.test(path))
    return 'changed by a member';
  return null;
}

/** Returns a hash of the owner's data, which requests of others must not change. */
async function hashOwnerData(pool, ownerId) {
  const tables = [
    'zones',
    'folders',
    'files',
    'folder_mirrors',
    'temporary_links',
    'campaigns',
    'email_templates',
    'zone_blocks',
  ];
  const queries = tables.map((table) => `select '${table}:' || t::text as line from ${table} t`);
  const credentialQueries = ['passkeys', 'external_identities', 'api_tokens'].map(
    (table) => `select '${table}:' || t.id from ${table} t where t.user_id = ${ownerId}`,
  );
  const userQuery = `select 'user:' || id || email || coalesce(role, '') || is_super_admin from users where id = ${ownerId}`;
  const { rows } = await pool.query(
    `select md5(string_agg(line, '|' order by line)) as md5 from (${[...queries, ...credentialQueries, userQuery].join(' union all ')}) owner_data(line)`,
  );
  return rows[0].md5;
}

/** Returns the routes an actor tries: super admins skip administration, which they are allowed, and the owner only reads. */
function routesTriedBy(actor, operations) {
  return operations.filter(({ method, operation }) => {
    if (actor === 'owner') return method === 'GET';
    return !(actor === 'super admin' && ['admin', 'super-admin'].includes(operation['x-access']) && method !== 'GET');
  });
}

/** Calls every route as every actor, with an empty body, with ids of the owner's resources and with unknown ids. */
export async function testAccess(url, pool, contract, testData, findings, deadline) {
  const operations = operationsOf(contract).filter(({ method, path }) => !EXCLUDED.has(`${method} ${path}`));
  const actors = [
    ['signed out', {}],
    ['read token', testData.token],
    ['write token', testData.nonMemberToken],
    ['not reauthenticated', testData.unconfirmedUser.headers],
    ['non-member', testData.nonMember.headers],
    ['admin', testData.admin.headers],
    ['super admin', testData.superAdmin.headers],
    ['member', testData.member.headers],
    ['owner', testData.owner.headers],
  ];
  const hashBefore = await hashOwnerData(pool, testData.owner.id);
  for (const [actor, headers] of actors) {
    const routes = routesTriedBy(actor, operations);
    const remaining = await forEachConcurrently(routes, 4, deadline, (route) =>
      tryRoute({ url, actor, headers, route, ids: testData.ids, findings }),
    );
    if (remaining > 0) findings.add('matrix', `${remaining} requests by ${actor} were not sent before the deadline`);
    // Members may leave, and the owner's own requests mark items as read.
    if (['member', 'owner'].includes(actor)) continue;
    if ((await hashOwnerData(pool, testData.owner.id)) !== hashBefore)
      findings.add('matrix', `${actor} changed the owner’s data`);
  }
}

async function tryRoute({ url, actor, headers, route, ids, findings }) {
  const body = route.method === 'GET' || route.method === 'HEAD' ? undefined : {};
  const sendRequest = (isKnown) => send(url, route.method, urlOf(route.path, ids, isKnown), { headers, body });
  const response = await sendRequest(true);
  findings.count(`matrix, ${actor}`, response);
  const name = `${route.method} ${route.path}`;
  const problem = findProblem(actor, route, response.status);
  if (problem) findings.add('matrix', `${name} by ${actor}: ${response.status}, ${problem}`);
  if (response.ms > SLOW_MS) {
    const repeated = await sendRequest(true);
    if (repeated.ms > SLOW_MS) findings.add('matrix', `${name} by ${actor} took ${Math.round(repeated.ms)} ms, twice`);
  }
  const resourceType = resourceTypeOf(route.path);
  const isHidden =
    route.operation['x-access'] === 'signed-in' && resourceType in ids && !PUBLIC_RESOURCES.has(resourceType);
  if (actor !== 'non-member' || !isHidden) return;
  const unknownIdResponse = await sendRequest(false);
  findings.count('matrix, unknown ids', unknownIdResponse);
  if (
    unknownIdResponse.status !== response.status ||
    withoutRequestId(unknownIdResponse.text) !== withoutRequestId(response.text)
  )
    findings.add(
      'matrix',
      `${name} reveals to a non-member what exists: ${response.status} and ${unknownIdResponse.status}`,
    );
}
