import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MAX_CLOCK_SKEW, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { FileAccessService } from '../access/file-access.service.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import type { FileAddressDto } from '../dto/file.dto.js';
import { fileErrors } from '../files.errors.js';

/** How long an address of a file lives, ours or the storage's. */
export const SIGNED_URL_LIFETIME = 5 * MINUTE;

/** How long one lives at which a file is shown: a film is asked for again and again while somebody watches it. */
const VIEW_LIFETIME = 60 * MINUTE;

/**
 * Addresses of files that need no session. They are signed and not stored. The signature stands in for the session
 * only: whoever was given the address must still be able to read the file when it is used.
 */
@Injectable()
export class SignedUrlService {
  private readonly key: DerivedKey;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly access: FileAccessService,
  ) {
    this.key = config.keys.forPurpose('file-address');
  }

  /** Gives an address to somebody who may download, or look at, the file. */
  createUrl(fileId: number, userId: number, kind: ViewingKind): FileAddressDto {
    const expiresAt = addMilliseconds(this.clock.now(), lifetimeOf(kind));
    const token = `${userId}.${expiresAt.getTime()}${kind === 'view' ? 'v' : ''}`;
    const origin = this.config.contentUrl ?? this.config.appUrl;
    return {
      url: `${origin}/api/files/${fileId}/content?token=${token}.${this.key.digest(String(fileId), token)}`,
      expiresAt,
    };
  }

  /** Where contents have an origin of their own: the address there; otherwise null. */
  createContentOriginUrl(fileId: number, userId: number, kind: ViewingKind): string | null {
    return this.config.contentUrl === null ? null : this.createUrl(fileId, userId, kind).url;
  }

  /**
   * Finds the file of an address, and to whom and for what it was given. How long one lives is decided here too, not by
   * the address alone: one that says it lives for longer than we ever give was not made by us, even if it is signed.
   * @throws ADDRESS_EXPIRED also when it was never ours; FILE_NOT_FOUND when its reader no longer reaches the file
   */
  async verifyUrl(fileId: number, address: string) {
    const [, token, userId, expires, view, signature] =
      /^((\d{1,16})\.(\d{1,16})(v?))\.([0-9a-f]{64})$/.exec(address) ?? [];
    const isAuthentic = token && signature && this.key.matches(signature, String(fileId), token);
    const kind: ViewingKind = view ? 'view' : 'download';
    const remaining = Number(expires) - this.clock.now().getTime();
    if (!isAuthentic || remaining <= 0 || remaining > lifetimeOf(kind) + MAX_CLOCK_SKEW)
      throw fileErrors.ADDRESS_EXPIRED();
    const file = await this.access.findFile(fileId, Number(userId));
    if (!file) throw fileErrors.FILE_NOT_FOUND();
    return { file, userId: Number(userId), kind };
  }
}

const lifetimeOf = (kind: ViewingKind): number => (kind === 'view' ? VIEW_LIFETIME : SIGNED_URL_LIFETIME);
