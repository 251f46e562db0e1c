import { Injectable } from '@nestjs/common';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { keyedDigest, sameDigest } from '../../platform/security/secrets.js';
import { FileAccessService, type ViewedFile } from './file-access.service.js';
import type { ViewingKind } from '../activity/entities/viewing.entity.js';
import { fileErrors } from './files.errors.js';

/** How long an address of a file lives, ours or the storage's. */
export const ADDRESS_LIFETIME = 5 * MINUTE;

/** How long one lives at which a file is shown: a film is asked for again and again while somebody watches it. */
const VIEW_LIFETIME = 60 * MINUTE;

export interface FileAddress {
  readonly url: string;
  readonly expiresAt: Date;
}

/** What an address leads to. */
export interface AddressedFile {
  readonly file: ViewedFile;
  /** To whom the address was given. */
  readonly userId: number;
  readonly kind: ViewingKind;
}

/**
 * Addresses of files that need no session. They are signed and not stored. The signature stands in for the session
 * only: whoever was given the address must still be able to read the file when it is used.
 */
@Injectable()
export class FileAddresses {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly access: FileAccessService,
  ) {}

  /** Gives an address to somebody who may download, or look at, the file. */
  issue(fileId: number, userId: number, kind: ViewingKind): FileAddress {
    const expiresAt = after(this.clock.now(), kind === 'view' ? VIEW_LIFETIME : ADDRESS_LIFETIME);
    const token = `${userId}.${expiresAt.getTime()}${kind === 'view' ? 'v' : ''}`;
    const origin = this.config.contentUrl ?? this.config.appUrl;
    return { url: `${origin}/api/files/${fileId}/content?token=${token}.${this.sign(fileId, token)}`, expiresAt };
  }

  /** Where contents have an origin of their own: the address there; otherwise null. */
  elsewhere(fileId: number, userId: number, kind: ViewingKind): string | null {
    return this.config.contentUrl === null ? null : this.issue(fileId, userId, kind).url;
  }

  /**
   * Finds the file of an address.
   * @throws ADDRESS_EXPIRED also when it was never ours; FILE_NOT_FOUND when its reader no longer reaches the file
   */
  async open(fileId: number, address: string): Promise<AddressedFile> {
    const [, token, userId, expires, view, signature] =
      /^((\d{1,16})\.(\d{1,16})(v?))\.([0-9a-f]{64})$/.exec(address) ?? [];
    const ours = token && signature && sameDigest(signature, this.sign(fileId, token));
    if (!ours || Number(expires) <= this.clock.now().getTime()) throw fileErrors.ADDRESS_EXPIRED();
    const file = await this.access.findFile(fileId, Number(userId));
    if (!file) throw fileErrors.FILE_NOT_FOUND();
    return { file, userId: Number(userId), kind: view ? 'view' : 'download' };
  }

  private sign(fileId: number, token: string): string {
    return keyedDigest(this.config.appSecret, 'file-address', String(fileId), token);
  }
}
