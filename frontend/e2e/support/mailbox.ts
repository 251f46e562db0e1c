import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type APIRequestContext } from '@playwright/test';

export interface ReceivedEmail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

/** Path of the running product's mailbox, with the key from its data folder. */
export function mailboxPath(): string {
  const dataDir = process.env.E2E_DATA_DIR;
  if (!dataDir) throw new Error('E2E_DATA_DIR must name the data folder of the product at E2E_BASE_URL.');
  return `/dev/mailbox.json?key=${readFileSync(join(dataDir, 'mailbox-key'), 'utf8').trim()}`;
}

/** The development mailbox of the running product. */
export class Mailbox {
  /** @param path where the product shows it, if it isn't the shared one */
  constructor(
    private readonly request: APIRequestContext,
    private readonly path: () => string = mailboxPath,
  ) {}

  /** Returns all emails to an address, newest first. */
  async listEmails(address: string): Promise<ReceivedEmail[]> {
    const response = await this.request.get(this.path());
    expect(response.ok(), 'the development mailbox answers').toBe(true);
    const emails = (await response.json()) as ReceivedEmail[];
    return emails.filter((mail) => mail.to.includes(address));
  }

  /** Waits until at least `minCount` emails have arrived at the address, and returns the newest. */
  async waitForEmail(address: string, minCount = 1): Promise<ReceivedEmail> {
    await expect
      .poll(async () => (await this.listEmails(address)).length, { message: `a mail to ${address}`, timeout: 20_000 })
      .toBeGreaterThanOrEqual(minCount);
    return (await this.listEmails(address))[0]!;
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

function extractFromText(email: ReceivedEmail, pattern: RegExp): string {
  const match = pattern.exec(email.text)?.[1];
  if (!match) throw new Error(`“${email.subject}” has nothing like ${pattern}:\n${email.text}`);
  return match;
}
