import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { ensureDataFolder } from '../../config/data-folder.js';
import type { SendMailOptions, Transport } from 'nodemailer';

/** Maximum number of messages; the oldest are deleted first. */
export const MAX_MESSAGES = 500;

const MESSAGE_FILE = /^(\d{15}-\d{6}-[0-9a-f]{8})\.json$/;

export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly createdAt: string;
}

/** Stores emails while no mail server is configured: one JSON file per email, named so that files sort by time. */
@Injectable()
export class Mailbox {
  private readonly folder: string;
  private count = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.folder = join(config.dataDir, 'mailbox');
  }

  /** Stores a message atomically, so that a partial file is never read. */
  async add(message: Omit<MailboxMessage, 'id' | 'createdAt'>): Promise<MailboxMessage> {
    const now = this.clock.now();
    const time = String(now.getTime()).padStart(15, '0');
    const sequence = String(this.count++ % 1_000_000).padStart(6, '0');
    const id = `${time}-${sequence}-${randomBytes(4).toString('hex')}`;
    const stored = { id, ...message, createdAt: now.toISOString() };
    ensureDataFolder(this.config.dataDir);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = join(this.folder, `.${id}.tmp`);
    await writeFile(draft, JSON.stringify(stored), { mode: 0o600 });
    await rename(draft, join(this.folder, `${id}.json`));
    await this.prune();
    return stored;
  }

  /** Returns all messages, newest first. */
  async list(): Promise<MailboxMessage[]> {
    const messages = await Promise.all((await this.ids()).map((id) => this.find(id)));
    return messages.filter((message) => message !== null);
  }

  /** Returns a message, or null when there is none with this id. */
  async find(id: string): Promise<MailboxMessage | null> {
    if (!MESSAGE_FILE.test(`${id}.json`)) return null;
    try {
      return JSON.parse(await readFile(join(this.folder, `${id}.json`), 'utf8')) as MailboxMessage;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = names.flatMap((name) => MESSAGE_FILE.exec(name)?.[1] ?? []);
    return ids.sort().reverse();
  }

  private async prune(): Promise<void> {
    const old = (await this.ids()).slice(MAX_MESSAGES);
    await Promise.all(old.map((id) => rm(join(this.folder, `${id}.json`), { force: true })));
  }
}

interface SentInfo {
  readonly messageId: string;
}

/** Creates a mailer transport that delivers to the development mailbox. */
export function createMailboxTransport(mailbox: Mailbox): Transport<SentInfo> {
  return {
    name: 'mailbox',
    version: '1',
    send({ message, data }, done) {
      const { from, to } = message.getEnvelope();
      const { subject = '', text, html } = data;
      mailbox
        .add({
          to: to.join(', '),
          from: senderOf(data.from) || String(from),
          subject,
          text: String(text),
          html: String(html),
        })
        .then(
          () => done(null, { messageId: message.messageId() }),
          (error: Error) => done(error, { messageId: '' }),
        );
    },
  };
}

/** Formats the sender; empty when there are several, which the envelope lists. */
function senderOf(from: SendMailOptions['from']): string {
  if (!from || Array.isArray(from)) return '';
  return typeof from === 'string' ? from : `${from.name} <${from.address}>`;
}
