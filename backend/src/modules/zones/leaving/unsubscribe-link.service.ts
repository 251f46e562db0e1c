import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';

/** The person and the zone that an unsubscribe link is for. */
export interface UnsubscribeLink {
  readonly userId: number;
  readonly zoneId: number;
}

/** Hexadecimal digits of the signature: 128 bits. */
const SIGNATURE_LENGTH = 32;

/**
 * Creates the signed unsubscribe link in every email to members. It is stateless, identical in every email and never
 * expires: people must be able to leave through old emails, even after a rotation of `APP_SECRET`. Its holder can leave
 * in the person's name and undo that, nothing else.
 */
@Injectable()
export class UnsubscribeLinkService {
  private readonly key: DerivedKey;

  constructor(private readonly config: AppConfig) {
    this.key = config.keys.forPurpose('unsubscribe', ['unsubscribe']);
  }

  /** URL of the unsubscribe page. */
  pageUrl(link: UnsubscribeLink): string {
    return `${this.config.appUrl}/unsubscribe/${this.createToken(link)}`;
  }

  /** URL of the same page for an invalid token, which the page explains. */
  invalidTokenPageUrl(token: string): string {
    return `${this.config.appUrl}/unsubscribe/${encodeURIComponent(token)}`;
  }

  /** URL for the List-Unsubscribe header: GET redirects to the page, POST unsubscribes (RFC 8058). */
  oneClickUrl(link: UnsubscribeLink): string {
    return `${this.config.appUrl}/api/unsubscribe/${this.createToken(link)}`;
  }

  /** Headers that let email clients offer one-click unsubscribe (RFC 8058). */
  headers(link: UnsubscribeLink): Record<string, string> {
    return {
      'List-Unsubscribe': `<${this.oneClickUrl(link)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
  }

  createToken({ userId, zoneId }: UnsubscribeLink): string {
    const signature = this.key.digest(String(userId), String(zoneId)).slice(0, SIGNATURE_LENGTH);
    return `${userId.toString(36)}-${zoneId.toString(36)}-${signature}`;
  }

  /** Returns the content of a token, or null if it is invalid. */
  parseToken(token: string): UnsubscribeLink | null {
    const [, user, zone, signature] = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-f]{32})$/.exec(token) ?? [];
    if (user === undefined || zone === undefined || signature === undefined) return null;
    const [userId, zoneId] = [parseInt(user, 36), parseInt(zone, 36)];
    if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(zoneId)) return null;
    return this.key.matches(signature, String(userId), String(zoneId)) ? { userId, zoneId } : null;
  }
}
