import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { readOrCreateSecrets } from '../../config/app-secret.js';
import { digestOf, areDigestsEqual } from '../../security/secrets.js';

/** The key's file in the data folder. */
const KEY_FILE = 'mailbox-key';

/**
 * What opens the development mailbox: a random key kept in the data folder, so that its address is the same after every
 * start. There is none where mails go to a server, and none where the product has a public address.
 */
@Injectable()
export class MailboxKey {
  private key: string | undefined;

  constructor(private readonly config: AppConfig) {}

  /**
   * Where a person at this machine reads the mails.
   * @param url of the product, without a slash at its end
   * @returns null where there is no mailbox
   */
  mailboxUrl(url: string): string | null {
    return this.config.showsMailbox ? `${url}/dev/mailbox?key=${this.read()}` : null;
  }

  /** Whether what somebody brought is the key; never where there is no mailbox. Compares in constant time. */
  isValid(presentedKey: unknown): boolean {
    if (!this.config.showsMailbox || typeof presentedKey !== 'string') return false;
    return areDigestsEqual(digestOf(presentedKey), digestOf(this.read()));
  }

  private read(): string {
    this.key ??= readOrCreateSecrets(this.config.dataDir, KEY_FILE)[0]!;
    return this.key;
  }
}
