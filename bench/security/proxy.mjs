import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailboxQuery, startProduct } from '../lib/product.mjs';
import { METRICS_TOKEN } from './health-probe.mjs';
import { send } from './test-data.mjs';

/** Headers that a client may forge, claiming to be on this machine and to use a local host name. */
const FORGED_HEADERS = {
  'X-Forwarded-For': '127.0.0.1',
  'X-Forwarded-Host': 'localhost',
  'X-Forwarded-Proto': 'http',
  'X-Real-Ip': '127.0.0.1',
  'X-Original-Url': '/dev/mailbox.json',
  Forwarded: 'for=127.0.0.1;host=localhost;proto=http',
};
const PROTECTED_PATHS = ['/dev/mailbox', '/dev/mailbox.json', '/metrics'];

/** Starts a proxy that sets the product's own host and no client headers, like a plain `proxy_pass`. */
async function startProxy(url) {
  const { host, hostname, port } = new URL(url);
  const server = createServer((client) => {
    let buffered = '';
    const upstream = connect(Number(port), hostname);
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      if (!buffered.includes('\r\n\r\n')) return;
      const rewritten = buffered
        .replace(/\r\nHost: [^\r]*/i, `\r\nHost: ${host}`)
        .replace(/\r\nConnection: [^\r]*/i, '');
      upstream.write(rewritten.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1');
      buffered = '';
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Checks that requests through the proxy without a valid key get only 401 or 404, and nothing of an email. */
async function checkAccessDenied(url, what, keys, expectedStatus, findings) {
  const proxy = await startProxy(url);
  for (const path of PROTECTED_PATHS)
    for (const key of keys)
      for (const headers of [{}, FORGED_HEADERS, { ...FORGED_HEADERS, Cookie: `zonary_mailbox=${key.slice(5)}` }]) {
        const authorization = path === '/metrics' ? { Authorization: `Bearer ${key.slice(5)}` } : {};
        const response = await send(proxy.url, 'GET', `${path}${key ? `?${key}` : ''}`, {
          headers: { ...headers, ...authorization },
        });
        findings.count('proxy', response);
        if (response.status !== expectedStatus(path) || /@example\.com|zonary_/.test(response.text))
          findings.add(
            'proxy',
            `${what}: ${response.status} at ${path} with ${key || 'no key'} ${response.text.slice(0, 80)}`,
          );
      }
  proxy.close();
}

/** Checks that the paths work through the proxy with the correct key and token; otherwise the part tests nothing. */
async function checkAccessGranted(url, findings) {
  const proxy = await startProxy(url);
  const mailbox = await send(proxy.url, 'GET', `/dev/mailbox.json${mailboxQuery(url)}`);
  findings.checkPrecondition('proxy', 'the mailbox with its key', mailbox, 200);
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  findings.checkPrecondition(
    'proxy',
    'the metrics with their token',
    await send(proxy.url, 'GET', '/metrics', { headers }),
    200,
  );
  proxy.close();
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs another product during `run`. */
async function withProduct(env, run) {
  const product = await startProduct(env);
  await run(product.url).finally(() => product.stop());
}

/** Requests the mailbox and the metrics behind a proxy that hides the client's address. */
export async function testProxy(url, findings) {
  await checkAccessGranted(url, findings);
  const ownKey = mailboxQuery(url).slice(1);
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-security-other-'));
  let otherKey;
  try {
    await withProduct({ DATA_DIR: dataDir }, async (otherUrl) => {
      otherKey = mailboxQuery(otherUrl).slice(1);
      const keys = ['', 'key=', `key=${'0'.repeat(64)}`, otherKey, ownKey.slice(0, -1)];
      await checkAccessDenied(url, 'with METRICS_TOKEN', keys, (path) => (path === '/metrics' ? 401 : 404), findings);
      await checkAccessDenied(otherUrl, 'without METRICS_TOKEN', ['', ownKey], () => 404, findings);
    });
    // With a public address there is no mailbox, even with the key from the data folder.
    const port = await findFreePort();
    const storedKey = `key=${readFileSync(join(dataDir, 'mailbox-key'), 'utf8').trim()}`;
    if (storedKey !== otherKey) findings.add('proxy', 'precondition failed: the stored mailbox key is another one');
    await withProduct({ DATA_DIR: dataDir, PORT: String(port), APP_URL: 'http://zonary.example' }, () =>
      checkAccessDenied(`http://127.0.0.1:${port}`, 'with a public address', ['', storedKey], () => 404, findings),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`proxy: mailbox and metrics through a proxy that hides the client: ${findings.formatStatuses('proxy')}`);
}
