import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedEmail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

/** How long an email may take to arrive, and how often it is looked for, in milliseconds. */
const TIMEOUT = 30_000;
const POLL_INTERVAL = 50;

/** The emails of all mailboxes by file, because they don't change. */
const emailCache = new Map<string, ReceivedEmail>();

/** The data folder of the product at `E2E_BASE_URL`. */
function getDataDir(): string {
  const dataDir = process.env.E2E_DATA_DIR;
  if (!dataDir) throw new Error('E2E_DATA_DIR must name the data folder of the product at E2E_BASE_URL.');
  return dataDir;
}

/**
 * The development mailbox of a running product. Its files are read instead of `/dev/mailbox.json`, which returns up to
 * 500 emails: that takes the product a tenth of a second of CPU time, several times for each expected email.
 */
export class Mailbox {
  /** @param readDataDir returns the product's data folder, if it isn't the shared product */
  constructor(private readonly readDataDir = getDataDir) {}

  /** Returns all emails to an address, newest first. */
  listEmails(address: string): ReceivedEmail[] {
    const folder = join(this.readDataDir(), 'mailbox');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name)) : [];
    const emails = names
      .sort()
      .reverse()
      .map((name) => readEmail(join(folder, name)));
    return emails.filter((email) => email !== null && email.to.includes(address)) as ReceivedEmail[];
  }

  /** Waits until at least `minCount` emails have arrived at the address, and returns the newest. */
  async waitForEmail(address: string, minCount = 1): Promise<ReceivedEmail> {
    const find = () => {
      const emails = this.listEmails(address);
      return emails.length >= minCount ? emails[0] : undefined;
    };
    return poll(find, () => `${address} has received fewer than ${minCount} emails.`);
  }

  /** Waits for an email with this subject; others may arrive before and after it, in any order. */
  async waitForSubject(address: string, subject: string): Promise<ReceivedEmail> {
    return poll(
      () => this.listEmails(address).find((email) => email.subject === subject),
      () =>
        `${address} has received no email “${subject}”, only: ${this.listEmails(address).map((email) => email.subject)}`,
    );
  }

  /** Returns the 6-digit code in the newest email to the address. */
  async waitForCode(address: string, minCount = 1): Promise<string> {
    const email = await this.waitForEmail(address, minCount);
    return extractFromText(email, /\b(\d{6})\b/);
  }

  /** Returns the link to one of our pages, such as `/verify-email`, in the newest email to the address. */
  async waitForLink(address: string, path: string, minCount = 1): Promise<string> {
    const email = await this.waitForEmail(address, minCount);
    return extractFromText(email, new RegExp(`(https?://\\S+${path}\\?\\S+)`));
  }
}

/** @throws an error with the description after `TIMEOUT` */
async function poll(find: () => ReceivedEmail | undefined, describeFailure: () => string): Promise<ReceivedEmail> {
  for (const deadline = Date.now() + TIMEOUT; Date.now() < deadline;) {
    const email = find();
    if (email) return email;
    await sleep(POLL_INTERVAL);
  }
  throw new Error(describeFailure());
}

/** Returns null if the product has deleted the file, as one of the oldest. */
function readEmail(path: string): ReceivedEmail | null {
  const cached = emailCache.get(path);
  if (cached) return cached;
  try {
    const email = JSON.parse(readFileSync(path, 'utf8')) as ReceivedEmail;
    emailCache.set(path, email);
    return email;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function extractFromText(email: ReceivedEmail, pattern: RegExp): string {
  const match = pattern.exec(email.text)?.[1];
  if (!match) throw new Error(`“${email.subject}” has nothing like ${pattern}:\n${email.text}`);
  return match;
}
