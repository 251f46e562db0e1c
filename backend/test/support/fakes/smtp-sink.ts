import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { reservePort } from './reserve-port.js';

/** A received message. */
export interface SinkMessage {
  readonly to: string;
  readonly messageId: string;
  /** Time of receipt, in milliseconds since 1970. */
  readonly at: number;
  readonly raw: string;
  /** Names in lower case; folded lines are unfolded. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The reply: a code for RCPT TO or after DATA, or a cut connection. */
export type SinkReply =
  | 'take'
  | { readonly code: number; readonly when: 'recipient' | 'after-data'; readonly text?: string }
  | 'close-after-data'
  | 'take-and-close';

/** A mail server on loopback that accepts everything, or replies as the test says. */
export class SmtpSink {
  readonly messages: SinkMessage[] = [];
  /** Called for each recipient before the reply. */
  decideReply: (to: string, attempt: number) => SinkReply = () => 'take';
  /** Rejects before RCPT TO: in the greeting, at authentication, or at MAIL FROM. */
  sessionRejection: {
    readonly code: number;
    readonly text: string;
    readonly when: 'greeting' | 'password' | 'sender';
  } | null = null;
  /** Milliseconds before the greeting, and before each message is accepted. */
  greetingDelay = 0;
  acceptDelay = 0;
  /** Awaited before each message is accepted. */
  acceptGate: Promise<void> | null = null;
  connectionCount = 0;
  /** Envelope senders from MAIL FROM. */
  readonly envelopeSenders: string[] = [];
  /** Logins, with their passwords. */
  readonly logins: { readonly user: string; readonly password: string }[] = [];
  /** Messages that have arrived and aren't accepted yet. */
  pendingCount = 0;
  private readonly attempts = new Map<string, number>();
  private readonly openSockets = new Set<{ destroy(): void }>();
  private server: SMTPServer;

  /** @param supportsUtf8 whether it supports SMTPUTF8 */
  constructor(
    private readonly storesRaw = true,
    private readonly supportsUtf8 = true,
  ) {
    this.server = this.createServer();
  }

  static async listen(supportsUtf8 = true): Promise<SmtpSink> {
    const sink = new SmtpSink(true, supportsUtf8);
    await sink.start(await reservePort());
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  get openConnections(): number {
    return this.openSockets.size;
  }

  /** Recipients, once for each message received. */
  get recipients(): string[] {
    return this.messages.map(({ to }) => to);
  }

  messagesTo(email: string): SinkMessage[] {
    return this.messages.filter((mail) => mail.to === email);
  }

  start(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  /** Rejects new connections and cuts existing ones. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.openSockets) socket.destroy();
    await closed;
  }

  /** Listens again after `stop`, on the same port. */
  async restart(port: number): Promise<void> {
    this.server = this.createServer();
    await this.start(port);
  }

  private createServer(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      hideSMTPUTF8: !this.supportsUtf8,
      disableReverseLookup: true,
      closeTimeout: 50,
      onConnect: (_session, done) => {
        this.connectionCount += 1;
        if (this.greetingDelay > 0) setTimeout(() => done(), this.greetingDelay);
        else done(this.rejectionAt('greeting'));
      },
      onAuth: ({ username, password }, _session, done) => {
        this.logins.push({ user: username ?? '', password: password ?? '' });
        const rejection = this.rejectionAt('password');
        if (rejection) done(rejection);
        else done(null, { user: username ?? '' });
      },
      onMailFrom: ({ address }, _session, done) => {
        this.envelopeSenders.push(address);
        done(this.rejectionAt('sender'));
      },
      onRcptTo: ({ address }, _session, done) => {
        const attempt = (this.attempts.get(address) ?? 0) + 1;
        this.attempts.set(address, attempt);
        const reply = this.decideReply(address, attempt);
        done(typeof reply === 'object' && reply.when === 'recipient' ? createRejection(reply, address) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.acceptGate) void this.acceptAfterGate(this.acceptGate, chunks, session, done);
          else if (this.acceptDelay > 0) this.acceptAfterDelay(chunks, session, done);
          else this.acceptMessage(chunks, session, done);
        });
      },
    });
    server.on('error', () => undefined);
    server.server.on('connection', (socket) => {
      this.openSockets.add(socket);
      socket.on('close', () => this.openSockets.delete(socket));
      socket.on('error', () => undefined);
    });
    return server;
  }

  private rejectionAt(when: 'greeting' | 'password' | 'sender'): Error | null {
    return this.sessionRejection?.when === when ? createRejection(this.sessionRejection, 'sender') : null;
  }

  private acceptAfterDelay(chunks: Buffer[], session: SMTPServerSession, done: (error?: Error | null) => void): void {
    this.pendingCount += 1;
    setTimeout(() => {
      this.pendingCount -= 1;
      this.acceptMessage(chunks, session, done);
    }, this.acceptDelay);
  }

  private async acceptAfterGate(
    gate: Promise<void>,
    chunks: Buffer[],
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    this.pendingCount += 1;
    await gate;
    this.pendingCount -= 1;
    this.acceptMessage(chunks, session, done);
  }

  private acceptMessage(chunks: Buffer[], session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const to = session.envelope.rcptTo[0]!.address;
    const reply = this.decideReply(to, this.attempts.get(to) ?? 1);
    if (reply === 'close-after-data') return this.dropConnection(session);
    if (typeof reply === 'object' && reply.when === 'after-data') return done(createRejection(reply, to));
    this.messages.push(this.parseMessage(to, Buffer.concat(chunks).toString('utf8')));
    if (reply === 'take-and-close') return this.dropConnection(session);
    done();
  }

  private dropConnection({ remotePort }: SMTPServerSession): void {
    for (const socket of this.openSockets) {
      if ((socket as unknown as { remotePort: number }).remotePort === remotePort) socket.destroy();
    }
  }

  private parseMessage(to: string, raw: string): SinkMessage {
    const headerBlock = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    const headers = new Map(
      headerBlock
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    return { to, at: Date.now(), headers, messageId: headers.get('message-id') ?? '', raw: this.storesRaw ? raw : '' };
  }
}

function createRejection({ code: responseCode, text }: { code: number; text?: string }, address: string): Error {
  return Object.assign(new Error(text ?? `<${address}> is refused`), { responseCode });
}
