import { addMilliseconds, DAY, HOUR, MINUTE } from '../../../platform/clock/clock.js';

/** A session ends 30 days after its last use. */
export const IDLE_LIFETIME = 30 * DAY;
/** A session ends 90 days after the sign-in in any case. */
export const SESSION_LIFETIME = 90 * DAY;
/** A session of an admin ends 12 hours after its last use. */
export const STAFF_IDLE_LIFETIME = 12 * HOUR;
/** How long a confirmation (reauthentication) is valid. */
export const CONFIRMATION_LIFETIME = 10 * MINUTE;

/** Returns the earliest sign-in time of an open session, and the earliest time of last use of an admin's. */
export const earliestTimesOfOpenSession = (now: Date): [earliestCreatedAt: Date, earliestUsedAt: Date] => [
  addMilliseconds(now, -SESSION_LIFETIME),
  addMilliseconds(now, -STAFF_IDLE_LIFETIME),
];
