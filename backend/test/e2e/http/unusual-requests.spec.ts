import { connect, isIP } from 'node:net';
import { once } from 'node:events';
import supertest from 'supertest';
import { createZone, registerUser, uniqueName } from '../../support/people/actors.js';
import { sendWebhook, buildPremiumEvent, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';

/** Sends a raw request and returns the response. */
async function sendRaw(url: string, lines: string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(Buffer.from(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString('latin1')));
  await once(socket, 'close');
  return received;
}

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);

/** Header bytes that are not valid text. */
const ODD = [
  'é'.repeat(64),
  'ÿþ',
  '\x80'.repeat(32),
  't=1,v1=é',
  `t=${'9'.repeat(30)},v1=`,
  ' ',
  'x'.repeat(8000),
  '%00',
];

const HEADERS = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'Range',
  'If-Range',
  'If-None-Match',
  'If-Modified-Since',
  'Accept',
  'Accept-Language',
  'Accept-Encoding',
  'Authorization',
  'Cookie',
  'Origin',
  'Referer',
  'Sec-Fetch-Site',
  'User-Agent',
  'Upload-Metadata',
  'Upload-Offset',
  'Upload-Length',
  'Tus-Resumable',
  'X-Request-Id',
];

describeInProcess('Headers with non-ASCII bytes', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({
      ...WEBHOOK_SECRETS,
      TRUST_PROXY: '1',
      STRIPE_SECRET_KEY: 'sk_test_of_this_suite',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_this_suite',
      MAIL_EVENTS_SECRET: 'a secret of mail events',
    });
  });
  afterAll(() => world.close());

  it.each([
    ['woocommerce', 'X-WC-Webhook-Signature'],
    ['acedumy', 'X-Acedumy-Signature'],
    ['stripe-acedumy', 'Stripe-Signature'],
    ['stripe', 'Stripe-Signature'],
    ['mail-events', 'X-Mail-Events-Signature'],
  ])('are treated as a wrong signature in webhooks: %s', async (source, header) => {
    for (const value of ODD) {
      for (const name of [header, 'X-Webhook-Signature']) {
        const request = [`POST /api/webhooks/${source} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
        const response = await sendRaw(world.url, [...request, 'Content-Length: 2', `${name}: ${value}`], '{}');
        expect([name, value.slice(0, 10), statusOf(response)]).toEqual([name, value.slice(0, 10), expect.any(Number)]);
        expect(statusOf(response)).toBeGreaterThanOrEqual(400);
        expect(statusOf(response)).toBeLessThan(500);
      }
    }
  });

  it('cause no server error', async () => {
    const problems: string[] = [];
    const person = await registerUser(world);
    const zone = await createZone(person);
    const paths = [
      '/',
      '/api/user',
      '/api/site',
      `/api/public-zones/${zone.publicLink}`,
      '/api/uploads/x',
      '/api/docs',
    ];
    for (const path of paths) {
      for (const header of HEADERS) {
        for (const value of ODD) {
          const response = await sendRaw(world.url, [`GET ${path} HTTP/1.1`, 'Host: localhost', `${header}: ${value}`]);
          if (!(statusOf(response) < 500))
            problems.push(`${path} ${header}: ${value.slice(0, 20)} → ${statusOf(response)}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('leave the stored IP address empty if in X-Forwarded-For', async () => {
    const { email, password, id } = await registerUser(world);
    for (const from of ['unknown', 'not an address', '999.1.1.1', "'; drop", 'é']) {
      const request = supertest(world.url).post('/api/login').set('Sec-Fetch-Site', 'same-origin');
      await request.set('X-Forwarded-For', from).send({ email, password }).expect(200);
    }
    const rows: { ip: string | null }[] = await world.testApp
      .em()
      .execute('select ip_address as ip from sessions where user_id = ? order by id desc limit 5', [id]);
    expect(rows.map(({ ip }) => ip)).toEqual([null, null, null, null, null]);

    const postWithInvalidAddress = (path: string) =>
      supertest(world.url).post(path).set({ 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': 'é' });
    await postWithInvalidAddress('/api/login').send({ email, password: 'not the one' }).expect(401);
    const sources = ['acedumy', 'mail-events', 'stripe', 'stripe-acedumy', 'woocommerce'];
    for (const source of sources) {
      const { status } = await postWithInvalidAddress(`/api/webhooks/${source}`).send({ a: 1 });
      expect([source, [400, 401, 403].includes(status)]).toEqual([source, true]);
    }
    const select = (sql: string) => world.testApp.em().execute<Record<string, unknown>[]>(sql);
    const unknown = await select(`select detail from security_events where network = '' order by detail`);
    expect(unknown.map(({ detail }) => detail)).toEqual(expect.arrayContaining(['password', ...sources]));
    const stored = await select(
      `select network from security_events union select coalesce(ip_address, '') from audit_log`,
    );
    expect(stored.map(({ network }) => network).filter((network) => network !== '' && !isIP(String(network)))).toEqual(
      [],
    );
  });

  it.each([
    ['two hosts', ['GET /healthz HTTP/1.1', 'Host: localhost', 'Host: zones.example']],
    ['the same host twice', ['GET /healthz HTTP/1.1', 'Host: localhost', 'Host: localhost']],
    ['no host', ['GET /healthz HTTP/1.1']],
    ['no host in HTTP/1.0', ['GET /healthz HTTP/1.0']],
    ['an empty host', ['GET /healthz HTTP/1.1', 'Host: ']],
    ['a host with a path', ['GET /healthz HTTP/1.1', 'Host: localhost/x']],
    ['an absolute URL of another host', ['GET http://zones.example/healthz HTTP/1.1', 'Host: localhost']],
  ])('are rejected with %s', async (_, lines) => {
    expect(statusOf(await sendRaw(world.url, lines))).toBe(400);
  });

  it('are accepted with one host, even with an absolute URL', async () => {
    expect(statusOf(await sendRaw(world.url, ['GET /healthz HTTP/1.1', 'Host: zones.example:8080']))).toBe(200);
    const whole = ['GET http://localhost/healthz HTTP/1.1', 'Host: localhost'];
    expect(statusOf(await sendRaw(world.url, whole))).not.toBe(400);
  });
});

describeInProcess('Webhook dated in the future', () => {
  it('counts from its arrival so that later ones apply', async () => {
    const world = await World.open({ ...WEBHOOK_SECRETS, ACEDUMY_ZONE_ID: '1' });
    try {
      const zone = await createZone(await registerUser(world), { type: 'private' });
      expect(zone.id).toBe(1);
      const [email, subscriptionId] = [`${uniqueName('premium')}@example.com`, uniqueName('sub')];
      const send = async (event: string, ahead: number) => {
        const occurredAt = new Date(world.testApp.clock.now().getTime() + ahead).toISOString();
        await sendWebhook.acedumy(world, buildPremiumEvent(event, email, { subscriptionId, occurredAt })).expect(200);
        await world.testApp.drain();
        const sql = 'select 1 from zone_members where zone_id = ? and email = ?';
        return (await world.testApp.em().execute(sql, [zone.id, email])).length === 1;
      };
      expect(await send('subscription.activated', 10 * 365 * 86_400_000)).toBe(true);
      world.testApp.clock.advance(60_000);
      expect(await send('subscription.expired', 0)).toBe(false);
    } finally {
      await world.close();
    }
  });
});

describeInProcess('Webhook from a clock that is ahead', () => {
  it('keeps its time up to five minutes and is dated at arrival beyond', async () => {
    const world = await World.open({ ...WEBHOOK_SECRETS, ACEDUMY_ZONE_ID: '1' });
    const { clock } = world.testApp;
    const sql = `select e.occurred_at as at, w.created_at as arrived from entitlements e
      join integration_webhooks w on w.id = e.webhook_id where e.purchase_id = ?`;
    try {
      await createZone(await registerUser(world), { type: 'private' });
      await clock.freezeWhile(async () => {
        for (const [seconds, isTimeKept] of [
          [299, true],
          [301, false],
        ] as const) {
          const [email, subscriptionId] = [`${uniqueName('premium')}@example.com`, uniqueName('sub')];
          const claimedAt = new Date(clock.now().getTime() + seconds * 1000);
          const body = buildPremiumEvent('subscription.activated', email, {
            subscriptionId,
            occurredAt: claimedAt.toISOString(),
          });
          await sendWebhook.acedumy(world, body).expect(200);
          // Executed later than received: the delay doesn't matter.
          clock.advance(60_000);
          await world.testApp.drain();
          const [row] = await world.testApp.em().execute<{ at: string; arrived: string }[]>(sql, [subscriptionId]);
          expect(new Date(row!.at)).toEqual(isTimeKept ? claimedAt : new Date(row!.arrived));
          expect(new Date(row!.arrived).getTime()).toBe(claimedAt.getTime() - seconds * 1000);
        }
      });
    } finally {
      await world.close();
    }
  });
});

describeInProcess('GET /.well-known/change-password', () => {
  it('redirects to the password settings', async () => {
    const world = await World.open();
    const { headers } = await supertest(world.url).get('/.well-known/change-password').redirects(0).expect(302);
    await world.close();
    expect(headers.location).toBe('/settings#password');
  });
});

describeInProcess('GET /.well-known/security.txt', () => {
  it('names the contact and the expiry', async () => {
    const world = await World.open({ CONTACT_EMAIL: 'security@example.com' });
    const { text, headers } = await supertest(world.url).get('/.well-known/security.txt').expect(200);
    await world.close();
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain('Contact: mailto:security@example.com\n');
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)![1]!);
    expect(expires).toBeGreaterThan(Date.now() + 30 * 86_400_000);
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  });

  it('returns 404 without a contact', async () => {
    const world = await World.open();
    await supertest(world.url).get('/.well-known/security.txt').expect(404);
    await world.close();
  });
});
