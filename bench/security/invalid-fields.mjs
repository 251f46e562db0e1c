import { connect } from 'node:net';
import { forEachConcurrently, resourceTypeOf, operationsOf, SLOW_MS } from './findings.mjs';
import { nestedJson, EXCLUDED, jsonWithKeys, combiningMarks, validValue } from './fuzz.mjs';
import { send } from './test-data.mjs';

const MEGABYTE = 1_000_000;
const WRONG_VALUES = [null, true, 7, -1.5, 'x', [], {}, [{}], ['\u0000']];
/** Values that must be rejected by a length check first: combining marks beyond every limit and just below the body limit. */
const LONG_VALUES = [combiningMarks(MEGABYTE / 2), combiningMarks(25_000), 'ﷺ'.repeat(15_000)];
const INVALID_BODIES = [
  nestedJson(9),
  nestedJson(5000),
  jsonWithKeys(21),
  jsonWithKeys(201),
  jsonWithKeys(20_000),
  '',
  '{',
  '[1]',
  '"x"',
  '\ufeff{}',
];

const HEADERS = [
  ...['Accept-Language', 'Authorization', 'Cookie', 'If-Modified-Since', 'If-None-Match', 'Last-Event-ID', 'Origin'],
  ...['Range', 'Referer', 'Stripe-Signature', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'User-Agent'],
  ...['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Request-Id', 'X-WC-Webhook-Signature', 'X-Work-Proof'],
];
const ODD_HEADER_VALUES = [
  'ÿ\x80þ',
  'ÿ'.repeat(700),
  ',;,="',
  'a='.repeat(400),
  '9'.repeat(40),
  `${'%CC%81'.repeat(100)}`,
];

/** Lists the fields of a JSON body, and which of them are strings. */
function listFields(operation, contract) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return Object.entries(resolved?.properties ?? {}).map(([name, { type }]) => ({ name, isText: type === 'string' }));
}

/** Returns all requests of this part, each with one error; the most destructive routes come last. */
function createRequests(contract, { owner, superAdmin, ids }) {
  const operations = operationsOf(contract)
    .filter(({ method, path }) => !EXCLUDED.test(`${method} ${path}`))
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  return operations.flatMap(({ method, path, operation }) => {
    const resourceType = resourceTypeOf(path);
    const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(ids[resourceType] ?? 1) : '1'));
    const actor = path.startsWith('/api/admin') ? superAdmin : owner;
    const createRequest = (what, overrides) => ({
      what,
      method,
      address,
      name: `${method} ${path}`,
      headers: actor.headers,
      ...overrides,
    });
    const queryParameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const queryRequests = queryParameters.flatMap(({ name }) =>
      ['', '%00', '-1', '1e9', '%CC%81'.repeat(1000), `x&${name}=y`, `x&${name}[]=y`].map((value) =>
        createRequest(`query ${name}`, { address: `${address}?${name}=${value}` }),
      ),
    );
    const headerRequests = ODD_HEADER_VALUES.map((value) => {
      const headers = Object.fromEntries(HEADERS.map((name) => [name, value]));
      return createRequest('headers', {
        headers: { ...headers, Cookie: `${actor.headers.Cookie}; x=${value.slice(0, 50)}` },
      });
    });
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return [...queryRequests, ...headerRequests];
    const pickFirst = (list) => list[0];
    const validBody = () => {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      return schema ? validValue(schema, contract, pickFirst) : {};
    };
    const fieldRequests = listFields(operation, contract).flatMap(({ name, isText }) =>
      [...WRONG_VALUES, ...(isText ? LONG_VALUES : LONG_VALUES.slice(1))].map((value) =>
        createRequest(`field ${name}`, { raw: JSON.stringify({ ...validBody(), [name]: value }) }),
      ),
    );
    const unknownFieldRequest = createRequest('an unknown field', {
      raw: JSON.stringify({ ...validBody(), [combiningMarks(200)]: 1, constructor: {} }),
    });
    return [
      ...fieldRequests,
      unknownFieldRequest,
      ...INVALID_BODIES.map((raw) => createRequest('body', { raw })),
      ...queryRequests,
      ...headerRequests,
    ];
  });
}

/**
 * Calls each route with each field invalid in every way, with invalid bodies, and with odd bytes in headers. Meanwhile
 * a health check runs ten times a second, to detect requests that block the event loop.
 */
export async function testInvalidFields(url, contract, testData, findings, deadline) {
  const requests = createRequests(contract, testData);
  const slowRequests = [];
  let isRunning = true;
  const probe = probeHealth(url, () => isRunning);
  const remaining = await forEachConcurrently(
    requests,
    4,
    deadline,
    async ({ what, method, address, name, headers, raw }) => {
      const response = await send(url, method, address, { headers, raw });
      findings.count('invalid-fields', response);
      const description = `${name}, ${what}: ${(raw ?? address).slice(0, 100)}`;
      // The server stops reading a body beyond its limit, so the response may not arrive.
      const isCut =
        response.status === 0 && (raw?.length ?? 0) > 64_000 && /EPIPE|ECONNRESET|closed/.test(response.text);
      if (!isCut && (response.status === 0 || (response.status >= 500 && response.status !== 503)))
        findings.add('invalid-fields', `${response.status} ${description} ${response.text.slice(0, 100)}`);
      if (/\bat .*\.(js|ts):\d+/.test(response.text))
        findings.add('invalid-fields', `a stack trace in the response to ${description}`);
      if (response.ms > SLOW_MS)
        slowRequests.push({ description, ms: response.ms, repeat: () => send(url, method, address, { headers, raw }) });
    },
  );
  await sendRawRequests(url, findings);
  isRunning = false;
  const longest = await probe;
  console.log(`invalid-fields: health checks meanwhile took ${Math.round(longest)} ms at most`);
  if (longest > SLOW_MS) findings.add('invalid-fields', `a health check took ${Math.round(longest)} ms`);
  for (const { description, repeat } of slowRequests.slice(0, 200)) {
    const { ms } = await repeat();
    if (ms > SLOW_MS) findings.add('invalid-fields', `${Math.round(ms)} ms without other requests: ${description}`);
  }
  console.log(`invalid-fields: ${slowRequests.length} responses took more than ${SLOW_MS} ms beside other requests`);
  for (const { description, ms } of slowRequests.slice(0, 10)) console.log(`  ${Math.round(ms)} ms: ${description}`);
  if (remaining > 0)
    console.log(`invalid-fields: ${remaining} of ${requests.length} requests were not sent before the deadline`);
}

/** Sends a health check ten times a second; returns the longest response time in milliseconds. */
async function probeHealth(url, isRunning) {
  let longest = 0;
  while (isRunning()) {
    const { ms } = await send(url, 'GET', '/healthz');
    longest = Math.max(longest, ms);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return longest;
}

/** Sends bytes that no client library sends: each must result in an error or a closed connection. */
async function sendRawRequests(url, findings) {
  const { hostname, port } = new URL(url);
  const hostHeader = 'Host: localhost\r\n';
  const requests = [
    `GET /api/zones\x00 HTTP/1.1\r\n${hostHeader}\r\n`,
    `GET /api/\xff\xfe HTTP/1.1\r\n${hostHeader}\r\n`,
    `GET / HTTP/1.1\r\n${hostHeader}X-A: a\x00b\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hostHeader}X-A: a\rb\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hostHeader}X\xff: a\r\n\r\n`,
    `GET / HTTP/1.1\r\n${hostHeader}${'X-A: b\r\n'.repeat(5000)}\r\n`,
    `POST /api/login HTTP/1.1\r\n${hostHeader}Content-Length: -1\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${hostHeader}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${hostHeader}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ];
  for (const text of requests) {
    const { status, ms } = await sendRaw(Number(port), hostname, text);
    findings.count('invalid-fields, raw bytes', { status, ms });
    if (status >= 500 || (status >= 200 && status < 300))
      findings.add('invalid-fields', `${status} with ${JSON.stringify(text.slice(0, 80))}`);
  }
}

function sendRaw(port, host, text) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let received = '';
    const finish = () =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0), ms: performance.now() - startedAt });
    const socket = connect(port, host, () => socket.write(text, 'latin1'));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      socket.end();
    });
    socket
      .on('close', finish)
      .on('error', finish)
      .setTimeout(20_000, () => socket.destroy());
  });
}
