import type { Language } from '../../platform/errors/app-error.js';
import { consentText } from '../zones/consent/consent.policy.js';
import type { Consent } from '../zones/consent/consent.repository.js';
import type { Zone } from '../zones/entities/zone.entity.js';
import { linkErrors } from './links.errors.js';

/** Properties that determine whether a link admits people. */
export interface LinkUsageState {
  /** Null means never. */
  readonly expiresAt: Date | null;
  readonly maxUses: number | null;
  readonly currentUses: number;
  readonly isActive: boolean;
}

/** What decides whether a temporary link admits a person, and for how many days. */
export interface TemporaryLinkTerms extends LinkUsageState {
  readonly membershipDays: number | null;
}

/** The zone that people join by a link. */
export type LinkZone = Pick<Zone, 'id' | 'name' | 'ownerId' | 'autoJoin' | 'requiresEmailOptin'>;

/**
 * The link by which a person joins, with its zone. Either `linkId` or `publicLink` is set; if a temporary link has been
 * deleted since the person asked, neither is.
 */
export interface JoinTarget {
  /** `autoJoin` is always true for a temporary link, which counts as the owner's approval. */
  readonly zone: LinkZone;
  readonly linkId: number | null;
  readonly publicLink: string | null;
  /** Digest of the temporary link's password, which only the request to join must state. */
  readonly password: string | null;
  /** When the person asked to join. */
  readonly askedAt: Date;
}

/** What a person gives to join by a link. */
export interface JoinInput {
  /** In lower case. */
  readonly email: string;
  readonly emailConsent: boolean;
  /** The link's password, if it requires one. */
  readonly password?: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly language: Language;
}

/** The current state of a target's link. */
export interface LinkWithZone {
  readonly zone: LinkZone;
  /** Null for the public link. */
  readonly terms: TemporaryLinkTerms | null;
}

/** State of a temporary link as shown to its owner. */
export type LinkState = 'active' | 'expired' | 'max_uses' | 'inactive';

export const isExpired = ({ expiresAt }: Pick<LinkUsageState, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

export const isUsedUp = ({ maxUses, currentUses }: Pick<LinkUsageState, 'maxUses' | 'currentUses'>): boolean =>
  maxUses !== null && currentUses >= maxUses;

/** Expiry takes precedence, then the use limit; a pause can be undone with one click. */
export function linkState(link: LinkUsageState, now: Date): LinkState {
  if (isExpired(link, now)) return 'expired';
  if (isUsedUp(link)) return 'max_uses';
  return link.isActive ? 'active' : 'inactive';
}

/**
 * Returns why a link does not admit a person, as an error code, or null if it does. A paused link looks like a missing
 * one.
 * @param askedAt when the person asked to join; a request before the expiry is valid even if the address is verified
 * later
 */
export function getRejectionCode(
  link: LinkUsageState,
  askedAt: Date,
): 'LINK_NOT_FOUND' | 'LINK_EXPIRED' | 'LINK_MAX_USES' | null {
  if (!link.isActive) return 'LINK_NOT_FOUND';
  if (isExpired(link, askedAt)) return 'LINK_EXPIRED';
  return isUsedUp(link) ? 'LINK_MAX_USES' : null;
}

/**
 * Checks that a link of either kind admits a person who asked at `askedAt`.
 * @param link null if the link or its zone is gone
 * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
 */
export function assertLinkAdmits(link: LinkWithZone | null, askedAt: Date): asserts link is LinkWithZone {
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const code = link.terms && getRejectionCode(link.terms, askedAt);
  if (code) throw linkErrors[code]();
}

/** Returns the consent method, which equals the join method. */
export const getConsentMethod = ({ linkId }: Pick<JoinTarget, 'linkId'>) =>
  linkId === null ? 'public_link' : 'temporary_link';

/** Returns the consent that a person gives by the request to join, or null without consent. */
export function toConsent(target: JoinTarget, { emailConsent, ipAddress, language }: JoinInput): Consent | null {
  return emailConsent ? { ipAddress, method: getConsentMethod(target), text: consentText[language] } : null;
}
