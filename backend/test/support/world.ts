import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { Mailbox } from '../../src/platform/email/mailbox/mailbox.js';
import { createTestApp, type TestApp } from './test-app.js';

export interface ReceivedEmail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type Client = ReturnType<typeof supertest.agent>;

/** Running processes to test instead of an application in this process. */
export const baseUrl = process.env.E2E_BASE_URL?.replace(/\/$/, '');

/** For suites that set the clock, the configuration or rows: left out against running processes. */
export const describeInProcess = baseUrl ? describe.skip : describe;

/** The key of their mailbox, from the data folder that `E2E_DATA_DIR` names. */
const readMailboxKey = () => readFileSync(join(process.env.E2E_DATA_DIR!, 'mailbox-key'), 'utf8').trim();

/** How long running processes get to send a mail, in milliseconds. */
const EMAIL_TIMEOUT = 20_000;
/** How long a mail newer than the one given last is waited for, in milliseconds. */
const NEWER_EMAIL_WAIT = 3000;

/** The product as a suite meets it: over HTTP and by mail, in this process or elsewhere. */
export class World {
  private readonly returnedIds = new Set<string>();

  private readonly emailCache = new Map<string, ReceivedEmail | null>();

  private constructor(
    readonly url: string,
    private readonly localApp: TestApp | null,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<World> {
    if (baseUrl) return new World(baseUrl, null);
    const app = await createTestApp(env);
    return new World(app.url, app);
  }

  /** The application in this process, for suites under `describeInProcess`. */
  get testApp(): TestApp {
    if (!this.localApp) throw new Error('This suite needs the application in its own process: use describeInProcess.');
    return this.localApp;
  }

  /** Milliseconds since 1970 by the clock of the application: a test moves its own, and elsewhere it is that of the host. */
  now(): number {
    return this.localApp?.clock.now().getTime() ?? Date.now();
  }

  /** A browser of its own: keeps cookies, and sends what a page of ours would send. */
  createClient(): Client {
    const agent = supertest.agent(this.url);
    agent.set('Sec-Fetch-Site', 'same-origin');
    return agent;
  }

  /**
   * The newest mail to an address that fits, once it has been sent.
   * @throws Error when none comes
   */
  async waitForEmail(to: string, matches: (mail: ReceivedEmail) => boolean = () => true): Promise<ReceivedEmail> {
    const startedAt = Date.now();
    const deadline = startedAt + EMAIL_TIMEOUT;
    for (;;) {
      await this.localApp?.drain();
      const email = (await this.listEmails(to)).find(matches);
      const wasReturned = email && this.returnedIds.has(email.id);
      if (email && (this.localApp || !wasReturned || Date.now() > startedAt + NEWER_EMAIL_WAIT)) {
        this.returnedIds.add(email.id);
        return email;
      }
      if (this.localApp || Date.now() > deadline) throw new Error(`No such mail to ${to}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** All mails to an address, the newest first. */
  async listEmails(to: string): Promise<ReceivedEmail[]> {
    if (this.localApp) return this.listStoredEmails(this.localApp, to);
    const { body } = await supertest(this.url).get(`/dev/mailbox.json?key=${readMailboxKey()}`).expect(200);
    return (body as ReceivedEmail[]).filter((mail) => mail.to.includes(to));
  }

  /** The same without HTTP: each mail is read once, for they do not change. */
  private async listStoredEmails({ app, config }: TestApp, to: string): Promise<ReceivedEmail[]> {
    const folder = join(config.dataDir, 'mailbox');
    const names = existsSync(folder) ? await readdir(folder) : [];
    const ids = names.flatMap((name) => /^(\d.*)\.json$/.exec(name)?.[1] ?? []).sort();
    for (const id of ids) if (!this.emailCache.has(id)) this.emailCache.set(id, await app.get(Mailbox).find(id));
    const emails = ids.reverse().map((id) => this.emailCache.get(id));
    return emails.filter((mail) => mail != null && mail.to.includes(to)) as ReceivedEmail[];
  }

  async close(): Promise<void> {
    await this.localApp?.close();
  }
}
