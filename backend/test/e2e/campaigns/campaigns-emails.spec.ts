import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  parseParts,
  campaignContent,
  type Sender,
} from './campaign-helpers.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const env = {
  APP_URL: 'http://zonary.test',
  MAIL_FROM: 'Zonary <news@zonary.test>',
  COMPANY_ADDRESS: 'Test Street 1\n06000 Ankara',
  DKIM_DOMAIN: 'zonary.test',
  DKIM_SELECTOR: 'mail',
  DKIM_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

describeInProcess('Campaign emails', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  let email: string;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, env);
  });
  beforeEach(async () => {
    sender = await createSender(world);
    [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  /** Sends a campaign to the only member and returns the email. */
  async function sendCampaign(more: object = {}) {
    const id = await createDraft(sender, more);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    await world.testApp.drain();
    const mail = sink.messagesTo(email).at(-1);
    return { id, mail: mail!, ...parseParts(mail!.raw) };
  }

  it('carry one-click unsubscribe headers covered by the DKIM signature', async () => {
    const { mail, text, html } = await sendCampaign();
    const { headers } = mail;
    const leave = /^<(http:\/\/zonary\.test\/api\/unsubscribe\/[\w-]+)>$/.exec(headers.get('list-unsubscribe')!)![1]!;
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headers.get('feedback-id')).toMatch(/^\d+:\d+:campaign:zonary\.test$/);
    expect(headers.get('from')).toBe(`${sender.zone.name} <news@zonary.test>`);
    expect(headers.get('reply-to')).toBe(sender.owner.email);
    expect(headers.get('message-id')).toMatch(/^<d[0-9a-z]+\.[0-9a-f]{24}@zonary\.test>$/);
    const signature = headers.get('dkim-signature')!;
    const signed = /;\s*h=([^;]+);/
      .exec(signature)![1]!
      .toLowerCase()
      .split(/\s*:\s*/);
    expect(signed).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'feedback-id', 'from']),
    );
    expect(verifySignature(mail.raw, signature, signed)).toBe(true);
    const page = leave.replace('/api/', '/');
    expect(html).toContain(`href="${page}"`);
    expect(text).toContain(page);
    for (const part of [html, text]) expect(part).toContain('Test Street 1');
  });

  it('are unsubscribed from by one click, and GET on the same URL changes nothing', async () => {
    const { mail } = await sendCampaign();
    const url = new URL(mail.headers.get('list-unsubscribe')!.slice(1, -1));
    const members = async () =>
      (await sender.owner.client.get(`/api/zones/${sender.zone.id}`)).body.memberCount as number;
    await world.createClient().get(url.pathname).expect(302);
    expect(await members()).toBe(1);
    await world
      .createClient()
      .post(url.pathname)
      .set('Sec-Fetch-Site', 'cross-site')
      .type('form')
      .send('List-Unsubscribe=One-Click')
      .expect(200);
    expect(await members()).toBe(0);
  });

  it('personalise with escaped recipient values and use the fallback text', async () => {
    await world.testApp
      .em()
      .execute(`update users set first_name = ?, last_name = '.' where email = ?`, ['<b>&"\r\nBcc: x@y.z', email]);
    const { mail, html, text } = await sendCampaign({
      subject: 'For {{first_name|you}}{{last_name|, friend}}',
      htmlContent:
        '<p>{{first_name|you}} {{last_name|O&#39;Neil &amp; co}} <a href="https://x.test/?m={{email}}">in</a> {{zone_name}}</p>',
    });
    expect(decodeHeader(mail.headers.get('subject')!)).toBe('For <b>&" Bcc:, friend');
    expect([...mail.headers.keys()]).not.toContain('bcc');
    expect(html).toContain('&#60;b&#62;&#38;&#34; Bcc: x@y.z');
    expect(html).toContain(`https://x.test/?m=${encodeURIComponent(email)}`);
    expect(text).toContain(`<b>&" Bcc: x@y.z O'Neil & co`);
    expect(text).toContain(sender.zone.name);
  });

  it('contain no script, event handler, form, frame or hidden URL', async () => {
    const htmlContent = `
      <p onclick="a()" style="background:url(javascript:b())">Safe</p><script>c()</script><iframe src="https://d.test"></iframe>
      <form action="https://e.test"><input name="f"></form><svg onload="g()"></svg><base href="https://h.test">
      <a href="javascript:i()">J</a><a href="java&#x09;script:k()">L</a><a href="data:text/html,m">N</a>
      <a href="/zones/1">Relative</a><img src="x" onerror="o()"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="//p.test">`;
    const { html } = await sendCampaign({ htmlContent, trackingEnabled: false });
    expect(html).not.toMatch(
      /javascript:|java\s*script|onclick|onload|onerror|<script|<iframe|<form|<input|<svg|<base|<meta http|<link|data:text/i,
    );
    expect(html).toContain('href="http://zonary.test/zones/1"');
    expect(html).toContain('Safe');
  });

  it('inline their styles and have a text part generated from the HTML', async () => {
    const htmlContent =
      '<style>h1{color:#ff0000} @media (max-width:400px){h1{color:#00ff00}}</style><h1>Title</h1><p>Text <a href="https://x.test/a">here</a></p>';
    const { html, text } = await sendCampaign({ htmlContent, trackingEnabled: false });
    expect(html).toMatch(/<h1 style="color: ?#ff0000;?">Title<\/h1>/);
    expect(html).toContain('@media (max-width:400px)');
    expect(html).toContain('max-width:600px');
    expect(text).toMatch(/Title\s+Text here \(https:\/\/x\.test\/a\)/);
    expect((await sendCampaign({ textContent: 'My own {{zone_name}}' })).text).toContain(`My own ${sender.zone.name}`);
  });

  it("use the recipient's language around the content", async () => {
    await world.testApp.em().execute(`update users set language = 'tr' where email = ?`, [email]);
    const { html, mail } = await sendCampaign();
    expect(html).toContain('Bu e-postaları almamak için bölgeden ayrılın');
    expect(mail.headers.get('content-language')).toBe('tr');
  });

  it('use the sender name and reply-to address of the zone', async () => {
    const { owner, zone } = sender;
    const path = `/api/zones/${zone.id}/mail-settings`;
    const { body } = await owner.client
      .put(path)
      .send({ fromName: 'Ada, "the" <coach>', replyTo: 'Ada@Example.com' })
      .expect(200);
    expect(body).toMatchObject({ fromName: 'Ada, "the" <coach>', replyTo: 'ada@example.com', welcomeEnabled: false });
    const { text } = await world.waitForEmail('ada@example.com', (mail) => mail.text.includes('/reply-to?'));
    const token = /token=([\w-]+)/.exec(text)![1];
    await world.createClient().post('/api/reply-to').send({ token }).expect(200);
    const { mail } = await sendCampaign();
    expect(mail.headers.get('from')).toBe('"Ada, \\"the\\" <coach>" <news@zonary.test>');
    expect(mail.headers.get('reply-to')).toBe('ada@example.com');
    for (const wrong of [{ fromName: 'A\r\nBcc: b@c.de' }, { replyTo: 'a@b.co\r\nBcc: d@e.fr' }, { replyTo: 'none' }]) {
      await owner.client.put(path).send(wrong).expect(400);
    }
    await owner.client.put(path).send({ fromName: null, replyTo: '' }).expect(200);
    expect((await owner.client.get(path)).body).toMatchObject({ fromName: null, replyTo: null });
  });

  it('reject sender names that contain an email address', async () => {
    const { owner, zone } = sender;
    const path = `/api/zones/${zone.id}/mail-settings`;
    for (const fromName of ['support@paypal.com', 'Pay Pal <support @ paypal.com>', 'support＠paypal.com']) {
      const { body } = await owner.client.put(path).send({ fromName }).expect(400);
      expect(body.errors.fromName[0]).toContain("can't contain an email address");
    }
    await owner.client.put(path).send({ fromName: 'Coffee @ Home' }).expect(200);
    expect((await sendCampaign()).mail.headers.get('from')).toBe('"Coffee @ Home" <news@zonary.test>');
    await owner.client.put(path).send({ fromName: null }).expect(200);
    await world.testApp.em().execute('update zones set name = ? where id = ?', ['support@paypal.com', zone.id]);
    expect((await sendCampaign()).mail.headers.get('from')).toBe('"support (at)" <news@zonary.test>');
  });

  it('are previewed in a sandboxed document', async () => {
    const { owner, zone } = sender;
    const id = await createDraft(sender, { htmlContent: '<p>Hi {{first_name}}</p>' });
    const form = { subject: 'S', htmlContent: '<p>Draft</p><script>1</script>' };
    const path = `/api/zones/${zone.id}/campaigns/preview`;
    const responses = [
      await owner.client.get(`/api/campaigns/${id}/preview`).expect(200),
      await owner.client.post(path).send(form).expect(200),
      await owner.client.post(path).type('form').send(form).expect(200),
    ];
    for (const { headers, text } of responses) {
      expect(headers['content-type']).toContain('text/html');
      expect(headers['content-security-policy']).toMatch(/^sandbox allow-popups .*default-src 'none'/);
      expect(text).toContain('Leave the zone to stop these emails');
      expect(text).not.toContain('<script');
    }
    expect(responses[0]!.text).toContain('Hi Ada');
    await owner.client
      .post(path)
      .send({ ...form, htmlContent: '{{x' })
      .expect(400);
    await owner.client
      .post(path)
      .type('form')
      .send({ ...form, htmlContent: 'x'.repeat(600_000) })
      .expect(413);
  });

  it('can be sent to oneself as a test that does not count', async () => {
    const { owner } = sender;
    const id = await createDraft(sender, { subject: 'Hi {{first_name}}' });
    const { body } = await owner.client.post(`/api/campaigns/${id}/test`).expect(200);
    expect(body).toEqual({ sentTo: owner.email });
    await world.testApp.drain();
    expect(sink.recipients).toEqual([owner.email]);
    expect(sink.messages[0]!.headers.get('subject')).toBe('Hi Ada');
    expect(sink.messages[0]!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect((await owner.client.get('/api/email-quota')).body.emailsSent).toBe(0);
    expect((await owner.client.get(`/api/campaigns/${id}`)).body.status).toBe('draft');
  });

  it('start from two built-in templates in both languages or from own ones', async () => {
    const { owner } = sender;
    const { body: builtIn } = await owner.client.get('/api/email-templates').expect(200);
    expect(builtIn.map((template: { builtIn: string }) => template.builtIn)).toEqual(['welcome', 'announcement']);
    for (const { htmlContent } of builtIn) expect(htmlContent).toContain('{{zone_name}}');
    await world.testApp.em().execute(`update users set language = 'tr' where id = ?`, [owner.id]);
    const { body: turkish } = await owner.client.get('/api/email-templates').expect(200);
    expect(turkish[0].name).not.toBe(builtIn[0].name);
    const form = { name: 'Mine', subject: 'S', htmlContent: '<p>x</p><script>y</script>' };
    const { body: ownTemplate } = await owner.client.post('/api/email-templates').send(form).expect(201);
    expect(ownTemplate).toEqual({
      id: expect.any(Number),
      builtIn: null,
      name: 'Mine',
      subject: 'S',
      htmlContent: '<p>x</p>',
    });
    const other = await createSender(world);
    await other.owner.client.put(`/api/email-templates/${ownTemplate.id}`).send(form).expect(404);
    await other.owner.client.delete(`/api/email-templates/${ownTemplate.id}`).expect(404);
    await owner.client
      .put(`/api/email-templates/${ownTemplate.id}`)
      .send({ ...form, name: 'Renamed' })
      .expect(200);
    expect((await owner.client.get('/api/email-templates')).body).toHaveLength(3);
    await owner.client.delete(`/api/email-templates/${ownTemplate.id}`).expect(204);
    expect((await owner.client.get('/api/email-templates')).body).toHaveLength(2);
    await owner.client
      .post('/api/email-templates')
      .send({ ...campaignContent(), name: 'X', htmlContent: '{{y' })
      .expect(400);
  });
});

/** Decodes a header with encoded words (RFC 2047, Q). */
function decodeHeader(header: string): string {
  const words = header.replace(/\?= =\?UTF-8\?Q\?/gi, '').replace(/=\?UTF-8\?Q\?|\?=/gi, '');
  return words
    .replaceAll('_', ' ')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Verifies a DKIM signature (relaxed/relaxed, rsa-sha256) as a receiving server does. */
function verifySignature(raw: string, signature: string, signed: string[]): boolean {
  const head = raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const relaxLine = (line: string) => {
    const colon = line.indexOf(':');
    return `${line.slice(0, colon).trim().toLowerCase()}:${line
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim()}`;
  };
  const lines = signed.map((name) => relaxLine(head.find((line) => line.toLowerCase().startsWith(`${name}:`))!));
  const own = relaxLine(`DKIM-Signature: ${signature.replace(/\bb=[^;]*$/, 'b=')}`);
  const value = /\bb=([^;]*)$/.exec(signature)![1]!.replace(/\s+/g, '');
  return createVerify('RSA-SHA256')
    .update([...lines, own].join('\r\n'))
    .verify(createPublicKey(keys.publicKey.export({ type: 'spki', format: 'pem' })), value, 'base64');
}
