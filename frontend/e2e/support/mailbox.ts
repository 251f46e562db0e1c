import { expect, type APIRequestContext } from '@playwright/test';

export interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: string;
}

/** The development mailbox of the running product. */
export class Mailbox {
  constructor(private readonly request: APIRequestContext) {}

  /** All mails to an address, newest first. */
  async to(address: string): Promise<Mail[]> {
    const answer = await this.request.get('/dev/mailbox.json');
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
