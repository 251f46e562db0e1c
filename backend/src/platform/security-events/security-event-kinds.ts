import { freezeList } from '../constants/freeze-list.js';

/**
 * Kinds of security events. Rows are stored under these names, so never rename one. The admin interface has a text for
 * each.
 */
export const securityEventKinds = freezeList([
  /** A failed sign-in; the detail is the reason. */
  'sign-in-failed',
  /** A signed-in user failed to reauthenticate; the detail is the method. */
  'confirmation-failed',
  /** Too many attempts, so that further ones are rejected without a check; the detail is the kind of attempt. */
  'locked-out',
  /** A webhook without a valid signature; the detail is the sender. */
  'webhook-refused',
  /** An API token used from a new network. */
  'token-network',
  /** A sign-in from an unknown browser. */
  'new-device',
]);
export type SecurityEventKind = (typeof securityEventKinds)[number];
