import { connect } from 'node:net';
import { each, kindOf, operationsOf, SLOW } from './findings.mjs';
import { deep, LEFT_OUT, manyKeys, marks, wellFormed } from './fuzz.mjs';
import { send } from './test-data.mjs';

const MB = 1_000_000;
const WRONG = [null, true, 7, -1.5, 'x', [], {}, [{}], ['\u0000']];
/** Inputs that must hit a length check first: combining marks beyond every limit, and just below the body limit. */
const LONG = [marks(MB / 2), marks(25_000), 'ﷺ'.repeat(15_000)];
const BODIES = [deep(9), deep(5000), manyKeys(21), manyKeys(201), manyKeys(20_000), '', '{', '[1]', '"x"', '\ufeff{}'];

const HEADERS = [
  ...['Accept-Language', 'Authorization', 'Cookie', 'If-Modified-Since', 'If-None-Match', 'Last-Event-ID', 'Origin'],
  ...['Range', 'Referer', 'Stripe-Signature', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'User-Agent'],
  ...['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Request-Id', 'X-WC-Webhook-Signature', 'X-Work-Proof'],
];
const ODD_HEADERS = ['ÿ\x80þ', 'ÿ'.repeat(700), ',;,="', 'a='.repeat(400), '9'.repeat(40), `${'%CC%81'.repeat(100)}`];

/** The names of a JSON body's fields, and which of them are strings. */
function fieldsOf(operation, contract) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return Object.entries(resolved?.properties ?? {}).map(([name, { type }]) => ({ name, isText: type === 'string' }));
}

/** All requests of this part, each with one error; the most destructive routes come last. */
function requestsOf(contract, { owner, superAdmin, ids }) {
  const operations = operationsOf(contract)
    .filter(({ method, path }) => !LEFT_OUT.test(`${method} ${path}`))
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  return operations.flatMap(({ method, path, operation }) => {
    const kind = kindOf(path);
    const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(ids[kind] ?? 1) : '1'));
    const actor = path.startsWith('/api/admin') ? superAdmin : owner;
    const one = (what, more) => ({ what, method, address, name: `${method} ${path}`, headers: actor.headers, ...more });
    const asked = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const queries = asked.flatMap(({ name }) =>
      ['', '%00', '-1', '1e9', '%CC%81'.repeat(1000), `x&${name}=y`, `x&${name}[]=y`].map((value) =>
        one(`query ${name}`, { address: `${address}?${name}=${value}` }),
      ),
    );
    const heads = ODD_HEADERS.map((value) => {
      const odd = Object.fromEntries(HEADERS.map((name) => [name, value]));
      return one('headers', { headers: { ...odd, Cookie: `${actor.headers.Cookie}; x=${value.slice(0, 50)}` } });
    });
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return [...queries, ...heads];
    const first = (list) => list[0];
    const whole = () => {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      return schema ? wellFormed(schema, contract, first) : {};
    };
    const fields = fieldsOf(operation, contract).flatMap(({ name, isText }) =>
      [...WRONG, ...(isText ? LONG : LONG.slice(1))].map((value) =>
        one(`field ${name}`, { raw: JSON.stringify({ ...whole(), [name]: value }) }),
      ),
    );
    const unknown = one('an unknown field', { raw: JSON.stringify({ ...whole(), [marks(200)]: 1, constructor: {} }) });
    return [...fields, unknown, ...BODIES.map((raw) => one('body', { raw })), ...queries, ...heads];
  });
}

/**
 * Calls each route with each field invalid in every way, with invalid bodies, and with odd bytes in headers. Meanwhile
 * a health check runs ten times a second: it shows requests that block the server.
 */
export async function fields(url, contract, scene, findings, until) {
  const requests = requestsOf(contract, scene);
  const slow = [];
  let working = true;
  const neighbour = ask(url, () => working);
  const left = await each(requests, 4, until, async ({ what, method, address, name, headers, raw }) => {
    const answer = await send(url, method, address, { headers, raw });
    findings.count('fields', answer);
    const shown = `${name}, ${what}: ${(raw ?? address).slice(0, 100)}`;
    // The server stops reading a body beyond its limit, so the response may not arrive.
    const cut = answer.status === 0 && (raw?.length ?? 0) > 64_000 && /EPIPE|ECONNRESET|closed/.test(answer.text);
    if (!cut && (answer.status === 0 || (answer.status >= 500 && answer.status !== 503)))
      findings.add('fields', `${answer.status} ${shown} ${answer.text.slice(0, 100)}`);
    if (/\bat .*\.(js|ts):\d+/.test(answer.text)) findings.add('fields', `a stack trace in the answer of ${shown}`);
    if (answer.ms > SLOW)
      slow.push({ shown, ms: answer.ms, again: () => send(url, method, address, { headers, raw }) });
  });
  await rawRequests(url, findings);
  working = false;
  const longest = await neighbour;
  console.log(`fields: the longest that others waited meanwhile was ${Math.round(longest)} ms`);
  if (longest > SLOW) findings.add('fields', `others waited ${Math.round(longest)} ms`);
  for (const { shown, again } of slow.slice(0, 200)) {
    const { ms } = await again();
    if (ms > SLOW) findings.add('fields', `${Math.round(ms)} ms alone: ${shown}`);
  }
  console.log(`fields: ${slow.length} answers took more than ${SLOW} ms beside others`);
  for (const { shown, ms } of slow.slice(0, 10)) console.log(`  ${Math.round(ms)} ms: ${shown}`);
  if (left > 0) console.log(`fields: ${left} of ${requests.length} requests were not made, the time was up`);
}

/** Sends a health check ten times a second; returns the longest response time in milliseconds. */
async function ask(url, goesOn) {
  let longest = 0;
  while (goesOn()) {
    const { ms } = await send(url, 'GET', '/healthz');
    longest = Math.max(longest, ms);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return longest;
}

/** Bytes that no client library sends: each must be answered with an error or a closed connection. */
async function rawRequests(url, findings) {
  const { hostname, port } = new URL(url);
  const head = 'Host: localhost\r\n';
  const texts = [
    `GET /api/zones\x00 HTTP/1.1\r\n${head}\r\n`,
    `GET /api/\xff\xfe HTTP/1.1\r\n${head}\r\n`,
    `GET / HTTP/1.1\r\n${head}X-A: a\x00b\r\n\r\n`,
    `GET / HTTP/1.1\r\n${head}X-A: a\rb\r\n\r\n`,
    `GET / HTTP/1.1\r\n${head}X\xff: a\r\n\r\n`,
    `GET / HTTP/1.1\r\n${head}${'X-A: b\r\n'.repeat(5000)}\r\n`,
    `POST /api/login HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ];
  for (const text of texts) {
    const { status, ms } = await say(Number(port), hostname, text);
    findings.count('fields, raw bytes', { status, ms });
    if (status >= 500 || (status >= 200 && status < 300))
      findings.add('fields', `${status} to ${JSON.stringify(text.slice(0, 80))}`);
  }
}

function say(port, host, text) {
  const begun = performance.now();
  return new Promise((resolve) => {
    let got = '';
    const end = () =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? 0), ms: performance.now() - begun });
    const socket = connect(port, host, () => socket.write(text, 'latin1'));
    socket.on('data', (data) => {
      got += data.toString('latin1');
      socket.end();
    });
    socket
      .on('close', end)
      .on('error', end)
      .setTimeout(20_000, () => socket.destroy());
  });
}
