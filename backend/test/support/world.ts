import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { Mailbox } from '../../src/platform/email/mailbox/mailbox.js';
import { createTestApp, type TestApp } from './test-app.js';

export interface Mail {
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
const mailboxKey = () => readFileSync(join(process.env.E2E_DATA_DIR!, 'mailbox-key'), 'utf8').trim();

/** How long running processes get to send a mail, in milliseconds. */
const PATIENCE = 20_000;
/** How long a mail newer than the one given last is waited for, in milliseconds. */
const NEWER = 3000;

/** The product as a suite meets it: over HTTP and by mail, in this process or elsewhere. */
export class World {
  private readonly given = new Set<string>();

  private readonly seen = new Map<string, Mail | null>();

  private constructor(
    readonly url: string,
    private readonly local: TestApp | null,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<World> {
    if (baseUrl) return new World(baseUrl, null);
    const local = await createTestApp(env);
    return new World(local.url, local);
  }

  /** The application in this process, for suites under `describeInProcess`. */
  get inside(): TestApp {
    if (!this.local) throw new Error('This suite needs the application in its own process: use describeInProcess.');
    return this.local;
  }

  /** Milliseconds since 1970 by the clock of the application: a test moves its own, and elsewhere it is that of the host. */
  now(): number {
    return this.local?.clock.now().getTime() ?? Date.now();
  }

  /** A browser of its own: keeps cookies, and sends what a page of ours would send. */
  client(): Client {
    const agent = supertest.agent(this.url);
    agent.set('Sec-Fetch-Site', 'same-origin');
    return agent;
  }

  /**
   * The newest mail to an address that fits, once it has been sent.
   * @throws Error when none comes
   */
  async mailTo(to: string, fits: (mail: Mail) => boolean = () => true): Promise<Mail> {
    const begun = Date.now();
    const deadline = begun + PATIENCE;
    for (;;) {
      await this.local?.drain();
      const found = (await this.mails(to)).find(fits);
      const seen = found && this.given.has(found.id);
      if (found && (this.local || !seen || Date.now() > begun + NEWER)) {
        this.given.add(found.id);
        return found;
      }
      if (this.local || Date.now() > deadline) throw new Error(`No such mail to ${to}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** All mails to an address, the newest first. */
  async mails(to: string): Promise<Mail[]> {
    if (this.local) return this.kept(this.local, to);
    const { body } = await supertest(this.url).get(`/dev/mailbox.json?key=${mailboxKey()}`).expect(200);
    return (body as Mail[]).filter((mail) => mail.to.includes(to));
  }

  /** The same without HTTP: each mail is read once, for they do not change. */
  private async kept({ app, config }: TestApp, to: string): Promise<Mail[]> {
    const folder = join(config.dataDir, 'mailbox');
    const names = existsSync(folder) ? await readdir(folder) : [];
    const ids = names.flatMap((name) => /^(\d.*)\.json$/.exec(name)?.[1] ?? []).sort();
    for (const id of ids) if (!this.seen.has(id)) this.seen.set(id, await app.get(Mailbox).find(id));
    const mails = ids.reverse().map((id) => this.seen.get(id));
    return mails.filter((mail) => mail != null && mail.to.includes(to)) as Mail[];
  }

  async close(): Promise<void> {
    await this.local?.close();
  }
}
