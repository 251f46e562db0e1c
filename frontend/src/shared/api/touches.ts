import type { paths } from './schema';

type Changing = 'post' | 'put' | 'patch' | 'delete';
type PathWith<Method extends Changing | 'get'> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

/** What the page reads. */
export type ReadPath = PathWith<'get'>;
/** A route that changes something, as in `'PATCH /api/zones/{id}'`. */
type AnyChange = { [Method in Changing]: `${Uppercase<Method>} ${PathWith<Method>}` }[Changing];
type Administrative = `${string} /api/${'admin' | 'acedumy' | 'stripe-acedumy' | 'woocommerce'}/${string}`;
type Elsewhere = Administrative | `${string} /api/webhooks/${string}`;
export type Change = Exclude<AnyChange, Elsewhere>;

/** Routes of which the table says nothing: the administration's lists are react-admin's, webhooks are no work of the page. */
export const untold = ['/api/admin/', '/api/acedumy/', '/api/stripe-acedumy/', '/api/woocommerce/', '/api/webhooks/'];

/** Where files and folders stand and how they are called. */
const filesShown: readonly ReadPath[] = [
  '/api/zones/{id}/files',
  '/api/zones/{id}/all-files',
  '/api/zones/{id}/folders',
  '/api/zones/{id}/trash',
  '/api/zones/{id}/search',
  '/api/zones/{id}/folder-mirrors',
  '/api/search',
  '/api/folders/{id}',
  '/api/files/{id}',
  '/api/zones',
  '/api/zones/{id}',
  '/api/shared-zones',
  '/api/home',
  '/api/dashboard/activity',
];
/** How many there are, and how large. */
const files: readonly ReadPath[] = [
  ...filesShown,
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/user/usage',
  '/api/analytics/zones',
];
const mirrors: readonly ReadPath[] = [
  '/api/zones/{id}/folder-mirrors',
  '/api/zones/{id}/folders',
  '/api/zones/{id}',
  '/api/zones',
  '/api/search',
  '/api/dashboard/activity',
];
/** Who is in a zone, was, asks to be or is invited, and whatever counts them. */
const people: readonly ReadPath[] = [
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
/** One zone more or less, and all that was in it. */
const zones: readonly ReadPath[] = [
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
  '/api/analytics/zones',
  '/api/user/usage',
  '/api/user',
];
/** How a zone is called and who may come in, wherever it is named. */
const zoneNamed: readonly ReadPath[] = [
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
/** In which zones the person is. */
const ownPlaces: readonly ReadPath[] = ['/api/shared-zones', '/api/home', '/api/search', '/api/user'];
const links: readonly ReadPath[] = ['/api/zones/{id}/temporary-links/analytics', '/api/dashboard/start'];
const drafts: readonly ReadPath[] = [
  '/api/campaigns',
  '/api/zones/{id}/campaigns',
  '/api/zones/{id}/send-preview',
  '/api/campaigns/{id}/report',
];
const campaigns: readonly ReadPath[] = [
  ...drafts,
  '/api/user/email-quota',
  '/api/user/usage',
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
];
const sender: readonly ReadPath[] = [...drafts, '/api/campaigns/{id}'];
const suggestions: readonly ReadPath[] = ['/api/feature-suggestions', '/api/feature-suggestions/similar'];
const account: readonly ReadPath[] = ['/api/user'];
const sessions: readonly ReadPath[] = ['/api/user/sessions', '/api/user/security-activity'];
const factors: readonly ReadPath[] = ['/api/user/factors', '/api/user/security-activity', '/api/user'];

/** Nothing that the page keeps shows it. */
const nothing = 'nothing that is kept shows it';
/** Who the page is for may be somebody else then: all of it is dropped (`enterSession`). */
const whole = 'all that is kept is dropped';
/** The answer says how it is now, and the caller keeps that. */
const answered = 'the answer is kept in its place';

export type Touched = readonly ReadPath[] | typeof nothing | typeof whole | typeof answered;

/**
 * What is not true any more after each change that the page can make: the one place that knows it. `touch()` does the rest.
 * A route without a row does not compile.
 */
export const touches: Readonly<Record<Change, Touched>> = {
  'POST /api/send-verification': nothing,
  'POST /api/check-password': nothing,
  'POST /api/register': whole,
  'POST /api/login': whole,
  'POST /api/logout': whole,
  'POST /api/complete-profile': whole,
  'POST /api/user/confirm': nothing,
  'POST /api/user/confirm/passkey-options': nothing,
  'POST /api/user/confirm/mail': nothing,
  'POST /api/user/email': nothing,
  'POST /api/email-change/check': nothing,
  'POST /api/email-change': account,
  'POST /api/email-change/undo/check': nothing,
  'POST /api/email-change/undo': account,
  'POST /api/login/factor': whole,
  'POST /api/login/factor/passkey-options': nothing,
  'POST /api/user/factors': nothing,
  'DELETE /api/user/factors': factors,
  'POST /api/user/factors/verify': factors,
  'POST /api/user/factors/recovery-codes': factors,
  'DELETE /api/user/identities/{id}': ['/api/user/identities', '/api/user/security-activity'],
  'POST /api/login/passkey/options': nothing,
  'POST /api/login/passkey': whole,
  'POST /api/user/passkeys/options': nothing,
  'POST /api/user/passkeys': factors,
  'PATCH /api/user/passkeys/{id}': factors,
  'DELETE /api/user/passkeys/{id}': factors,
  'POST /api/forgot-password': nothing,
  'POST /api/reset-password': whole,
  'POST /api/reset-password/check': nothing,
  'POST /api/change-password': [...sessions, '/api/user'],
  'POST /api/sign-in-mails': nothing,
  'POST /api/sign-in-links/check': nothing,
  'POST /api/sign-in-links': whole,
  'POST /api/sign-in-codes': whole,
  'POST /api/single-sign-on': nothing,
  'POST /api/single-sign-on/link': whole,
  'POST /api/single-sign-on/link/code': nothing,
  'POST /api/zones': zones,
  'PATCH /api/zones/{id}': zoneNamed,
  'DELETE /api/zones/{id}': zones,
  'POST /api/zones/{id}/toggle-favorite': answered,
  'POST /api/zones/{id}/visits': ['/api/home'],
  'POST /api/zones/{id}/join-requests/{requestId}/approve': people,
  'POST /api/zones/{id}/join-requests/{requestId}/decline': people,
  'DELETE /api/shared-zones/{id}': ['/api/shared-zones'],
  'POST /api/zones/{id}/leave': [...ownPlaces, '/api/zones/{id}'],
  'POST /api/zones/{id}/consent': ['/api/shared-zones', '/api/zones/{id}'],
  'DELETE /api/zones/{id}/consent': ['/api/shared-zones', '/api/zones/{id}'],
  'PATCH /api/zones/{id}/members/{userId}': people,
  'DELETE /api/zones/{id}/members/{userId}': people,
  'POST /api/zones/{id}/members/{userId}/restore': people,
  'POST /api/unsubscribe/{token}': ownPlaces,
  'POST /api/unsubscribe/{token}/undo': ownPlaces,
  'POST /api/unsubscribe/{token}/consent': ['/api/unsubscribe/info/{token}', '/api/shared-zones'],
  'DELETE /api/unsubscribe/{token}/consent': ['/api/unsubscribe/info/{token}', '/api/shared-zones'],
  'POST /api/zones/{id}/invite': people,
  'DELETE /api/zones/{id}/invitations/{invitationId}': people,
  'POST /api/zones/{id}/invitations/{invitationId}/resend': people,
  'POST /api/accept-invite': ownPlaces,
  'POST /api/user/invitations/{id}/accept': ownPlaces,
  'POST /api/zones/{id}/members/import': people,
  'POST /api/zones/{id}/blocks': people,
  'DELETE /api/zones/{id}/blocks/{userId}': people,
  'POST /api/zones/{id}/files': files,
  'PATCH /api/files/{id}': filesShown,
  'DELETE /api/files/{id}': files,
  'PATCH /api/files/{id}/rename': filesShown,
  'POST /api/files/{id}/pages/unlock': ['/api/files/{id}/pages'],
  'POST /api/files/{id}/pages/retry': [...filesShown, '/api/files/{id}/pages'],
  'POST /api/zones/{id}/download': nothing,
  'POST /api/zones/{id}/folders': files,
  'PATCH /api/folders/{id}': filesShown,
  'DELETE /api/folders/{id}': files,
  'PATCH /api/files/{id}/move': filesShown,
  'PATCH /api/folders/{id}/move': filesShown,
  'POST /api/zones/{id}/move': filesShown,
  'POST /api/zones/{id}/delete': files,
  'POST /api/zones/{id}/trash/restore': files,
  'POST /api/zones/{id}/trash/purge': files,
  'POST /api/uploads': files,
  'PATCH /api/uploads/{id}': files,
  'DELETE /api/uploads/{id}': files,
  'POST /api/zones/{id}/folder-mirrors': mirrors,
  'PATCH /api/folder-mirrors/{id}': mirrors,
  'DELETE /api/folder-mirrors/{id}': mirrors,
  'POST /api/public-zones/{publicLink}/join': whole,
  'POST /api/verify-email': whole,
  'POST /api/zones/{id}/temporary-links': links,
  'PATCH /api/temporary-links/{id}': links,
  'DELETE /api/temporary-links/{id}': links,
  'POST /api/zones/{id}/public-link/regenerate': ['/api/zones/{id}', '/api/zones'],
  'POST /api/temporary-links/{token}/join': whole,
  'POST /api/join-codes': whole,
  'POST /api/campaigns': drafts,
  'PUT /api/campaigns/{id}': drafts,
  'DELETE /api/campaigns/{id}': campaigns,
  'POST /api/zones/{id}/suppressed-members/lift': people,
  'PUT /api/zones/{id}/mail-settings': sender,
  'DELETE /api/zones/{id}/suppressed-members/{userId}': people,
  'POST /api/zones/{id}/mail-settings/reply-to-link': answered,
  'POST /api/reply-to/check': nothing,
  'POST /api/reply-to': ['/api/zones/{id}/mail-settings'],
  'POST /api/campaigns/{id}/send': campaigns,
  'POST /api/campaigns/{id}/schedule': campaigns,
  'POST /api/campaigns/{id}/unschedule': campaigns,
  'POST /api/campaigns/{id}/pause': campaigns,
  'POST /api/campaigns/{id}/resume': campaigns,
  'POST /api/campaigns/{id}/cancel': campaigns,
  'POST /api/campaigns/{id}/retry-failed': campaigns,
  'POST /api/campaigns/{id}/test': ['/api/user/email-quota', '/api/user/usage'],
  'POST /api/email-templates': ['/api/email-templates'],
  'PUT /api/email-templates/{id}': ['/api/email-templates'],
  'DELETE /api/email-templates/{id}': ['/api/email-templates'],
  'POST /api/zones/{id}/campaigns': drafts,
  'POST /api/zones/{id}/send-email': campaigns,
  'POST /api/zones/{id}/campaigns/preview': nothing,
  'POST /api/subscription-status/refresh': ['/api/user', '/api/user/usage'],
  'POST /api/create-subscription': nothing,
  'POST /api/manage-subscription': nothing,
  'POST /api/feature-suggestions': suggestions,
  'POST /api/feature-suggestions/{id}/vote': answered,
  'DELETE /api/feature-suggestions/{id}/vote': answered,
  'PATCH /api/feature-suggestions/{id}/words': suggestions,
  'POST /api/feature-suggestions/{id}/withdraw': suggestions,
  'PATCH /api/feature-suggestions/{id}': suggestions,
  'DELETE /api/feature-suggestions/{id}': suggestions,
  'POST /api/feature-suggestions/{id}/merge': suggestions,
  'DELETE /api/feature-suggestions/{id}/merge': suggestions,
  'POST /api/dashboard/start': answered,
  'DELETE /api/user': whole,
  'POST /api/user/verification-mail': nothing,
  'PUT /api/user/profile': answered,
  'POST /api/user/picture': answered,
  'DELETE /api/user/picture': answered,
  'DELETE /api/user/sessions': sessions,
  'DELETE /api/user/sessions/{id}': sessions,
  'POST /api/user/tokens': ['/api/user/tokens'],
  'DELETE /api/user/tokens/{id}': ['/api/user/tokens'],
  'POST /api/setup': whole,
};
