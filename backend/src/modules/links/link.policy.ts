/** What decides whether a temporary link lets people in. */
export interface LinkUsageState {
  readonly expiresAt: Date;
  readonly maxUses: number | null;
  readonly currentUses: number;
  readonly isActive: boolean;
}

/** How a temporary link stands, as its owner reads it. */
export type LinkState = 'active' | 'expired' | 'max_uses' | 'inactive';

export const isExpired = ({ expiresAt }: Pick<LinkUsageState, 'expiresAt'>, now: Date): boolean => expiresAt <= now;

export const isUsedUp = ({ maxUses, currentUses }: Pick<LinkUsageState, 'maxUses' | 'currentUses'>): boolean =>
  maxUses !== null && currentUses >= maxUses;

/** The end of the time weighs most, then the last use: pausing is what can be taken back by a click. */
export function linkState(link: LinkUsageState, now: Date): LinkState {
  if (isExpired(link, now)) return 'expired';
  if (isUsedUp(link)) return 'max_uses';
  return link.isActive ? 'active' : 'inactive';
}

/**
 * Why a link does not let somebody in, as a code that they may be told; null when it does. A paused link is not told
 * from one that is not there.
 * @param askedAt when the person asked: before the end is early enough, also for who confirms the address later
 */
export function getRefusalCode(
  link: LinkUsageState,
  askedAt: Date,
): 'LINK_NOT_FOUND' | 'LINK_EXPIRED' | 'LINK_MAX_USES' | null {
  if (!link.isActive) return 'LINK_NOT_FOUND';
  if (isExpired(link, askedAt)) return 'LINK_EXPIRED';
  return isUsedUp(link) ? 'LINK_MAX_USES' : null;
}
