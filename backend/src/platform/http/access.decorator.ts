import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { commonErrors } from '../errors/common.errors.js';
import { ApiErrors } from './errors/api-errors.decorator.js';
import type { AppRequest, Viewer } from './parsing/viewer.js';

/** Who may call a route. A route that declares nothing answers 403, and the route sweep fails. */
export type Access = 'public' | 'signed-in' | 'admin' | 'super-admin';

export const ACCESS = 'zonary:access';
export const ALLOW_RESTRICTED = 'zonary:allow-restricted';
export const ALLOW_READER = 'zonary:allow-reader';
export const SKIP_MFA_REQUIREMENT = 'zonary:allow-factorless';
export const SESSION_ONLY = 'zonary:session-only';
export const ALLOW_CROSS_SITE = 'zonary:cross-site';
export const REQUIRE_REAUTHENTICATION = 'zonary:confirmed';

const declare = (access: Access, ...more: (ClassDecorator & MethodDecorator)[]) =>
  applyDecorators(SetMetadata(ACCESS, access), ApiExtension('x-access', access), ...more);

const signedIn = () => [ApiCookieAuth(), ApiBearerAuth(), ApiErrors(commonErrors.NOT_SIGNED_IN)];
const forAdmins = () => [...signedIn(), ApiErrors(commonErrors.FORBIDDEN)];

/** Anybody. The viewer is still known when there is one. */
export const Public = () => declare('public');

/** Any signed-in person; what they may do with a given thing is the module's policy. */
export const SignedIn = () => declare('signed-in', ...signedIn());

/** Admins and super admins. */
export const AdminOnly = () => declare('admin', ...forAdmins());

/** Super admins. */
export const SuperAdminOnly = () => declare('super-admin', ...forAdmins());

/** Also answers in a restricted session. Public routes always do. */
export const AllowRestricted = () => SetMetadata(ALLOW_RESTRICTED, true);

/** Changes only what is the person's own, so it answers readers as well. What is only read always does. */
export const AllowReader = () => SetMetadata(ALLOW_READER, true);

/** Also answers an admin whom STAFF_MFA still asks for a second factor: what its setup needs. Public routes always do. */
export const SkipMfaRequirement = () => SetMetadata(SKIP_MFA_REQUIREMENT, true);

/** Refuses API tokens: for what changes the security of the account. */
export const SessionOnly = () => SetMetadata(SESSION_ONLY, true);

/**
 * Answers only while the person has shown within the last ten minutes that it is them (`POST /api/user/confirm`): for
 * what a session left open, or stolen, must not do. An API token cannot confirm, so it is refused as well.
 */
export const RequireReauthentication = () =>
  applyDecorators(
    SetMetadata(REQUIRE_REAUTHENTICATION, true),
    SessionOnly(),
    ApiExtension('x-confirmed', true),
    ApiErrors(commonErrors.CONFIRMATION_REQUIRED),
  );

/** Takes unsafe requests from other sites: webhooks and the mail program's unsubscribe button, which sign instead. */
export const AllowCrossSite = () => SetMetadata(ALLOW_CROSS_SITE, true);

/** The signed-in person. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const { viewer } = context.switchToHttp().getRequest<AppRequest>();
  if (!viewer) throw commonErrors.NOT_SIGNED_IN();
  return viewer;
});

/** The signed-in person, or null, on public routes. */
export const OptionalViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer | null => {
  return context.switchToHttp().getRequest<AppRequest>().viewer ?? null;
});
