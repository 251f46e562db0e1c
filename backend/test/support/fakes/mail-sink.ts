import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { ownPort } from './own-port.js';

/** A mail as the sink took it. */
export interface SunkMail {
  readonly to: string;
  readonly messageId: string;
  /** When it was taken, in milliseconds. */
  readonly at: number;
  readonly raw: string;
  /** Lower-case names; folded lines are one. */
  readonly headers: ReadonlyMap<string, string>;
}

/** How the sink answers: a code for the recipient or after the data, or a cut connection instead of an answer. */
export type SinkAnswer =
  | 'take'
  | { readonly code: number; readonly when: 'recipient' | 'after-data'; readonly text?: string }
  | 'close-after-data'
  | 'take-and-close';

/** A mail server on loopback that takes everything, or what the test says. */
export class MailSink {
  readonly mails: SunkMail[] = [];
  /** Called for each recipient before the answer. */
  answer: (to: string, tries: number) => SinkAnswer = () => 'take';
  /** How it answers before it is asked about a recipient: as its greeting, to the password, to MAIL FROM. */
  refuses: { readonly code: number; readonly text: string; readonly when: 'greeting' | 'password' | 'sender' } | null =
    null;
  /** Milliseconds before the greeting, and before each mail is acknowledged. */
  greetAfter = 0;
  takeAfter = 0;
  /** What each mail waits for before it is acknowledged. */
  hold: Promise<void> | null = null;
  connections = 0;
  /** Senders of envelopes, as MAIL FROM named them. */
  readonly senders: string[] = [];
  /** Who signed in, with which password. */
  readonly signIns: { readonly user: string; readonly password: string }[] = [];
  /** Mails that have arrived and wait for their acknowledgement. */
  waiting = 0;
  private readonly tries = new Map<string, number>();
  private readonly open = new Set<{ destroy(): void }>();
  private server: SMTPServer;

  /** @param takesUtf8 whether it supports SMTPUTF8 */
  constructor(
    private readonly keepRaw = true,
    private readonly takesUtf8 = true,
  ) {
    this.server = this.create();
  }

  static async listen(takesUtf8 = true): Promise<MailSink> {
    const sink = new MailSink(true, takesUtf8);
    await sink.start(await ownPort());
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.open.size;
  }

  /** Those who got it, each as often as they did. */
  get recipients(): string[] {
    return this.mails.map(({ to }) => to);
  }

  to(email: string): SunkMail[] {
    return this.mails.filter((mail) => mail.to === email);
  }

  start(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  /** Refuses connections from now on and cuts those there are. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.open) socket.destroy();
    await closed;
  }

  /** Listens again after `stop`, on the same port. */
  async restart(port: number): Promise<void> {
    this.server = this.create();
    await this.start(port);
  }

  private create(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      hideSMTPUTF8: !this.takesUtf8,
      disableReverseLookup: true,
      closeTimeout: 50,
      onConnect: (_session, done) => {
        this.connections += 1;
        if (this.greetAfter > 0) setTimeout(() => done(), this.greetAfter);
        else done(this.refusalWhen('greeting'));
      },
      onAuth: ({ username, password }, _session, done) => {
        this.signIns.push({ user: username ?? '', password: password ?? '' });
        const refused = this.refusalWhen('password');
        if (refused) done(refused);
        else done(null, { user: username ?? '' });
      },
      onMailFrom: ({ address }, _session, done) => {
        this.senders.push(address);
        done(this.refusalWhen('sender'));
      },
      onRcptTo: ({ address }, _session, done) => {
        const tries = (this.tries.get(address) ?? 0) + 1;
        this.tries.set(address, tries);
        const answer = this.answer(address, tries);
        done(typeof answer === 'object' && answer.when === 'recipient' ? refusal(answer, address) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.hold) void this.takeOnce(this.hold, chunks, session, done);
          else if (this.takeAfter > 0) this.takeLater(chunks, session, done);
          else this.take(chunks, session, done);
        });
      },
    });
    server.on('error', () => undefined);
    server.server.on('connection', (socket) => {
      this.open.add(socket);
      socket.on('close', () => this.open.delete(socket));
      socket.on('error', () => undefined);
    });
    return server;
  }

  private refusalWhen(when: 'greeting' | 'password' | 'sender'): Error | null {
    return this.refuses?.when === when ? refusal(this.refuses, 'sender') : null;
  }

  private takeLater(chunks: Buffer[], session: SMTPServerSession, done: (error?: Error | null) => void): void {
    this.waiting += 1;
    setTimeout(() => {
      this.waiting -= 1;
      this.take(chunks, session, done);
    }, this.takeAfter);
  }

  private async takeOnce(
    hold: Promise<void>,
    chunks: Buffer[],
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    this.waiting += 1;
    await hold;
    this.waiting -= 1;
    this.take(chunks, session, done);
  }

  private take(chunks: Buffer[], session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const to = session.envelope.rcptTo[0]!.address;
    const answer = this.answer(to, this.tries.get(to) ?? 1);
    if (answer === 'close-after-data') return this.cut(session);
    if (typeof answer === 'object' && answer.when === 'after-data') return done(refusal(answer, to));
    this.mails.push(this.read(to, Buffer.concat(chunks).toString('utf8')));
    if (answer === 'take-and-close') return this.cut(session);
    done();
  }

  private cut({ remotePort }: SMTPServerSession): void {
    for (const socket of this.open) {
      if ((socket as unknown as { remotePort: number }).remotePort === remotePort) socket.destroy();
    }
  }

  private read(to: string, raw: string): SunkMail {
    const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    const headers = new Map(
      head
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    return { to, at: Date.now(), headers, messageId: headers.get('message-id') ?? '', raw: this.keepRaw ? raw : '' };
  }
}

function refusal({ code: responseCode, text }: { code: number; text?: string }, address: string): Error {
  return Object.assign(new Error(text ?? `<${address}> is refused`), { responseCode });
}
