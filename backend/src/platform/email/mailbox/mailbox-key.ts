import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { readOrCreateSecrets } from '../../config/app-secret.js';
import { digestOf, areDigestsEqual } from '../../security/secrets.js';

/** Name of the key's file in the data folder. */
const KEY_FILE = 'mailbox-key';

/**
 * Key of the development mailbox: random and stored in the data folder, so that the URL stays the same after a restart.
 * There is no mailbox if a mail server is configured or the app has a public address.
 */
@Injectable()
export class MailboxKey {
  private key: string | undefined;

  constructor(private readonly config: AppConfig) {}

  /**
   * Returns the URL of the mailbox, for a browser on this machine.
   * @param url public URL of the app, without a trailing slash
   * @returns null when there is no mailbox
   */
  mailboxUrl(url: string): string | null {
    return this.config.showsMailbox ? `${url}/dev/mailbox?key=${this.read()}` : null;
  }

  /** Whether a presented value is the key; always false without a mailbox. Compares in constant time. */
  isValid(presentedKey: unknown): boolean {
    if (!this.config.showsMailbox || typeof presentedKey !== 'string') return false;
    return areDigestsEqual(digestOf(presentedKey), digestOf(this.read()));
  }

  private read(): string {
    this.key ??= readOrCreateSecrets(this.config.dataDir, KEY_FILE)[0]!;
    return this.key;
  }
}
