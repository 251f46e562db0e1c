/** How long after it was opened somebody may still be busy in the portal, in milliseconds. */
const VISIT_DURATION = 30 * 60_000;

let openedAt: number | null = null;

/** Whether the payment provider's portal was opened from this page a moment ago: the subscription may have changed there. */
export const portalVisit = {
  start(): void {
    openedAt = Date.now();
  },
  isRecent: (): boolean => openedAt !== null && Date.now() - openedAt < VISIT_DURATION,
  /** Forgets it, for tests. */
  reset(): void {
    openedAt = null;
  },
};
