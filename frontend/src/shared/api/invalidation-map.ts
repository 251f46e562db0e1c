import type { paths } from './schema';

type MutationMethod = 'post' | 'put' | 'patch' | 'delete';
type PathWith<Method extends MutationMethod | 'get'> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

export type ReadPath = PathWith<'get'>;
/** A mutating route, such as `'PATCH /api/zones/{id}'`. */
type AnyMutationRoute = { [Method in MutationMethod]: `${Uppercase<Method>} ${PathWith<Method>}` }[MutationMethod];
type AdminRoute = `${string} /api/${'admin' | 'acedumy' | 'stripe-acedumy' | 'woocommerce'}/${string}`;
type ExcludedRoute = AdminRoute | `${string} /api/webhooks/${string}`;
export type MutationRoute = Exclude<AnyMutationRoute, ExcludedRoute>;

/**
 * Routes that the map leaves out: react-admin handles the administration's lists, and the page never calls webhooks.
 */
export const excludedPrefixes = [
  '/api/admin/',
  '/api/acedumy/',
  '/api/stripe-acedumy/',
  '/api/woocommerce/',
  '/api/webhooks/',
];

/** Where files and folders are and what they are called. */
const fileListPaths: readonly ReadPath[] = [
  '/api/zones/{id}/files',
  '/api/zones/{id}/all-files',
  '/api/zones/{id}/folders',
  '/api/zones/{id}/trash',
  '/api/zones/{id}/search',
  '/api/zones/{id}/folder-mirrors',
  '/api/zones/{id}/item-links',
  '/api/search',
  '/api/folders/{id}',
  '/api/folders/{id}/file-request/submissions',
  '/api/files/{id}',
  '/api/zones',
  '/api/zones/{id}',
  '/api/shared-zones',
  '/api/home',
  '/api/dashboard/activity',
];
/** Also file counts and sizes. */
const filePaths: readonly ReadPath[] = [
  ...fileListPaths,
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/user/usage',
  '/api/analytics/files',
  '/api/analytics/zones',
];
/** Everything that shows a file's content. */
const versionPaths: readonly ReadPath[] = [...filePaths, '/api/files/{id}/versions', '/api/files/{id}/pages'];
const mirrorPaths: readonly ReadPath[] = [
  '/api/zones/{id}/folder-mirrors',
  '/api/zones/{id}/folders',
  '/api/zones/{id}',
  '/api/zones',
  '/api/search',
  '/api/dashboard/activity',
];
/** Members, former members, join requests, invitations, and everything that counts them. */
const memberPaths: readonly ReadPath[] = [
  '/api/zones/{id}/members',
  '/api/zones/{id}/join-requests',
  '/api/zones/{id}/invitations',
  '/api/zones/{id}/blocks',
  '/api/zones/{id}/leaves',
  '/api/zones/{id}/suppressed-members',
  '/api/zones/{id}/send-preview',
  '/api/zones/{id}',
  '/api/zones',
  '/api/members',
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
  '/api/analytics/series',
  '/api/analytics/zones',
  '/api/user/usage',
];
/** Everything that changes when a zone is created or deleted. */
const zonePaths: readonly ReadPath[] = [
  '/api/zones',
  '/api/shared-zones',
  '/api/members',
  '/api/campaigns',
  '/api/search',
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
  '/api/analytics/series',
  '/api/analytics/files',
  '/api/analytics/zones',
  '/api/user/usage',
  '/api/user',
];
/** Everything that shows a zone's name or access settings. */
const zoneDetailPaths: readonly ReadPath[] = [
  '/api/shared-zones',
  '/api/members',
  '/api/campaigns',
  '/api/zones/{id}/campaigns',
  '/api/zones/{id}/folder-mirrors',
  '/api/zones/{id}/join-requests',
  '/api/zones/{id}/mail-settings',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
];
/** Everything that depends on the user's memberships. */
const membershipPaths: readonly ReadPath[] = ['/api/shared-zones', '/api/home', '/api/search', '/api/user'];
const linkPaths: readonly ReadPath[] = ['/api/zones/{id}/temporary-links/analytics', '/api/dashboard/start'];
const itemLinkPaths: readonly ReadPath[] = [
  '/api/files/{id}/links',
  '/api/folders/{id}/links',
  '/api/zones/{id}/item-links',
  '/api/item-links/{id}',
  '/api/item-links/{id}/guests',
];
/** What a visitor sent, and how much may still be sent. */
const sharedPaths: readonly ReadPath[] = ['/api/shared/{token}', '/api/shared/{token}/files'];
const draftPaths: readonly ReadPath[] = [
  '/api/campaigns',
  '/api/zones/{id}/campaigns',
  '/api/zones/{id}/send-preview',
  '/api/campaigns/{id}/report',
];
const campaignPaths: readonly ReadPath[] = [
  ...draftPaths,
  '/api/user/email-quota',
  '/api/user/usage',
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
];
const senderPaths: readonly ReadPath[] = [...draftPaths, '/api/campaigns/{id}'];
const suggestionPaths: readonly ReadPath[] = ['/api/feature-suggestions', '/api/feature-suggestions/similar'];
const accountPaths: readonly ReadPath[] = ['/api/user'];
const sessionPaths: readonly ReadPath[] = ['/api/user/sessions', '/api/user/security-activity'];
const factorPaths: readonly ReadPath[] = ['/api/user/factors', '/api/user/security-activity', '/api/user'];

// Reasons why `invalidate()` has nothing to do after a mutation.

/** No cached query shows its result. */
const NOT_CACHED = 'not cached';
/** The user may be another one afterwards, so `loadNewSession` clears the whole cache. */
const CLEARED_BY_NEW_SESSION = 'cleared by the new session';
/** The response holds the new state, and the caller writes it to the cache. */
const UPDATED_BY_CALLER = 'updated by the caller';

export type Invalidation =
  readonly ReadPath[] | typeof NOT_CACHED | typeof CLEARED_BY_NEW_SESSION | typeof UPDATED_BY_CALLER;

/** Which cached paths each mutation makes stale; `invalidate()` applies it. A route without a row does not compile. */
export const invalidationMap: Readonly<Record<MutationRoute, Invalidation>> = {
  'POST /api/send-verification': NOT_CACHED,
  'POST /api/check-password': NOT_CACHED,
  'POST /api/register': CLEARED_BY_NEW_SESSION,
  'POST /api/login': CLEARED_BY_NEW_SESSION,
  'POST /api/logout': CLEARED_BY_NEW_SESSION,
  'POST /api/complete-profile': CLEARED_BY_NEW_SESSION,
  'POST /api/user/confirm': NOT_CACHED,
  'POST /api/user/confirm/passkey-options': NOT_CACHED,
  'POST /api/user/confirm/mail': NOT_CACHED,
  'POST /api/user/email': NOT_CACHED,
  'POST /api/email-change/check': NOT_CACHED,
  'POST /api/email-change': accountPaths,
  'POST /api/email-change/undo/check': NOT_CACHED,
  'POST /api/email-change/undo': accountPaths,
  'POST /api/login/factor': CLEARED_BY_NEW_SESSION,
  'POST /api/login/factor/passkey-options': NOT_CACHED,
  'POST /api/user/factors': NOT_CACHED,
  'DELETE /api/user/factors': factorPaths,
  'POST /api/user/factors/verify': factorPaths,
  'POST /api/user/factors/recovery-codes': factorPaths,
  'DELETE /api/user/identities/{id}': ['/api/user/identities', '/api/user/security-activity'],
  'POST /api/login/passkey/options': NOT_CACHED,
  'POST /api/login/passkey': CLEARED_BY_NEW_SESSION,
  'POST /api/user/passkeys/options': NOT_CACHED,
  'POST /api/user/passkeys': factorPaths,
  'PATCH /api/user/passkeys/{id}': factorPaths,
  'DELETE /api/user/passkeys/{id}': factorPaths,
  'POST /api/forgot-password': NOT_CACHED,
  'POST /api/reset-password': CLEARED_BY_NEW_SESSION,
  'POST /api/reset-password/check': NOT_CACHED,
  'POST /api/change-password': [...sessionPaths, '/api/user'],
  'POST /api/sign-in-mails': NOT_CACHED,
  'POST /api/sign-in-links/check': NOT_CACHED,
  'POST /api/sign-in-links': CLEARED_BY_NEW_SESSION,
  'POST /api/sign-in-codes': CLEARED_BY_NEW_SESSION,
  'POST /api/single-sign-on': NOT_CACHED,
  'POST /api/single-sign-on/link': CLEARED_BY_NEW_SESSION,
  'POST /api/single-sign-on/link/code': NOT_CACHED,
  'POST /api/zones': zonePaths,
  'PATCH /api/zones/{id}': zoneDetailPaths,
  'DELETE /api/zones/{id}': zonePaths,
  'POST /api/zones/{id}/toggle-favorite': UPDATED_BY_CALLER,
  'POST /api/zones/{id}/visits': ['/api/home'],
  'POST /api/zones/{id}/join-requests/{requestId}/approve': memberPaths,
  'POST /api/zones/{id}/join-requests/{requestId}/decline': memberPaths,
  'DELETE /api/shared-zones/{id}': ['/api/shared-zones'],
  'POST /api/shared-zones/{id}/restore': ['/api/shared-zones'],
  'POST /api/zones/{id}/leave': [...membershipPaths, '/api/zones/{id}'],
  'POST /api/zones/{id}/consent': ['/api/shared-zones', '/api/zones/{id}'],
  'DELETE /api/zones/{id}/consent': ['/api/shared-zones', '/api/zones/{id}'],
  'PATCH /api/zones/{id}/members/{userId}': memberPaths,
  'DELETE /api/zones/{id}/members/{userId}': memberPaths,
  'POST /api/zones/{id}/members/{userId}/restore': memberPaths,
  'POST /api/unsubscribe/{token}': membershipPaths,
  'POST /api/unsubscribe/{token}/undo': membershipPaths,
  'POST /api/unsubscribe/{token}/consent': ['/api/unsubscribe/info/{token}', '/api/shared-zones'],
  'DELETE /api/unsubscribe/{token}/consent': ['/api/unsubscribe/info/{token}', '/api/shared-zones'],
  'POST /api/zones/{id}/invite': memberPaths,
  'DELETE /api/zones/{id}/invitations/{invitationId}': memberPaths,
  'POST /api/zones/{id}/invitations/{invitationId}/resend': memberPaths,
  'POST /api/accept-invite': membershipPaths,
  'POST /api/user/invitations/{id}/accept': membershipPaths,
  'POST /api/zones/{id}/members/import': memberPaths,
  'POST /api/zones/{id}/blocks': memberPaths,
  'DELETE /api/zones/{id}/blocks/{userId}': memberPaths,
  'POST /api/zones/{id}/files': versionPaths,
  'PATCH /api/files/{id}': fileListPaths,
  'POST /api/files/{id}/versions': versionPaths,
  'POST /api/files/{id}/versions/{number}/restore': versionPaths,
  'DELETE /api/files/{id}/versions/{number}': versionPaths,
  'DELETE /api/files/{id}': filePaths,
  'PATCH /api/files/{id}/rename': fileListPaths,
  'POST /api/files/{id}/position': ['/api/home'],
  'POST /api/files/{id}/pages/reading': NOT_CACHED,
  'POST /api/files/{id}/pages/unlock': ['/api/files/{id}/pages'],
  'POST /api/files/{id}/pages/retry': [...fileListPaths, '/api/files/{id}/pages'],
  'POST /api/zones/{id}/download': NOT_CACHED,
  'POST /api/zones/{id}/folders': filePaths,
  'POST /api/zones/{id}/folders/tree': filePaths,
  'PATCH /api/folders/{id}': fileListPaths,
  'DELETE /api/folders/{id}': filePaths,
  'PUT /api/folders/{id}/file-request': [...fileListPaths, ...itemLinkPaths],
  'DELETE /api/folders/{id}/file-request': [...fileListPaths, ...itemLinkPaths],
  'PATCH /api/files/{id}/move': fileListPaths,
  'PATCH /api/folders/{id}/move': fileListPaths,
  'POST /api/zones/{id}/move': fileListPaths,
  'POST /api/zones/{id}/copy': filePaths,
  'POST /api/zones/{id}/transfer': filePaths,
  'POST /api/transfers/{id}/undo': filePaths,
  'POST /api/zones/{id}/delete': filePaths,
  'POST /api/zones/{id}/trash/restore': filePaths,
  'POST /api/zones/{id}/trash/purge': filePaths,
  // An upload may replace a file.
  'POST /api/uploads': versionPaths,
  'PATCH /api/uploads/{id}': versionPaths,
  'POST /api/uploads/{id}/parts': NOT_CACHED,
  'POST /api/uploads/{id}/complete': versionPaths,
  'DELETE /api/uploads/{id}': filePaths,
  'POST /api/zones/{id}/folder-mirrors': mirrorPaths,
  'PATCH /api/folder-mirrors/{id}': mirrorPaths,
  'DELETE /api/folder-mirrors/{id}': mirrorPaths,
  'POST /api/public-zones/{publicLink}/join': CLEARED_BY_NEW_SESSION,
  'POST /api/verify-email': CLEARED_BY_NEW_SESSION,
  'POST /api/zones/{id}/temporary-links': linkPaths,
  'PATCH /api/temporary-links/{id}': linkPaths,
  'DELETE /api/temporary-links/{id}': linkPaths,
  'POST /api/files/{id}/links': itemLinkPaths,
  'POST /api/folders/{id}/links': itemLinkPaths,
  'PATCH /api/item-links/{id}': itemLinkPaths,
  'DELETE /api/item-links/{id}': itemLinkPaths,
  'POST /api/shared/{token}/enter': UPDATED_BY_CALLER,
  'POST /api/shared/{token}/files': sharedPaths,
  'DELETE /api/shared/{token}/files/{id}': sharedPaths,
  'POST /api/zones/{id}/public-link/regenerate': ['/api/zones/{id}', '/api/zones'],
  'POST /api/temporary-links/{token}/join': CLEARED_BY_NEW_SESSION,
  'POST /api/join-codes': CLEARED_BY_NEW_SESSION,
  'POST /api/campaigns': draftPaths,
  'PUT /api/campaigns/{id}': draftPaths,
  'DELETE /api/campaigns/{id}': campaignPaths,
  'POST /api/zones/{id}/suppressed-members/lift': memberPaths,
  'PUT /api/zones/{id}/mail-settings': senderPaths,
  'DELETE /api/zones/{id}/suppressed-members/{userId}': memberPaths,
  'POST /api/zones/{id}/mail-settings/reply-to-link': UPDATED_BY_CALLER,
  'POST /api/reply-to/check': NOT_CACHED,
  'POST /api/reply-to': ['/api/zones/{id}/mail-settings'],
  'POST /api/campaigns/{id}/send': campaignPaths,
  'POST /api/campaigns/{id}/schedule': campaignPaths,
  'POST /api/campaigns/{id}/unschedule': campaignPaths,
  'POST /api/campaigns/{id}/pause': campaignPaths,
  'POST /api/campaigns/{id}/resume': campaignPaths,
  'POST /api/campaigns/{id}/cancel': campaignPaths,
  'POST /api/campaigns/{id}/retry-failed': campaignPaths,
  'POST /api/campaigns/{id}/test': ['/api/user/email-quota', '/api/user/usage'],
  'POST /api/email-templates': ['/api/email-templates'],
  'PUT /api/email-templates/{id}': ['/api/email-templates'],
  'DELETE /api/email-templates/{id}': ['/api/email-templates'],
  'POST /api/zones/{id}/campaigns': draftPaths,
  'POST /api/zones/{id}/send-email': campaignPaths,
  'POST /api/zones/{id}/campaigns/preview': NOT_CACHED,
  'POST /api/subscription-status/refresh': ['/api/user', '/api/user/usage'],
  'POST /api/create-subscription': NOT_CACHED,
  'POST /api/manage-subscription': NOT_CACHED,
  'POST /api/feature-suggestions': suggestionPaths,
  'POST /api/feature-suggestions/{id}/vote': UPDATED_BY_CALLER,
  'DELETE /api/feature-suggestions/{id}/vote': UPDATED_BY_CALLER,
  'PATCH /api/feature-suggestions/{id}/words': suggestionPaths,
  'POST /api/feature-suggestions/{id}/withdraw': suggestionPaths,
  'PATCH /api/feature-suggestions/{id}': suggestionPaths,
  'DELETE /api/feature-suggestions/{id}': suggestionPaths,
  'POST /api/feature-suggestions/{id}/merge': suggestionPaths,
  'DELETE /api/feature-suggestions/{id}/merge': suggestionPaths,
  'POST /api/dashboard/start': UPDATED_BY_CALLER,
  'DELETE /api/user': CLEARED_BY_NEW_SESSION,
  'POST /api/user/verification-mail': NOT_CACHED,
  'PUT /api/user/profile': UPDATED_BY_CALLER,
  'POST /api/user/picture': UPDATED_BY_CALLER,
  'DELETE /api/user/picture': UPDATED_BY_CALLER,
  'DELETE /api/user/sessions': sessionPaths,
  'DELETE /api/user/sessions/{id}': sessionPaths,
  'POST /api/user/tokens': ['/api/user/tokens'],
  'DELETE /api/user/tokens/{id}': ['/api/user/tokens'],
  'POST /api/setup': CLEARED_BY_NEW_SESSION,
};
