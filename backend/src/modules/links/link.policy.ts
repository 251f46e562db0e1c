/** Properties that determine whether a temporary link admits people. */
export interface LinkUsageState {
  readonly expiresAt: Date;
  readonly maxUses: number | null;
  readonly currentUses: number;
  readonly isActive: boolean;
}

/** The link by which a person joins, and since when the request is pending. Either `linkId` or `publicLink` is set. */
export interface UsedLink {
  readonly zoneId: number;
  readonly linkId: number | null;
  readonly publicLink: string | null;
  readonly askedAt: Date;
}

/** State of a temporary link as shown to its owner. */
export type LinkState = 'active' | 'expired' | 'max_uses' | 'inactive';

export const isExpired = ({ expiresAt }: Pick<LinkUsageState, 'expiresAt'>, now: Date): boolean => expiresAt <= now;

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
