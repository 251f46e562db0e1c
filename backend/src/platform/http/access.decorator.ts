import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { commonErrors } from '../errors/common.errors.js';
import { ApiErrors } from './errors/api-errors.decorator.js';
import type { AppRequest, Viewer } from './parsing/viewer.js';

/** Who may call a route. A route without a declaration responds 403, and a test that checks all routes fails. */
export type Access = 'public' | 'signed-in' | 'admin' | 'super-admin';

export const ACCESS = 'zonary:access';
export const ALLOW_RESTRICTED = 'zonary:allow-restricted';
export const ALLOW_INCOMPLETE_PROFILE = 'zonary:allow-incomplete-profile';
export const SKIP_MFA_REQUIREMENT = 'zonary:allow-factorless';
export const SESSION_ONLY = 'zonary:session-only';
export const ALLOW_CROSS_SITE = 'zonary:cross-site';
export const REQUIRE_REAUTHENTICATION = 'zonary:confirmed';

const declare = (access: Access, ...more: (ClassDecorator & MethodDecorator)[]) =>
  applyDecorators(SetMetadata(ACCESS, access), ApiExtension('x-access', access), ...more);

const signedIn = () => [ApiCookieAuth(), ApiBearerAuth(), ApiErrors(commonErrors.NOT_SIGNED_IN)];
const forAdmins = () => [...signedIn(), ApiErrors(commonErrors.FORBIDDEN)];

/** Everybody; the viewer is still available when signed in. */
export const Public = () => declare('public');

/** Any signed-in user; the module's policy decides about individual objects. */
export const SignedIn = () => declare('signed-in', ...signedIn());

export const AdminOnly = () => declare('admin', ...forAdmins());

export const SuperAdminOnly = () => declare('super-admin', ...forAdmins());

/** Also allows restricted sessions. Public routes always do. */
export const AllowRestricted = () => SetMetadata(ALLOW_RESTRICTED, true);

/**
 * Also allows users with an incomplete profile (`Viewer.hasIncompleteProfile`), for routes that change only the user's
 * own data. Such users may always call read routes.
 */
export const AllowIncompleteProfile = () => SetMetadata(ALLOW_INCOMPLETE_PROFILE, true);

/**
 * Also allows admins who still have to set up a second factor (STAFF_MFA); for the setup itself. Public routes always
 * do.
 */
export const SkipMfaRequirement = () => SetMetadata(SKIP_MFA_REQUIREMENT, true);

/** Rejects API tokens; for routes that change the account's security. */
export const SessionOnly = () => SetMetadata(SESSION_ONLY, true);

/**
 * Requires that the user has reauthenticated within the last ten minutes (`POST /api/user/confirm`). For actions that
 * an unattended or stolen session must not allow. API tokens can't reauthenticate, so they are rejected as well.
 */
export const RequireReauthentication = () =>
  applyDecorators(
    SetMetadata(REQUIRE_REAUTHENTICATION, true),
    SessionOnly(),
    ApiExtension('x-confirmed', true),
    ApiErrors(commonErrors.CONFIRMATION_REQUIRED),
  );

/**
 * Accepts unsafe requests from other sites: webhooks and email clients' one-click unsubscribe, which are signed
 * instead.
 */
export const AllowCrossSite = () => SetMetadata(ALLOW_CROSS_SITE, true);

export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const { viewer } = context.switchToHttp().getRequest<AppRequest>();
  if (!viewer) throw commonErrors.NOT_SIGNED_IN();
  return viewer;
});

/** The signed-in user, or null, on public routes. */
export const OptionalViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer | null => {
  return context.switchToHttp().getRequest<AppRequest>().viewer ?? null;
});
