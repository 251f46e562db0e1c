import { mkdir, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplication } from '@nestjs/common';
import { SMTPServer } from 'smtp-server';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../src/platform/clock/clock.js';
import { AppConfig } from '../../src/platform/config/app-config.js';
import { defineJob, type JobContext } from '../../src/platform/jobs/job-definition.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { defineEmail } from '../../src/platform/email/email-definition.js';
import { tlsOptions } from '../../src/platform/email/mail-transport.js';
import { EmailService } from '../../src/platform/email/email.service.js';
import { MailboxKey } from '../../src/platform/email/mailbox/mailbox-key.js';
import { MAX_MESSAGES } from '../../src/platform/email/mailbox/mailbox.js';
import { reservePort } from '../support/fakes/reserve-port.js';
import { JobsPlatform } from './jobs-app.js';

const greeting = defineEmail<{ name: string; code: string }>('test.greeting', {
  en: ({ name, code }) => ({ subject: `Hello ${name}`, heading: `Hello ${name}`, paragraphs: ['Good day.'], code }),
  tr: ({ name, code }) => ({
    subject: `Merhaba ${name}`,
    heading: `Merhaba ${name}`,
    paragraphs: ['İyi günler.'],
    code,
  }),
});

interface Greet {
  to: string;
  name: string;
  language?: 'en' | 'tr';
  /** Has different content at each attempt, like a new code. */
  fresh?: boolean;
}

const greet = defineJob<Greet>('test.greet', { queue: 'mail' });

@Injectable()
class GreetHandler {
  constructor(private readonly email: EmailService) {}

  @OnJob(greet)
  async handle({ to, name, language = 'en', fresh }: Greet, { id, attempt }: JobContext): Promise<void> {
    const values = { name, code: fresh ? `try ${attempt}` : 'stable' };
    await this.email.send(greeting, { to, language, values, idempotencyKey: `job-${id}` });
  }
}

interface Received {
  readonly recipients: string[];
  readonly headers: string;
  readonly raw: string;
}

/** A mail server on loopback that can reject. */
class MailServer {
  readonly received: Received[] = [];
  connections = 0;
  refuse: { code: number; when: 'recipient' | 'after-data' } | null = null;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      this.connections += 1;
      done();
    },
    onRcptTo: (_address, _session, done) => done(this.refuse?.when === 'recipient' ? this.refusal() : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        this.received.push({
          recipients,
          raw,
          headers: raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' '),
        });
        done(this.refuse ? this.refusal() : null);
      });
    },
  });

  constructor() {
    this.server.on('error', () => undefined);
  }

  async listen(port?: number): Promise<number> {
    const at = port ?? (await reservePort());
    await new Promise<void>((resolve) => this.server.listen(at, '127.0.0.1', resolve));
    return at;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private refusal(): Error {
    return Object.assign(new Error('Try later, mary@example.com'), { responseCode: this.refuse!.code });
  }
}

const headerOf = ({ headers }: Received, name: string) =>
  headers.split('\r\n').find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));

describe('Emails', () => {
  let platform: JobsPlatform;
  let server: MailServer;
  let port: number;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  afterAll(() => platform.close());

  beforeEach(async () => {
    server = new MailServer();
    port = await server.listen();
  });
  afterEach(async () => {
    await platform.reset();
    await server.close();
  });

  const start = (
    env: NodeJS.ProcessEnv = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Zonary <hello@zonary.test>' },
  ) => platform.start({ providers: [GreetHandler], env });
  const send = async (app: INestApplication, ...mails: Greet[]) => {
    for (const mail of mails) await app.get(JobsService).enqueue(app.get(EntityManager).fork(), greet, mail);
    return app.get(JobRunner).drain({ tolerant: true });
  };

  it('are sent in two parts, marked as automatic, over reused connections', async () => {
    const app = await start();
    await send(app, { to: 'mary@example.com', name: 'Mary' }, { to: 'ali@example.com', name: 'Ali', language: 'tr' });
    expect(server.connections).toBe(1);
    const [first, second] = server.received as [Received, Received];
    expect(first.recipients).toEqual(['mary@example.com']);
    expect(headerOf(first, 'From')).toBe('From: Zonary <hello@zonary.test>');
    expect(headerOf(first, 'To')).toBe('To: mary@example.com');
    expect(headerOf(first, 'Subject')).toBe('Subject: Hello Mary');
    expect(headerOf(first, 'Auto-Submitted')).toBe('Auto-Submitted: auto-generated');
    expect(headerOf(first, 'Content-Type')).toContain('multipart/alternative');
    expect(first.raw).toContain('Content-Type: text/plain; charset=utf-8');
    expect(first.raw).toContain('Content-Type: text/html; charset=utf-8');
    expect(headerOf(second, 'Content-Language')).toBe('Content-Language: tr');
    expect(headerOf(second, 'Subject')).toBe('Subject: Merhaba Ali');
  });

  it('wait while the server is unreachable and are delivered afterwards', async () => {
    await server.close();
    const app = await start();
    const { failures } = await send(app, { to: 'mary@example.com', name: 'Mary' });
    expect(failures).toHaveLength(1);
    expect(await platform.query('SELECT state, attempts, last_error FROM jobs')).toEqual([
      { state: 'queued', attempts: 1, last_error: 'Error: code=ESOCKET system=ECONNREFUSED command=CONN' },
    ]);
    server = new MailServer();
    await server.listen(port);
    platform.clock.advance(MINUTE);
    await app.get(JobRunner).drain();
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['mary@example.com']]);
    expect(await platform.count('jobs')).toBe(0);
  });

  it('are retried when rejected, without storing the address in the error', async () => {
    const app = await start();
    server.refuse = { code: 451, when: 'recipient' };
    await send(app, { to: 'mary@example.com', name: 'Mary' });
    const [job] = await platform.query<{ last_error: string }>('SELECT last_error FROM jobs');
    expect(job!.last_error).toContain('responseCode=451');
    expect(job!.last_error).not.toContain('example.com');
    server.refuse = null;
    platform.clock.advance(MINUTE);
    await app.get(JobRunner).drain();
    expect(server.received).toHaveLength(1);
  });

  it('have the same Message-ID on each attempt unless the content changes', async () => {
    const app = await start();
    server.refuse = { code: 451, when: 'after-data' };
    await send(app, { to: 'mary@example.com', name: 'Mary' }, { to: 'ali@example.com', name: 'Ali', fresh: true });
    server.refuse = null;
    platform.clock.advance(MINUTE);
    await app.get(JobRunner).drain();
    const ids = (to: string) =>
      server.received.filter((mail) => mail.recipients[0] === to).map((mail) => headerOf(mail, 'Message-ID'));
    const [one, again] = ids('mary@example.com');
    expect(one).toMatch(/^Message-ID: <[0-9a-f]{40}@zonary\.test>$/);
    expect(again).toBe(one);
    expect(new Set([one, ...ids('ali@example.com')]).size).toBe(3);
  });

  it('take no header or recipient from a name or address', async () => {
    const app = await start();
    const name = 'Mary\r\nBcc: eve@example.com\r\n\r\n<b>body</b>';
    await send(app, { to: 'mary@example.com', name });
    const [mail] = server.received as [Received];
    expect(mail.recipients).toEqual(['mary@example.com']);
    expect(headerOf(mail, 'Bcc')).toBeUndefined();
    expect(headerOf(mail, 'Subject')).toBe('Subject: Hello Mary Bcc: eve@example.com <b>body</b>');
    const bad = [
      'a@example.com, b@example.com',
      'a@example.com\r\nBcc: eve@example.com',
      'Eve <eve@example.com>',
      'nobody',
    ];
    for (const to of bad) {
      const { failures } = await send(app, { to, name: 'x' });
      expect(failures).toMatchObject([{ error: { message: expect.stringContaining('no single plain address') } }]);
    }
    expect(server.received).toHaveLength(1);
  });

  describe('without a mail server', () => {
    let url: string;
    let app: INestApplication;
    let cookie: string;

    beforeEach(async () => {
      app = await start({ APP_URL: 'http://localhost' });
      await app.listen(0, '127.0.0.1');
      url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
      const [given] = (await fetch(app.get(MailboxKey).mailboxUrl(url)!)).headers.getSetCookie();
      cookie = given!.split(';')[0]!;
    });

    const read = (path: string) => fetch(`${url}${path}`, { headers: { cookie } });
    const list = async () => (await (await read('/dev/mailbox.json')).json()) as Record<string, string>[];

    it('are stored in the mailbox, newest first, and can be read there', async () => {
      await send(app, { to: 'mary@example.com', name: '<i>Mary</i>' });
      await send(app, { to: 'ali@example.com', name: 'Ali', language: 'tr' });
      expect(server.received).toEqual([]);
      const [second, first] = await list();
      expect(first).toMatchObject({
        to: 'mary@example.com',
        from: 'Zonary <no-reply@localhost>',
        subject: 'Hello <i>Mary</i>',
      });
      expect(second).toMatchObject({ to: 'ali@example.com', text: expect.stringContaining('İyi günler.') });
      expect(Object.keys(first!).sort()).toEqual(['createdAt', 'from', 'html', 'id', 'subject', 'text', 'to']);
      expect(first!.html).toContain('<!DOCTYPE html>');

      const page = await (await read('/dev/mailbox')).text();
      expect(page.indexOf('ali@example.com')).toBeLessThan(page.indexOf('mary@example.com'));
      expect(page).toContain('Hello &lt;i&gt;Mary&lt;/i&gt;');
      const single = await (await read(`/dev/mailbox/${first!.id}`)).text();
      expect(single).toContain(`src="/dev/mailbox/${first!.id}/body"`);
      expect(single).not.toContain('<i>');
      const body = await read(`/dev/mailbox/${first!.id}/body`);
      expect(body.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(body.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups [^;]*; default-src 'none'/);
      expect(await body.text()).toContain('Good day.');
    });

    it('are not found under another ID or a path', async () => {
      await writeFile(join(platform.dataDir, 'other.json'), '{}');
      for (const id of ['nothing', '..%2Fother', '000000000000000-000000-00000000']) {
        expect((await read(`/dev/mailbox/${id}`)).status).toBe(404);
      }
    });

    it(`leave the mailbox when there are more than ${MAX_MESSAGES}`, async () => {
      const folder = join(platform.dataDir, 'mailbox');
      await mkdir(folder, { recursive: true });
      const name = (n: number) => `${String(n).padStart(15, '0')}-000000-00000000`;
      const old = JSON.stringify({ id: name(0) });
      for (let n = 0; n < MAX_MESSAGES; n++) await writeFile(join(folder, `${name(n)}.json`), old);
      await send(app, { to: 'mary@example.com', name: 'Mary' });
      const files = await readdir(folder);
      expect(files).toHaveLength(MAX_MESSAGES);
      expect(files).not.toContain(`${name(0)}.json`);
      expect((await list())[0]).toMatchObject({ to: 'mary@example.com' });
    });
  });

  it('wait instead of being sent without TLS where TLS is required', async () => {
    const app = await start({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_TLS: 'required' });
    const { failures } = await send(app, { to: 'mary@example.com', name: 'Mary' });
    expect(failures).toHaveLength(1);
    expect(server.received).toEqual([]);
  });

  it.each([
    ['smtp://mail.example.com:25', undefined, 'required'],
    ['smtps://mail.example.com:465', undefined, 'required'],
    ['smtp://localhost:25', undefined, 'optional'],
    ['smtp://[::1]:25', undefined, 'optional'],
    ['smtp://mail:1025', undefined, 'optional'],
    ['smtp://[2001:db8::1]:25', undefined, 'required'],
    ['smtp://3232235777:25', undefined, 'required'],
    ['smtp://mail.example.com:25', 'optional', 'optional'],
    ['smtp://127.0.0.1:25', 'required', 'required'],
    ['smtp://mail.example.com:25', 'off', 'off'],
  ])('use TLS as configured: %s with SMTP_TLS %s: %s', (SMTP_URL, SMTP_TLS, expected) => {
    const config = AppConfig.from({ APP_SECRET: 'a secret of these tests that is long enough', SMTP_URL, SMTP_TLS });
    expect(config.smtpTlsModeOf(SMTP_URL)).toBe(expected);
    const options = { required: { requireTLS: true }, optional: {}, off: { ignoreTLS: true } };
    const option = expected as keyof typeof options;
    expect(tlsOptions(option)).toEqual(options[option]);
  });

  it('are not kept in a mailbox when there is a mail server', async () => {
    const app = await start();
    await app.listen(0, '127.0.0.1');
    const { port: own } = app.getHttpServer().address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${own}/dev/mailbox`)).status).toBe(404);
  });
});
