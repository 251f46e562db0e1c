/** How long after opening the portal a user may still be changing something there, in milliseconds. */
const VISIT_DURATION = 30 * 60_000;

let openedAt: number | null = null;

/**
 * Whether the payment provider's portal was opened from this page recently, so that the subscription may have changed.
 */
export const portalVisit = {
  start(): void {
    openedAt = Date.now();
  },
  isRecent: (): boolean => openedAt !== null && Date.now() - openedAt < VISIT_DURATION,
  /** For tests. */
  reset(): void {
    openedAt = null;
  },
};
