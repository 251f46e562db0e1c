import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { root } from '../lib/product.mjs';
import { newNetworkHeaders } from './browser.mjs';
import { send } from './test-data.mjs';

const DAY = 86_400_000;
const MINUTE = 60_000;
const load = (path) => import(`${root}dist/compiled/src/${path}`);

/** Webhook secrets the product is started with. */
export const WEBHOOK_SECRETS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_attack',
  STRIPE_ACEDUMY_WEBHOOK_SECRET: 'whsec_of_the_other_attack',
  WOOCOMMERCE_WEBHOOK_SECRET: 'a secret of the shop',
  ACEDUMY_WEBHOOK_SECRET: 'a secret of the service',
  MAIL_EVENTS_SECRET: 'a secret of the mail server',
};

const hmac = (secret, text, encoding) => createHmac('sha256', secret).update(text).digest(encoding);
const signAsStripe = (secret) => (body) => {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${hmac(secret, `${time}.${body}`, 'hex')}`;
};

/** Each webhook: endpoint, signature header, a valid body, the variable of the secret, and how to sign. */
const WEBHOOKS = [
  [
    'stripe',
    'Stripe-Signature',
    '{"id":"evt_1","object":"event","type":"a.b","data":{"object":{}}}',
    'STRIPE_WEBHOOK_SECRET',
    signAsStripe,
  ],
  [
    'stripe-acedumy',
    'Stripe-Signature',
    '{"id":"evt_2","object":"event","type":"a.b","data":{"object":{}}}',
    'STRIPE_ACEDUMY_WEBHOOK_SECRET',
    signAsStripe,
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
function sendRaw(url, text) {
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.on('data', (data) => (received += data.toString('latin1')));
    const finish = () =>
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0),
        text: received.slice(-300),
        ms: performance.now() - startedAt,
      });
    socket
      .on('close', finish)
      .on('error', finish)
      .setTimeout(20_000, () => socket.destroy());
  });
}

const COMMON_HEADERS = 'Connection: close\r\nSec-Fetch-Site: same-origin\r\n';

/** Sends signatures with characters that no digest contains, of the correct length and of others. */
async function testSignatures(url, findings) {
  for (const [name, header, body, secretName, createSigner] of WEBHOOKS) {
    const sign = createSigner(WEBHOOK_SECRETS[secretName]);
    const post = (value) =>
      sendRaw(
        url,
        `POST /api/webhooks/${name} HTTP/1.1\r\nHost: localhost\r\n${COMMON_HEADERS}Content-Type: application/json\r\n` +
          `${header}: ${value}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    findings.checkPrecondition('forged', `a signed webhook of ${name}`, await post(sign(body)), 200);
    const oddSignatures = ['ÿ', '\x80', 'é'].flatMap((byte) => [
      byte,
      byte.repeat(44),
      byte.repeat(64),
      sign(body).slice(0, -1) + byte,
      sign(body).replace(/[0-9a-f](?=[^,]*$)/, byte),
      `t=${byte},v1=${byte.repeat(64)}`,
    ]);
    for (const value of oddSignatures) {
      const response = await post(value);
      findings.count('forged, signatures', response);
      if (![400, 401, 403].includes(response.status))
        findings.add('forged', `${response.status} with the signature ${JSON.stringify(value)} at ${name}`);
    }
  }
  return `signatures with odd bytes: ${findings.formatStatuses('forged, signatures')}`;
}

/** Sends contradictory `Host` headers, and invalid addresses in `X-Forwarded-For`. */
async function testHeaders(url, { owner }, findings) {
  const get = (lines) =>
    sendRaw(url, `GET /api/session HTTP/1.1\r\n${lines}${COMMON_HEADERS}Cookie: ${owner.headers.Cookie}\r\n\r\n`);
  findings.checkPrecondition('forged', 'one host', await get('Host: localhost\r\n'), 200);
  for (const lines of [
    'Host: localhost\r\nHost: evil.example\r\n',
    'Host: localhost\r\nhost: localhost\r\n',
    'Host: a, b\r\n',
  ]) {
    const response = await get(lines);
    findings.count('forged, Host headers', response);
    if (response.status !== 400) findings.add('forged', `${response.status} with ${JSON.stringify(lines)}`);
  }
  const body = '{"email":"nobody@example.com","password":"not a password"}';
  for (const address of ['é', '\x80ÿ', 'é, é', '1.2.3.4, é', 'é'.repeat(500)]) {
    const read = await get(`Host: localhost\r\nX-Forwarded-For: ${address}\r\n`);
    const login = await sendRaw(
      url,
      `POST /api/login HTTP/1.1\r\nHost: localhost\r\n${COMMON_HEADERS}Content-Type: application/json\r\n` +
        `X-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    for (const response of [read, login]) findings.count('forged, client addresses', response);
    if (read.status !== 200 || ![401, 429].includes(login.status))
      findings.add(
        'forged',
        `${read.status} and ${login.status} with the client address ${JSON.stringify(address.slice(0, 20))}`,
      );
  }
  return `Host headers ${findings.formatStatuses('forged, Host headers')}, client addresses ${findings.formatStatuses('forged, client addresses')}`;
}

/** Requests signed URLs of a file with the correct key but an invalid lifetime, or signed with the master secret. */
async function testFileUrls(url, dataDir, { owner, ids }, findings) {
  const [{ AppConfig }, { keyedDigest }] = await Promise.all([
    load('platform/config/app-config.js'),
    load('platform/security/secrets.js'),
  ]);
  const config = AppConfig.from({ DATA_DIR: dataDir });
  const key = config.keys.forPurpose('file-address');
  const requestFile = (token, digest) =>
    send(url, 'GET', `/api/files/${ids.files}/content?token=${token}.${digest}`, { headers: newNetworkHeaders() });
  const createToken = (lifetime, suffix) => `${owner.id}.${Date.now() + lifetime}${suffix}`;
  const sign = (text) => key.digest(String(ids.files), text);
  const validToken = createToken(4 * MINUTE, '');
  findings.checkPrecondition(
    'forged',
    'a URL valid for four minutes',
    await requestFile(validToken, sign(validToken)),
    200,
  );
  const signWithMasterSecret = (text) => keyedDigest(config.appSecret, 'file-address', String(ids.files), text);
  for (const [lifetime, suffix] of [
    [400 * DAY, ''],
    [400 * DAY, 'v'],
    [10 * MINUTE, ''],
    [2 * 60 * MINUTE, 'v'],
    [-MINUTE, ''],
  ]) {
    const token = createToken(lifetime, suffix);
    for (const digest of [sign(token), signWithMasterSecret(token), signWithMasterSecret(validToken)]) {
      const response = await requestFile(token, digest);
      findings.count('forged, file URLs', response);
      if (response.status < 400 || response.status >= 500)
        findings.add('forged', `${response.status} with a file URL valid for ${lifetime / MINUTE} minutes`);
    }
  }
  const masterSecretResponse = await requestFile(validToken, signWithMasterSecret(validToken));
  findings.count('forged, file URLs', masterSecretResponse);
  if (masterSecretResponse.status < 400) findings.add('forged', 'a file URL signed with the master secret is accepted');
  return { keys: config.keys, summary: `file URLs: ${findings.formatStatuses('forged, file URLs')}` };
}

/** Uses the tracking token of an email sent today, then 401 days ago: the second open must not be counted. */
async function testTrackingTokens(url, pool, keys, { owner, zone }, findings) {
  const { createTrackingToken } = await load('modules/campaigns/shared/tracking-token.js');
  const email = { subject: 'News', htmlContent: '<p>News</p>', targetAudience: 'all', trackingEnabled: true };
  const path = `/api/zones/${zone.id}/send-email`;
  const campaign = await send(url, 'POST', path, { headers: owner.headers, body: email });
  if (campaign.status >= 300)
    return findings.add(
      'forged',
      `precondition failed: no campaign, ${campaign.status} ${campaign.text.slice(0, 200)}`,
    );
  const deliveryId = await waitForDelivery(pool, JSON.parse(campaign.text).id ?? JSON.parse(campaign.text).campaignId);
  const countOpens = async () => {
    const token = createTrackingToken(keys, { deliveryId, link: null });
    findings.count('forged, tracking', await send(url, 'GET', `/api/t/o/${token}`, { headers: newNetworkHeaders() }));
    const { rows } = await pool.query('select count(*)::int as count from campaign_events where delivery_id = $1', [
      deliveryId,
    ]);
    return rows[0].count;
  };
  // Without a mail server, emails are kept in the mailbox and don't count as sent.
  await pool.query("update deliveries set state = 'delivered', sent_at = now() where id = $1", [deliveryId]);
  const recentCount = await countOpens();
  if (recentCount !== 1)
    return findings.add('forged', `precondition failed: a recent token counts ${recentCount} opens`);
  await pool.query("update deliveries set sent_at = now() - interval '401 days' where id = $1", [deliveryId]);
  const oldCount = (await countOpens()) - recentCount;
  if (oldCount > 0) findings.add('forged', 'a tracking token from 401 days ago counts an open');
  return `tracking: ${recentCount} open counted today, ${oldCount} after 401 days`;
}

async function waitForDelivery(pool, campaign) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { rows } = await pool.query(
      `select id from deliveries where state in ('delivered', 'kept') and ($1::bigint is null or campaign_id = $1) order by id desc limit 1`,
      [campaign ?? null],
    );
    if (rows[0]) return Number(rows[0].id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The campaign was not delivered.');
}

/** Sends tokens signed with the product's own keys but not issued by it, and headers that no client sends. */
export async function testForgedRequests(url, pool, dataDir, testData, findings) {
  const results = [await testSignatures(url, findings), await testHeaders(url, testData, findings)];
  const { keys, summary: fileSummary } = await testFileUrls(url, dataDir, testData, findings);
  results.push(fileSummary, (await testTrackingTokens(url, pool, keys, testData, findings)) ?? 'tracking not tested');
  console.log(`forged: ${results.join('; ')}`);
}
