import { freezeList } from '../constants/freeze-list.js';

/** What the security trail counts. Stable: rows are found by them, and the page has words for each. */
export const securityEventKinds = freezeList([
  /** A sign-in that failed; the detail is the reason. */
  'sign-in-failed',
  /** Somebody signed in who did not show that it is them, when asked once more; the detail is by what. */
  'confirmation-failed',
  /** Too many tries, so that further ones are refused unread; the detail is what was tried. */
  'locked-out',
  /** A webhook without a right signature; the detail is its sender. */
  'webhook-refused',
  /** An API token used from a network in which it was never seen. */
  'token-network',
  /** A sign-in with a browser that was not known before. */
  'new-device',
]);
export type SecurityEventKind = (typeof securityEventKinds)[number];
