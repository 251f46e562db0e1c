import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';

/** Who would leave what. */
export interface UnsubscribeLink {
  readonly userId: number;
  readonly zoneId: number;
}

/** Hex digits of the signature: 128 bits. */
const SIGNATURE_LENGTH = 32;

/**
 * The signed way out of a zone that every mail to its members carries: it is the same in every mail, needs no row and
 * never expires: mails that are out must let people leave, also after `APP_SECRET` got a newer one. Who has it can leave in the person's name, and take that back; nothing else.
 */
@Injectable()
export class UnsubscribeLinkService {
  private readonly key: DerivedKey;

  constructor(private readonly config: AppConfig) {
    this.key = config.keys.forPurpose('unsubscribe', ['unsubscribe']);
  }

  /** The page that a reader of a mail is led to. */
  pageUrl(link: UnsubscribeLink): string {
    return `${this.config.appUrl}/unsubscribe/${this.createToken(link)}`;
  }

  /** The same page for a token that is not one of ours: it says so in words. */
  invalidTokenPageUrl(token: string): string {
    return `${this.config.appUrl}/unsubscribe/${encodeURIComponent(token)}`;
  }

  /** The address for the List-Unsubscribe header: GET leads to the page, POST leaves (RFC 8058). */
  oneClickUrl(link: UnsubscribeLink): string {
    return `${this.config.appUrl}/api/unsubscribe/${this.createToken(link)}`;
  }

  /** What lets mail programs offer to leave with one click (RFC 8058). */
  headers(link: UnsubscribeLink): Record<string, string> {
    return {
      'List-Unsubscribe': `<${this.oneClickUrl(link)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
  }

  /** The token of a person and a zone. */
  createToken({ userId, zoneId }: UnsubscribeLink): string {
    const signature = this.key.digest(String(userId), String(zoneId)).slice(0, SIGNATURE_LENGTH);
    return `${userId.toString(36)}-${zoneId.toString(36)}-${signature}`;
  }

  /** What a token is about; null when we did not make it. */
  parseToken(token: string): UnsubscribeLink | null {
    const [, user, zone, signature] = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-f]{32})$/.exec(token) ?? [];
    if (user === undefined || zone === undefined || signature === undefined) return null;
    const [userId, zoneId] = [parseInt(user, 36), parseInt(zone, 36)];
    if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(zoneId)) return null;
    return this.key.matches(signature, String(userId), String(zoneId)) ? { userId, zoneId } : null;
  }
}
