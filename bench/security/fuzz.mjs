import { forEachConcurrently, resourceTypeOf, operationsOf, SLOW_MS } from './findings.mjs';
import { send } from './test-data.mjs';

/** Returns a generator of pseudorandom numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const nestedJson = (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
export const jsonWithKeys = (count) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
export const combiningMarks = (length) => `a${'\u0301'.repeat(length)}`;

/** Values that are invalid or unusual in any field. */
const ODD_VALUES = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -0,
    // oxlint-disable-next-line no-loss-of-precision -- that is the test
    9_007_199_254_740_993,
    [],
    {},
    [[[[]]]],
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
  ],
  ...['\u202e', '%00', '../../etc/passwd', "' or 1=1 --", '<script>', '{{7*7}}', '__proto__', 'NaN', '1e9', '0x10'],
  ...[
    '=1+1',
    '\r\nX-A: b',
    'ﷺ'.repeat(2000),
    combiningMarks(20_000),
    'İ'.repeat(3000),
    'x'.repeat(30_000),
    '😀'.repeat(500),
  ],
  ...[
    { $gt: '' },
    { toString: 1 },
    ['a', 'a'],
    Array(2000).fill(1),
    '2026-13-45',
    '9999-12-31T23:59:59Z',
    2 ** 31,
    2 ** 63,
  ],
];
const ODD_PATH_VALUES = [
  ...[
    '0',
    '-1',
    '1.5',
    '99999999999999999999',
    'x',
    '%00',
    '%ff',
    '%c0%af',
    '..%2f..',
    '%F0%9F%98%80',
    "'",
    '1;',
    '1%20or%201',
  ],
  ...['a'.repeat(3000), '%CC%81'.repeat(600), '__proto__', 'constructor', 'null', 'NaN', '1e5', '%5B%5D', '٣'],
];

/**
 * Returns a value that is valid for a schema.
 * @param pick chooses among several
 */
export function validValue(schema, contract, pick, depth = 0) {
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  if (!resolved || depth > 4) return 'x';
  if (resolved.allOf) return validValue(resolved.allOf[0], contract, pick, depth + 1);
  if (resolved.enum) return pick(resolved.enum);
  if (resolved.type === 'object' || resolved.properties) {
    const fields = Object.entries(resolved.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, validValue(field, contract, pick, depth + 1)]));
  }
  if (resolved.type === 'array') return [validValue(resolved.items, contract, pick, depth + 1)];
  if (resolved.type === 'integer' || resolved.type === 'number') return resolved.minimum ?? 1;
  if (resolved.type === 'boolean') return true;
  if (resolved.format === 'email') return 'somebody@example.com';
  if (resolved.format === 'date-time') return '2027-01-01T00:00:00Z';
  return 'x'.repeat(Math.max(1, resolved.minLength ?? 3));
}

/** Returns a request body with one error, or one that is invalid as a whole. */
function createBody(operation, contract, pick, random) {
  const content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const invalidBodies = [
    nestedJson(10),
    nestedJson(5000),
    jsonWithKeys(250),
    jsonWithKeys(20_000),
    '{"a":',
    '[]',
    '"x"',
    'null',
    `{"__proto__":{"a":1}}`,
  ];
  if (!schema || random() < 0.15) return pick(invalidBodies);
  const body = validValue(schema, contract, pick);
  if (typeof body !== 'object' || body === null) return JSON.stringify(pick(ODD_VALUES));
  const names = Object.keys(body);
  if (names.length === 0 || random() < 0.1)
    body[pick(['__proto__', 'id', 'userId', 'role', 'isSuperAdmin', 'x'])] = pick(ODD_VALUES);
  else body[pick(names)] = pick(ODD_VALUES);
  return JSON.stringify(body);
}

/** Never sent, because they would delete the account or session that the other requests need. */
export const EXCLUDED = /^(DELETE \/api\/user|POST \/api\/logout|DELETE \/api\/user\/sessions.*)$/;
/** Sent only with unknown ids, because they would delete the zone that the other requests need. */
const DELETES_ZONE = /^DELETE \/api\/(admin\/)?zones\/\{id\}$/;

/**
 * Sends random requests generated from the OpenAPI document, each with an odd value in it.
 * @param count number of requests
 */
export async function fuzzRequests(url, contract, { owner, superAdmin, ids }, findings, { count, seed, deadline }) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const operations = operationsOf(contract).filter(({ method, path }) => !EXCLUDED.test(`${method} ${path}`));
  const requests = Array.from({ length: count }, (_, index) => {
    const { method, path, operation } = operations[index % operations.length];
    const parameters = operation.parameters ?? [];
    const hasOddPath = random() < 0.2 || DELETES_ZONE.test(`${method} ${path}`);
    const resourceType = resourceTypeOf(path);
    const address = path.replace(/\{(\w+)\}/g, (_match, name) =>
      hasOddPath ? pick(ODD_PATH_VALUES) : name === 'id' ? String(ids[resourceType] ?? 1) : '1',
    );
    const queryParameters = parameters.filter((parameter) => parameter.in === 'query' && random() < 0.6);
    const query = queryParameters.map(({ name }) => `${name}=${random() < 0.7 ? pick(ODD_PATH_VALUES) : '1'}`);
    const oddHeader = random() < 0.05 ? { 'X-Forwarded-For': 'ÿ\x80, nobody', 'Stripe-Signature': 'ÿ'.repeat(64) } : {};
    // Every second request comes from a super admin, so that code behind permission checks is reached too.
    const actor = index % 2 === 0 ? owner : superAdmin;
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    return {
      method,
      name: `${method} ${path}`,
      address: address + (query.length > 0 ? `?${query.join('&')}` : ''),
      headers: { ...actor.headers, ...oddHeader },
      raw: hasBody ? createBody(operation, contract, pick, random) : undefined,
    };
  });
  const slowRequests = [];
  const remaining = await forEachConcurrently(
    requests,
    8,
    deadline,
    async ({ method, name, address, headers, raw }) => {
      const response = await send(url, method, address, { headers, raw });
      findings.count('fuzz', response);
      const description = `${name} ${address.slice(0, 80)} ${(raw ?? '').slice(0, 120)}`;
      // 503 is correct if an external service or the queue is unavailable.
      if (response.status === 0 || (response.status >= 500 && response.status !== 503))
        findings.add('fuzz', `${response.status} ${description} ${response.text.slice(0, 100)}`);
      if (/\bat .*\.(js|ts):\d+/.test(response.text))
        findings.add('fuzz', `a stack trace in the response to ${description}`);
      if (response.ms > SLOW_MS)
        slowRequests.push({ description, repeat: () => send(url, method, address, { headers, raw }) });
    },
  );
  // Other requests may have slowed them down, so the first of them are repeated one at a time.
  for (const { description, repeat } of slowRequests.slice(0, 200)) {
    const { ms } = await repeat();
    if (ms > SLOW_MS) findings.add('fuzz', `${Math.round(ms)} ms without other requests: ${description}`);
  }
  console.log(`fuzz: ${slowRequests.length} responses took more than ${SLOW_MS} ms beside other requests`);
  if (remaining > 0) console.log(`fuzz: ${remaining} of ${count} requests were not sent before the deadline`);
}
