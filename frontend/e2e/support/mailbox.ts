import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type APIRequestContext } from '@playwright/test';

export interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

/** Where the running product shows its mails, with the key from its data folder. */
export function mailboxPath(): string {
  const folder = process.env.E2E_DATA_DIR;
  if (!folder) throw new Error('E2E_DATA_DIR must name the data folder of the product at E2E_BASE_URL.');
  return `/dev/mailbox.json?key=${readFileSync(join(folder, 'mailbox-key'), 'utf8').trim()}`;
}

/** The development mailbox of the running product. */
export class Mailbox {
  /** @param path where the product shows it, when it is not the one that all journeys share */
  constructor(
    private readonly request: APIRequestContext,
    private readonly path: () => string = mailboxPath,
  ) {}

  /** All mails to an address, newest first. */
  async to(address: string): Promise<Mail[]> {
    const answer = await this.request.get(this.path());
    expect(answer.ok(), 'the development mailbox answers').toBe(true);
    const mails = (await answer.json()) as Mail[];
    return mails.filter((mail) => mail.to.includes(address));
  }

  /** Waits until `count` mails have come to the address, and gives the newest. */
  async newest(address: string, count = 1): Promise<Mail> {
    await expect
      .poll(async () => (await this.to(address)).length, { message: `a mail to ${address}`, timeout: 20_000 })
      .toBeGreaterThanOrEqual(count);
    return (await this.to(address))[0]!;
  }

  /** The 6-digit code of the newest mail to the address. */
  async code(address: string, count = 1): Promise<string> {
    const mail = await this.newest(address, count);
    return find(mail, /\b(\d{6})\b/);
  }

  /** The link in the newest mail to the address that leads to a page of ours, such as `/verify-email`. */
  async link(address: string, page: string, count = 1): Promise<string> {
    const mail = await this.newest(address, count);
    return find(mail, new RegExp(`(https?://\\S+${page}\\?\\S+)`));
  }
}

function find(mail: Mail, pattern: RegExp): string {
  const found = pattern.exec(mail.text)?.[1];
  if (!found) throw new Error(`“${mail.subject}” has nothing like ${pattern}:\n${mail.text}`);
  return found;
}
