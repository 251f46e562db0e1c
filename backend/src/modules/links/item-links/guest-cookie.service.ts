import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock, DAY, MAX_CLOCK_SKEW } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import type { Guest, VisitedLink } from './item-link.repository.js';

/** How long a guest can return without entering again. */
export const GUEST_LIFETIME = 30 * DAY;

/** What a cookie states, before its signature is verified. */
export interface GuestClaim {
  readonly guestId: number;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Signature of the guest. */
  readonly identity: string;
  /** Signature of the guest with the password of the link. */
  readonly entry: string;
}

/**
 * The cookie that proves that a guest has entered. It is valid for one link and one guest. After the link's password
 * changes it still proves who the guest is, but the guest must enter again. The browser sends it with requests for that
 * link only.
 */
@Injectable()
export class GuestCookieService {
  private readonly key: DerivedKey;
  private readonly name: string;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.key = config.keys.forPurpose('item-guest');
    // No `__Host-` prefix, which requires the path `/`.
    this.name = config.isSecure ? '__Secure-zonary_guest' : 'zonary_guest';
  }

  /** Returns what the cookie of a request states, or null without a well-formed one. */
  readClaim(request: Pick<Request, 'headers'>): GuestClaim | null {
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${this.name}=`))?.slice(this.name.length + 1);
    const [, guestId, expiresAt, identity, entry] = COOKIE_VALUE.exec(value ?? '') ?? [];
    return identity && entry ? { guestId: Number(guestId), expiresAt: Number(expiresAt), identity, entry } : null;
  }

  /** Whether a claim was issued to this guest of the link, and hasn't expired. */
  isAuthentic({ expiresAt, identity }: GuestClaim, link: VisitedLink, guest: Guest): boolean {
    const remaining = expiresAt - this.clock.now().getTime();
    // A cookie with a longer lifetime was not issued by us (ADR 0019).
    if (remaining <= 0 || remaining > GUEST_LIFETIME + MAX_CLOCK_SKEW) return false;
    return this.key.matches(identity, ...identityParts(link, guest, expiresAt));
  }

  /** Whether the guest of an authentic claim entered with the link's present password, or it has none. */
  hasPresentPassword({ expiresAt, entry }: GuestClaim, link: VisitedLink, guest: Guest): boolean {
    return this.key.matches(entry, ...entryParts(link, guest, expiresAt));
  }

  write(response: Response, link: VisitedLink, guest: Guest): void {
    const expiresAt = this.clock.now().getTime() + GUEST_LIFETIME;
    const identity = this.key.digest(...identityParts(link, guest, expiresAt));
    const entry = this.key.digest(...entryParts(link, guest, expiresAt));
    response.cookie(this.name, `${guest.id}.${expiresAt}.${identity}.${entry}`, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.config.isSecure,
      path: `/api/shared/${link.token}`,
      maxAge: GUEST_LIFETIME,
    });
  }
}

const COOKIE_VALUE = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{64})\.([0-9a-f]{64})$/;

const identityParts = ({ id }: VisitedLink, guest: Guest, expiresAt: number): string[] => [
  'identity',
  ...[String(id), String(guest.id), guest.key, String(expiresAt)],
];

const entryParts = (link: VisitedLink, guest: Guest, expiresAt: number): string[] => [
  ...['entry', ...identityParts(link, guest, expiresAt)],
  link.password ?? '',
];
