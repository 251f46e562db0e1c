import { each, kindOf, operationsOf, SLOW } from './findings.mjs';
import { send } from './test-data.mjs';

/** Pseudorandom numbers that are the same in every run (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const deep = (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
export const manyKeys = (count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
export const marks = (length) => `a${'\u0301'.repeat(length)}`;

/** Values that are invalid for every field. */
const odd = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -0,
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
  ...['=1+1', '\r\nX-A: b', 'ﷺ'.repeat(2000), marks(20_000), 'İ'.repeat(3000), 'x'.repeat(30_000), '😀'.repeat(500)],
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
const oddInAddress = [
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
export function wellFormed(schema, contract, pick, depth = 0) {
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  if (!resolved || depth > 4) return 'x';
  if (resolved.allOf) return wellFormed(resolved.allOf[0], contract, pick, depth + 1);
  if (resolved.enum) return pick(resolved.enum);
  if (resolved.type === 'object' || resolved.properties) {
    const fields = Object.entries(resolved.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, wellFormed(field, contract, pick, depth + 1)]));
  }
  if (resolved.type === 'array') return [wellFormed(resolved.items, contract, pick, depth + 1)];
  if (resolved.type === 'integer' || resolved.type === 'number') return resolved.minimum ?? 1;
  if (resolved.type === 'boolean') return true;
  if (resolved.format === 'email') return 'somebody@example.com';
  if (resolved.format === 'date-time') return '2027-01-01T00:00:00Z';
  return 'x'.repeat(Math.max(1, resolved.minLength ?? 3));
}

/** Returns a request body with one error, or one that is invalid as a whole. */
function bodyOf(operation, contract, pick, random) {
  const content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const whole = [
    deep(10),
    deep(5000),
    manyKeys(250),
    manyKeys(20_000),
    '{"a":',
    '[]',
    '"x"',
    'null',
    `{"__proto__":{"a":1}}`,
  ];
  if (!schema || random() < 0.15) return pick(whole);
  const body = wellFormed(schema, contract, pick);
  if (typeof body !== 'object' || body === null) return JSON.stringify(pick(odd));
  const names = Object.keys(body);
  if (names.length === 0 || random() < 0.1)
    body[pick(['__proto__', 'id', 'userId', 'role', 'isSuperAdmin', 'x'])] = pick(odd);
  else body[pick(names)] = pick(odd);
  return JSON.stringify(body);
}

/** Never sent: they would end the account or session that the other requests need. */
export const LEFT_OUT = /^(DELETE \/api\/user|POST \/api\/logout|DELETE \/api\/user\/sessions.*)$/;
/** Sent only with unknown ids: they would delete what the other requests need. */
const ENDS = /^DELETE \/api\/(admin\/)?zones\/\{id\}$/;

/**
 * Sends random requests based on the OpenAPI document, each with something odd in it.
 * @param count number of requests
 */
export async function fuzz(url, contract, { owner, superAdmin, ids }, findings, { count, seed, until }) {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const operations = operationsOf(contract).filter(({ method, path }) => !LEFT_OUT.test(`${method} ${path}`));
  const requests = Array.from({ length: count }, (_, at) => {
    const { method, path, operation } = operations[at % operations.length];
    const parameters = operation.parameters ?? [];
    const oddPath = random() < 0.2 || ENDS.test(`${method} ${path}`);
    const kind = kindOf(path);
    const address = path.replace(/\{(\w+)\}/g, (__, name) =>
      oddPath ? pick(oddInAddress) : name === 'id' ? String(ids[kind] ?? 1) : '1',
    );
    const asked = parameters.filter((one) => one.in === 'query' && random() < 0.6);
    const query = asked.map(({ name }) => `${name}=${random() < 0.7 ? pick(oddInAddress) : '1'}`);
    const oddHeader = random() < 0.05 ? { 'X-Forwarded-For': 'ÿ\x80, nobody', 'Stripe-Signature': 'ÿ'.repeat(64) } : {};
    // Every second request comes from a super admin, so that code behind permission checks is reached too.
    const actor = at % 2 === 0 ? owner : superAdmin;
    const withBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    return {
      ...{ method, name: `${method} ${path}`, address: address + (query.length > 0 ? `?${query.join('&')}` : '') },
      headers: { ...actor.headers, ...oddHeader },
      raw: withBody ? bodyOf(operation, contract, pick, random) : undefined,
    };
  });
  const slow = [];
  const left = await each(requests, 8, until, async ({ method, name, address, headers, raw }) => {
    const answer = await send(url, method, address, { headers, raw });
    findings.count('fuzz', answer);
    const shown = `${name} ${address.slice(0, 80)} ${(raw ?? '').slice(0, 120)}`;
    // 503 is returned on purpose if an external service or the queue is unavailable.
    if (answer.status === 0 || (answer.status >= 500 && answer.status !== 503))
      findings.add('fuzz', `${answer.status} ${shown} ${answer.text.slice(0, 100)}`);
    if (/\bat .*\.(js|ts):\d+/.test(answer.text)) findings.add('fuzz', `a stack trace in the answer of ${shown}`);
    if (answer.ms > SLOW) slow.push({ shown, again: () => send(url, method, address, { headers, raw }) });
  });
  // Other requests may have slowed them down: the first of them are repeated, one at a time.
  for (const { shown, again } of slow.slice(0, 200)) {
    const { ms } = await again();
    if (ms > SLOW) findings.add('fuzz', `${Math.round(ms)} ms alone: ${shown}`);
  }
  console.log(`fuzz: ${slow.length} answers took more than ${SLOW} ms beside others`);
  if (left > 0) console.log(`fuzz: ${left} of ${count} requests were not made, the time was up`);
}
