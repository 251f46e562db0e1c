import type { Request } from 'express';
import type { Language } from '../errors/app-error.js';

/** What an API token may do; a session may do all of it that the person may. */
export type Scope = 'read' | 'write' | 'admin';

/** Who is asking, as found by the session cookie or the API token; never by anything else that the client says. */
export interface Viewer {
  readonly userId: number;
  readonly email: string;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
  readonly language: Language;
  /** A session that may only finish the profile: the person has no password of their own yet. */
  readonly restricted: boolean;
  readonly sessionId: number | null;
  /** null for a session. */
  readonly scope: Scope | null;
}

export interface AppRequest extends Request {
  viewer?: Viewer | null;
  id: string;
}
