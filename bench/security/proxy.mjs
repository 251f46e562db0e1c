import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailboxKey, startProduct } from '../lib/product.mjs';
import { METRICS_TOKEN } from './health-probe.mjs';
import { send } from './test-data.mjs';

/** Headers a client may forge: that it is on this machine and uses a local host name. */
const INVENTED = {
  'X-Forwarded-For': '127.0.0.1',
  'X-Forwarded-Host': 'localhost',
  'X-Forwarded-Proto': 'http',
  'X-Real-Ip': '127.0.0.1',
  'X-Original-Url': '/dev/mailbox.json',
  Forwarded: 'for=127.0.0.1;host=localhost;proto=http',
};
const DOORS = ['/dev/mailbox', '/dev/mailbox.json', '/metrics'];

/** A proxy that sets the product's own host and no client headers, like a plain `proxy_pass`. */
async function openProxy(url) {
  const { host, hostname, port } = new URL(url);
  const server = createServer((client) => {
    let head = '';
    const upstream = connect(Number(port), hostname);
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('data', (piece) => {
      head += piece.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const rewritten = head.replace(/\r\nHost: [^\r]*/i, `\r\nHost: ${host}`).replace(/\r\nConnection: [^\r]*/i, '');
      upstream.write(rewritten.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1');
      head = '';
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Requests through the proxy without a valid key must get only 401 or 404, and nothing of an email. */
async function knock(url, what, keys, closed, findings) {
  const proxy = await openProxy(url);
  for (const path of DOORS)
    for (const key of keys)
      for (const headers of [{}, INVENTED, { ...INVENTED, Cookie: `zonary_mailbox=${key.slice(5)}` }]) {
        const bearer = path === '/metrics' ? { Authorization: `Bearer ${key.slice(5)}` } : {};
        const answer = await send(proxy.url, 'GET', `${path}${key ? `?${key}` : ''}`, {
          headers: { ...headers, ...bearer },
        });
        findings.count('proxy', answer);
        if (answer.status !== closed(path) || /@example\.com|zonary_/.test(answer.text))
          findings.add(
            'proxy',
            `${what}: ${answer.status} at ${path} with ${key || 'no key'} ${answer.text.slice(0, 80)}`,
          );
      }
  proxy.close();
}

/** With the correct key and token, the same paths must work through the proxy; otherwise the part tests nothing. */
async function control(url, findings) {
  const proxy = await openProxy(url);
  const mails = await send(proxy.url, 'GET', `/dev/mailbox.json${mailboxKey(url)}`);
  findings.control('proxy', 'the mailbox with its key', mails, 200);
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  findings.control('proxy', 'the figures with their token', await send(proxy.url, 'GET', '/metrics', { headers }), 200);
  proxy.close();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a product of its own during `work`. */
async function during(env, work) {
  const product = await startProduct(env);
  await work(product.url).finally(() => product.stop());
}

/** The mailbox and the metrics behind a proxy that hides the client's address. */
export async function behindProxy(url, findings) {
  await control(url, findings);
  const own = mailboxKey(url).slice(1);
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-attack-other-'));
  let others;
  try {
    await during({ DATA_DIR: dataDir }, async (other) => {
      others = mailboxKey(other).slice(1);
      const keys = ['', 'key=', `key=${'0'.repeat(64)}`, others, own.slice(0, -1)];
      await knock(url, 'with a token for the figures', keys, (path) => (path === '/metrics' ? 401 : 404), findings);
      await knock(other, 'without a token for the figures', ['', own], () => 404, findings);
    });
    // With a public address there is no mailbox, even with the key from the data folder.
    const port = await freePort();
    const kept = `key=${readFileSync(join(dataDir, 'mailbox-key'), 'utf8').trim()}`;
    if (kept !== others) findings.add('proxy', 'did not try: the key of the mailbox lies elsewhere');
    await during({ DATA_DIR: dataDir, PORT: String(port), APP_URL: 'http://zonary.example' }, () =>
      knock(`http://127.0.0.1:${port}`, 'with a public address', ['', kept], () => 404, findings),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(
    `proxy: mailbox and figures asked for through a proxy that hides the client: ${findings.statuses('proxy')}`,
  );
}
