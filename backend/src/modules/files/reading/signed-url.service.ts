import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MAX_CLOCK_SKEW, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { FileAccessService } from '../access/file-access.service.js';
import { fileAbilities } from '../access/file.policy.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import type { FileAddressDto } from '../dto/file.dto.js';
import { fileErrors } from '../files.errors.js';

/** Lifetime of download URLs, both ours and those of the storage. */
export const SIGNED_URL_LIFETIME = 5 * MINUTE;

/** Lifetime of URLs for viewing: a video player keeps requesting ranges while the video is watched. */
const VIEW_LIFETIME = 60 * MINUTE;

/**
 * Creates signed URLs for files that work without a session. They are not stored. The signature replaces only the
 * session: the user for whom the URL was created must still have access to the file when it is used.
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

  /**
   * Creates a URL for a user who may download or view the file. The caller checks that right.
   * @param version number of one of its versions; null for the current content
   */
  createUrl(fileId: number, userId: number, kind: ViewingKind, version: number | null = null): FileAddressDto {
    const expiresAt = addMilliseconds(this.clock.now(), lifetimeOf(kind));
    const token = `${userId}.${expiresAt.getTime()}${kind === 'view' ? 'v' : ''}${version === null ? '' : `n${version}`}`;
    const origin = this.config.contentUrl ?? this.config.appUrl;
    return {
      url: `${origin}/api/files/${fileId}/content?token=${token}.${this.key.digest(String(fileId), token)}`,
      expiresAt,
    };
  }

  /** Returns a URL on the separate content origin, or null if none is configured. */
  createContentOriginUrl(fileId: number, userId: number, kind: ViewingKind, version: number | null): string | null {
    return this.config.contentUrl === null ? null : this.createUrl(fileId, userId, kind, version).url;
  }

  /**
   * Returns the file of a URL, the number of the version if it is for one, the user for whom it was created, and its
   * purpose. The maximum lifetime is checked here
   * too: a URL that claims a longer lifetime than we ever issue is rejected even if its signature is valid.
   * @throws ADDRESS_EXPIRED also if the URL was never issued; FILE_NOT_FOUND if the user no longer has access to the
   * file, or no longer manages it and the URL is for a version
   */
  async verifyUrl(fileId: number, address: string) {
    const [, token, userId, expires, view, number, signature] =
      /^((\d{1,16})\.(\d{1,16})(v?)(?:n(\d{1,9}))?)\.([0-9a-f]{64})$/.exec(address) ?? [];
    const isAuthentic = token && signature && this.key.matches(signature, String(fileId), token);
    const kind: ViewingKind = view ? 'view' : 'download';
    const remaining = Number(expires) - this.clock.now().getTime();
    if (!isAuthentic || remaining <= 0 || remaining > lifetimeOf(kind) + MAX_CLOCK_SKEW)
      throw fileErrors.ADDRESS_EXPIRED();
    const file = await this.access.findFile(fileId, Number(userId));
    const version = number === undefined ? null : Number(number);
    if (!file || (version !== null && !canManageVersions(file))) throw fileErrors.FILE_NOT_FOUND();
    return { file, version, userId: Number(userId), kind };
  }
}

const canManageVersions = (file: AccessibleFile): boolean =>
  fileAbilities({ ...file, readOnly: file.mountId !== null }).replace;

const lifetimeOf = (kind: ViewingKind): number => (kind === 'view' ? VIEW_LIFETIME : SIGNED_URL_LIFETIME);
