import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { commonErrors } from '../../platform/errors/common.errors.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../auth/sessions/session-cookie.service.js';
import type { SessionOrigin } from '../auth/sessions/session.service.js';

/** An acting administrator and where the request comes from. */
export interface Operator {
  readonly viewer: Viewer;
  readonly origin: SessionOrigin;
}

/** The same, as stored in the audit log. */
export interface Actor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

function getOperator(context: ExecutionContext): Operator {
  const request = context.switchToHttp().getRequest<AppRequest>();
  if (!request.viewer) throw commonErrors.NOT_SIGNED_IN();
  return { viewer: request.viewer, origin: getSessionOrigin(request) };
}

/** For actions that check permissions again when they run. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext) => getOperator(context));

/** For the audit log. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { viewer, origin } = getOperator(context);
  return { actorId: viewer.userId, ipAddress: origin.ipAddress };
});
