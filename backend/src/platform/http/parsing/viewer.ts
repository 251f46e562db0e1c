import type { Request } from 'express';
import type { Language } from '../../errors/app-error.js';

/** What an API token may do; a session may do all of it that the person may. */
export type Scope = 'read' | 'write' | 'admin';

/** Who is asking, as found by the session cookie or the API token; never by anything else that the client says. */
export interface Viewer {
  readonly userId: number;
  readonly email: string;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
  readonly language: Language;
  /** A session that may only finish the profile: it was opened by a temporary password. */
  readonly restricted: boolean;
  /**
   * The profile is unfinished, so the session reads: zones, files, the person's own settings, consent and leaving. What
   * writes for others waits for names and a way of one's own to sign in. Never true of an API token.
   */
  readonly isReader: boolean;
  /** STAFF_MFA asks this admin for a second factor that they do not have; only its setup answers them. */
  readonly needsMfaSetup: boolean;
  readonly sessionId: number | null;
  /** The person has shown within the last ten minutes that it is them; never true of an API token. */
  readonly isReauthenticated: boolean;
  /** null for a session. */
  readonly scope: Scope | null;
}

export interface AppRequest extends Request {
  viewer?: Viewer | null;
  id: string;
}
