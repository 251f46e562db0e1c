import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';

/** An administrator at work, and from where, as the audit log keeps it. */
export interface Actor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

export const actorOf = ({ userId }: Viewer, request: AppRequest): Actor => ({
  actorId: userId,
  ipAddress: originOf(request).ipAddress,
});
