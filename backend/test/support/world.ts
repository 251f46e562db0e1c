import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { PasswordHashCost } from '../../src/modules/auth/passwords/password-hash.service.js';
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

/** URL of running processes to test instead of an application in this process. */
export const baseUrl = process.env.E2E_BASE_URL?.replace(/\/$/, '');

/** For suites that change the clock, the configuration or rows: skipped against running processes. */
export const describeInProcess = baseUrl ? describe.skip : describe;

/** Their mailbox key, from the data folder in `E2E_DATA_DIR`. */
const readMailboxKey = () => readFileSync(join(process.env.E2E_DATA_DIR!, 'mailbox-key'), 'utf8').trim();

/** How long running processes may take to send an email, in milliseconds. */
const EMAIL_TIMEOUT = 20_000;
/** How long to wait for an email newer than the last one returned, in milliseconds. */
const NEWER_EMAIL_WAIT = 3000;

/** The product under test over HTTP and email, in this process or elsewhere. */
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
    if (!this.localApp) throw new Error('This suite needs the application in this process: use describeInProcess.');
    return this.localApp;
  }

  /** The application's time in milliseconds since 1970: the test's clock in-process, else the host's. */
  now(): number {
    return this.localApp?.clock.now().getTime() ?? Date.now();
  }

  /** Lets passwords be hashed as in production, for suites that compare response times; running processes always do. */
  usePasswordHashCostOfProduction(): void {
    if (this.localApp) Object.assign(this.localApp.app.get(PasswordHashCost), new PasswordHashCost());
  }

  /** A separate browser: keeps cookies and sends the headers of our pages. */
  createClient(): Client {
    const agent = supertest.agent(this.url);
    agent.set('Sec-Fetch-Site', 'same-origin');
    return agent;
  }

  /**
   * Waits for the newest matching email to an address.
   * @throws Error if none arrives
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

  /** Returns all emails to an address, newest first. */
  async listEmails(to: string): Promise<ReceivedEmail[]> {
    if (this.localApp) return this.listStoredEmails(this.localApp, to);
    const { body } = await supertest(this.url).get(`/dev/mailbox.json?key=${readMailboxKey()}`).expect(200);
    return (body as ReceivedEmail[]).filter((mail) => mail.to.includes(to));
  }

  /** The same without HTTP; each email is parsed once, because they don't change. */
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
