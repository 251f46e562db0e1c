import type { Request } from 'express';
import type { Language } from '../../errors/app-error.js';

/** Scope of an API token; a session has all permissions of its user. */
export type Scope = 'read' | 'write' | 'admin';

/** The authenticated user of a request, identified only by the session cookie or API token. */
export interface Viewer {
  readonly userId: number;
  readonly email: string;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
  readonly language: Language;
  /** True for a session opened with a temporary password, which may only complete the profile. */
  readonly restricted: boolean;
  /**
   * The profile is incomplete, so the session is mostly read-only: zones, files, own settings, consent and leaving.
   * Actions that affect others require a name and a sign-in method of the user's own. Always false for API tokens.
   */
  readonly hasIncompleteProfile: boolean;
  /** STAFF_MFA requires a second factor that this admin doesn't have; only routes for its setup are allowed. */
  readonly needsMfaSetup: boolean;
  readonly sessionId: number | null;
  /** The user has reauthenticated within the last ten minutes; always false for API tokens. */
  readonly isReauthenticated: boolean;
  /** Null for a session. */
  readonly scope: Scope | null;
}

export interface AppRequest extends Request {
  viewer?: Viewer | null;
  id: string;
}
