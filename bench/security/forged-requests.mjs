import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { root } from '../lib/product.mjs';
import { elsewhere } from './browser.mjs';
import { send } from './test-data.mjs';

const DAY = 86_400_000;
const MINUTE = 60_000;
const load = (path) => import(`${root}dist/backend/src/${path}`);

/** Webhook secrets the product is started with. */
export const WEBHOOK_SECRETS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_attack',
  STRIPE_ACEDUMY_WEBHOOK_SECRET: 'whsec_of_the_other_attack',
  WOOCOMMERCE_WEBHOOK_SECRET: 'a secret of the shop',
  ACEDUMY_WEBHOOK_SECRET: 'a secret of the service',
  MAIL_EVENTS_SECRET: 'a secret of the mail server',
};

const hmac = (secret, text, encoding) => createHmac('sha256', secret).update(text).digest(encoding);
const byStripe = (secret) => (body) => {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${hmac(secret, `${time}.${body}`, 'hex')}`;
};

/** Each sender's endpoint, signature header, a valid body and how to sign it. */
const SENDERS = [
  [
    'stripe',
    'Stripe-Signature',
    '{"id":"evt_1","object":"event","type":"a.b","data":{"object":{}}}',
    'STRIPE_WEBHOOK_SECRET',
    byStripe,
  ],
  [
    'stripe-acedumy',
    'Stripe-Signature',
    '{"id":"evt_2","object":"event","type":"a.b","data":{"object":{}}}',
    'STRIPE_ACEDUMY_WEBHOOK_SECRET',
    byStripe,
  ],
  [
    'woocommerce',
    'X-WC-Webhook-Signature',
    '{"id":1}',
    'WOOCOMMERCE_WEBHOOK_SECRET',
    (secret) => (body) => hmac(secret, body, 'base64'),
  ],
  [
    'acedumy',
    'X-AcEdumy-Signature',
    '{"id":"1"}',
    'ACEDUMY_WEBHOOK_SECRET',
    (secret) => (body) => hmac(secret, body, 'hex'),
  ],
  [
    'mail-events',
    'X-Mail-Events-Signature',
    '[]',
    'MAIL_EVENTS_SECRET',
    (secret) => (body) => hmac(secret, body, 'hex'),
  ],
];

/**
 * Sends raw bytes.
 * @returns the response's status; 0 if the connection was closed without one
 */
function say(url, text) {
  const { hostname, port } = new URL(url);
  const begun = performance.now();
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.on('data', (data) => (got += data.toString('latin1')));
    const end = () =>
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? 0),
        text: got.slice(-300),
        ms: performance.now() - begun,
      });
    socket
      .on('close', end)
      .on('error', end)
      .setTimeout(20_000, () => socket.destroy());
  });
}

const CLOSE = 'Connection: close\r\nSec-Fetch-Site: same-origin\r\n';

/** Signatures with characters no digest contains, of the correct length and of others. */
async function signatures(url, findings) {
  for (const [name, header, body, secret, signer] of SENDERS) {
    const sign = signer(WEBHOOK_SECRETS[secret]);
    const post = (value) =>
      say(
        url,
        `POST /api/webhooks/${name} HTTP/1.1\r\nHost: localhost\r\n${CLOSE}Content-Type: application/json\r\n` +
          `${header}: ${value}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    findings.control('forged', `a signed webhook of ${name}`, await post(sign(body)), 200);
    const odd = ['ÿ', '\x80', 'é'].flatMap((byte) => [
      byte,
      byte.repeat(44),
      byte.repeat(64),
      sign(body).slice(0, -1) + byte,
      sign(body).replace(/[0-9a-f](?=[^,]*$)/, byte),
      `t=${byte},v1=${byte.repeat(64)}`,
    ]);
    for (const value of odd) {
      const answer = await post(value);
      findings.count('forged, signatures', answer);
      if (![400, 401, 403].includes(answer.status))
        findings.add('forged', `${answer.status} to the signature ${JSON.stringify(value)} at ${name}`);
    }
  }
  return `signatures with odd bytes: ${findings.statuses('forged, signatures')}`;
}

/** Contradictory and empty headers. */
async function headers(url, { owner }, findings) {
  const get = (lines) =>
    say(url, `GET /api/session HTTP/1.1\r\n${lines}${CLOSE}Cookie: ${owner.headers.Cookie}\r\n\r\n`);
  findings.control('forged', 'one host', await get('Host: localhost\r\n'), 200);
  for (const lines of [
    'Host: localhost\r\nHost: evil.example\r\n',
    'Host: localhost\r\nhost: localhost\r\n',
    'Host: a, b\r\n',
  ]) {
    const answer = await get(lines);
    findings.count('forged, hosts', answer);
    if (answer.status !== 400) findings.add('forged', `${answer.status} to ${JSON.stringify(lines)}`);
  }
  const body = '{"email":"nobody@example.com","password":"not a password"}';
  for (const address of ['é', '\x80ÿ', 'é, é', '1.2.3.4, é', 'é'.repeat(500)]) {
    const read = await get(`Host: localhost\r\nX-Forwarded-For: ${address}\r\n`);
    const login = await say(
      url,
      `POST /api/login HTTP/1.1\r\nHost: localhost\r\n${CLOSE}Content-Type: application/json\r\n` +
        `X-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    for (const answer of [read, login]) findings.count('forged, addresses', answer);
    if (read.status !== 200 || ![401, 429].includes(login.status))
      findings.add(
        'forged',
        `${read.status} and ${login.status} to the address ${JSON.stringify(address.slice(0, 20))}`,
      );
  }
  return `hosts ${findings.statuses('forged, hosts')}, addresses of clients ${findings.statuses('forged, addresses')}`;
}

/** Signed URLs of a file with the correct key but too long a lifetime, or signed with the master secret. */
async function fileAddresses(url, dataDir, { owner, ids }, findings) {
  const [{ AppConfig }, { keyedDigest }] = await Promise.all([
    load('platform/config/app-config.js'),
    load('platform/security/secrets.js'),
  ]);
  const config = AppConfig.from({ DATA_DIR: dataDir });
  const key = config.keys.forPurpose('file-address');
  const ask = (token, digest) =>
    send(url, 'GET', `/api/files/${ids.files}/content?token=${token}.${digest}`, { headers: elsewhere() });
  const token = (life, kind) => `${owner.id}.${Date.now() + life}${kind}`;
  const sign = (text) => key.digest(String(ids.files), text);
  const good = token(4 * MINUTE, '');
  findings.control('forged', 'an address of four minutes', await ask(good, sign(good)), 200);
  const undivided = (text) => keyedDigest(config.appSecret, 'file-address', String(ids.files), text);
  for (const [life, kind] of [
    [400 * DAY, ''],
    [400 * DAY, 'v'],
    [10 * MINUTE, ''],
    [2 * 60 * MINUTE, 'v'],
    [-MINUTE, ''],
  ]) {
    const long = token(life, kind);
    for (const digest of [sign(long), undivided(long), undivided(good)]) {
      const answer = await ask(long, digest);
      findings.count('forged, file addresses', answer);
      if (answer.status < 400 || answer.status >= 500)
        findings.add('forged', `${answer.status} to an address of a file that lives ${life / MINUTE} minutes`);
    }
  }
  const byTheSecret = await ask(good, undivided(good));
  findings.count('forged, file addresses', byTheSecret);
  if (byTheSecret.status < 400) findings.add('forged', 'an address of a file signed with the secret itself is taken');
  return { keys: config.keys, told: `file addresses: ${findings.statuses('forged, file addresses')}` };
}

/** Tracking tokens of an email sent today and one sent 401 days ago: the second must not be counted. */
async function trackingTokens(url, pool, keys, { owner, zone }, findings) {
  const { createTrackingToken } = await load('modules/campaigns/shared/tracking-token.js');
  const mail = { subject: 'News', htmlContent: '<p>News</p>', targetAudience: 'all', trackingEnabled: true };
  const path = `/api/zones/${zone.id}/send-email`;
  const sent = await send(url, 'POST', path, { headers: owner.headers, body: mail });
  if (sent.status >= 300)
    return findings.add('forged', `did not try: no campaign, ${sent.status} ${sent.text.slice(0, 200)}`);
  const delivery = await deliveryOf(pool, JSON.parse(sent.text).id ?? JSON.parse(sent.text).campaignId);
  const open = async () => {
    const token = createTrackingToken(keys, { deliveryId: delivery, link: null });
    findings.count('forged, tracking', await send(url, 'GET', `/api/t/o/${token}`, { headers: elsewhere() }));
    const { rows } = await pool.query('select count(*)::int as count from campaign_events where delivery_id = $1', [
      delivery,
    ]);
    return rows[0].count;
  };
  const fresh = await open();
  if (fresh !== 1) return findings.add('forged', `did not try: a fresh token counts ${fresh} openings`);
  await pool.query("update deliveries set sent_at = now() - interval '401 days' where id = $1", [delivery]);
  const old = (await open()) - fresh;
  if (old > 0) findings.add('forged', 'a tracking token of 401 days counts an opening');
  return `an opening counted ${fresh}, after 401 days ${old}`;
}

async function deliveryOf(pool, campaign) {
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await pool.query(
      `select id from deliveries where state = 'delivered' and ($1::bigint is null or campaign_id = $1) order by id desc limit 1`,
      [campaign ?? null],
    );
    if (rows[0]) return Number(rows[0].id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The campaign was not delivered.');
}

/** Tokens signed with the product's own keys but not issued by it, and headers that no client sends. */
export async function forgeries(url, pool, dataDir, scene, findings) {
  const told = [await signatures(url, findings), await headers(url, scene, findings)];
  const { keys, told: ofFiles } = await fileAddresses(url, dataDir, scene, findings);
  told.push(ofFiles, (await trackingTokens(url, pool, keys, scene, findings)) ?? 'tracking not tried');
  console.log(`forged: ${told.join('; ')}`);
}
