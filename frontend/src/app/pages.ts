import { lazyPage } from './loading/lazy-page';
import { muiPage } from './loading/mui-page';

export const LandingPage = lazyPage(
  () => import('../features/landing/landing.page').then((m) => m.LandingPage),
  ['landing'],
);
export const NotFoundPage = lazyPage(
  () => import('../features/not-found/not-found.page').then((m) => m.NotFoundPage),
  ['notFound'],
);
export const PrivacyPage = lazyPage(
  () => import('../features/privacy/privacy.page').then((m) => m.PrivacyPage),
  ['privacy'],
);
export const LegalPage = lazyPage(() => import('../features/privacy/legal.page').then((m) => m.LegalPage), ['privacy']);
export const AuthPage = lazyPage(
  () => import('../features/auth/auth.page').then((m) => m.AuthPage),
  ['auth', 'account', 'verification'],
);
export const AuthScreen = lazyPage(
  () => import('../features/auth/auth-screen').then((m) => m.AuthScreen),
  ['auth', 'account', 'verification'],
);
export const SessionExpiredDialog = muiPage(
  () => import('../features/auth/session-expired-dialog').then((m) => m.SessionExpiredDialog),
  ['auth', 'verification'],
);
export const CompleteProfilePage = muiPage(
  () => import('../features/auth/complete-profile.page').then((m) => m.CompleteProfilePage),
  ['auth', 'account', 'verification'],
);
export const SecondFactorRequired = muiPage(
  () => import('./layout/second-factor-required').then((m) => m.SecondFactorRequired),
  ['settings', 'verification'],
);
export const ForgotPasswordPage = lazyPage(
  () => import('../features/auth/password-reset/forgot-password.page').then((m) => m.ForgotPasswordPage),
  ['auth'],
);
export const SignInLinkPage = lazyPage(
  () => import('../features/auth/email-sign-in/sign-in-link.page').then((m) => m.SignInLinkPage),
  ['auth', 'account', 'verification'],
);
export const ResetPasswordPage = lazyPage(
  () => import('../features/auth/password-reset/reset-password.page').then((m) => m.ResetPasswordPage),
  ['auth', 'account'],
);
export const SetupPage = muiPage(
  () => import('../features/auth/setup/setup.page').then((m) => m.SetupPage),
  ['setup', 'account', 'installation'],
);
export const VerifyEmailPage = lazyPage(
  () => import('../features/auth/verify-email.page').then((m) => m.VerifyEmailPage),
  ['auth'],
);
export const ChangeEmailPage = lazyPage(
  () => import('../features/auth/email-change.page').then((m) => m.ChangeEmailPage),
  ['auth'],
);
export const UndoEmailChangePage = lazyPage(
  () => import('../features/auth/email-change.page').then((m) => m.UndoEmailChangePage),
  ['auth'],
);
export const ReplyToPage = lazyPage(
  () => import('../features/auth/email-change.page').then((m) => m.ReplyToPage),
  ['auth'],
);
export const AppShell = lazyPage(() => import('./layout/app-shell').then((m) => m.AppShell), ['common']);
export const StartPage = lazyPage(
  () => import('./composed-pages/start.page').then((m) => m.StartPage),
  ['dashboard', 'invitations', 'newZone', 'sharedZones'],
);
export const DashboardOrHome = lazyPage(
  () => import('./composed-pages/start.page').then((m) => m.DashboardOrHome),
  ['dashboard', 'invitations', 'newZone', 'sharedZones'],
);
export const ZonesPage = lazyPage(
  () => import('../features/zones/zones.page').then((m) => m.ZonesPage),
  ['zones', 'browse'],
);
export const FilesPage = lazyPage(
  () => import('./composed-pages/files.page').then((m) => m.ComposedFilesPage),
  ['files', 'browse', 'links'],
);
export const ReaderPage = lazyPage(
  () => import('../features/reader/reader.page').then((m) => m.ReaderPage),
  ['reader'],
);
export const TrashPage = lazyPage(
  () => import('../features/files/trash/trash.page').then((m) => m.TrashPage),
  ['files'],
);
export const FilesOverviewPage = lazyPage(
  () => import('../features/files/overview/files-overview.page').then((m) => m.FilesOverviewPage),
  ['filesOverview'],
);
export const ZonePage = lazyPage(
  () => import('./composed-pages/zone.page').then((m) => m.ComposedZonePage),
  ['zones', 'invitations', 'newZone', 'sharedZones'],
);
export const MembersPage = lazyPage(
  () => import('./composed-pages/members.page').then((m) => m.ComposedMembersPage),
  ['members', 'browse', 'invitations', 'zones'],
);
export const ZoneSharePage = lazyPage(
  () => import('./composed-pages/zone-share.page').then((m) => m.ComposedZoneSharePage),
  ['zones', 'links', 'mirrors'],
);
export const ZoneSettingsPage = lazyPage(
  () => import('../features/zones/zone-settings.page').then((m) => m.ZoneSettingsPage),
  ['zones'],
);
export const SharedZonesPage = lazyPage(
  () => import('../features/shared-zones/shared-zones.page').then((m) => m.SharedZonesPage),
  ['sharedZones', 'browse'],
);
export const SettingsPage = lazyPage(
  () => import('../features/settings/settings.page').then((m) => m.SettingsPage),
  ['settings', 'account', 'verification'],
);
export const PricingPage = lazyPage(
  () => import('../features/billing/pricing.page').then((m) => m.PricingPage),
  ['billing'],
);
export const CheckoutPage = lazyPage(
  () => import('../features/billing/checkout.page').then((m) => m.CheckoutPage),
  ['billing'],
);
export const AnalyticsPage = lazyPage(
  () => import('./composed-pages/analytics.page').then((m) => m.ComposedAnalyticsPage),
  ['insights', 'dashboard'],
);
export const CampaignsPage = lazyPage(
  () => import('../features/campaigns/campaigns.page').then((m) => m.CampaignsPage),
  ['campaigns'],
);
export const CampaignPage = lazyPage(
  () => import('../features/campaigns/campaign.page').then((m) => m.CampaignPage),
  ['campaigns', 'newZone'],
);
export const ZoneCampaignsPage = lazyPage(
  () => import('../features/campaigns/zone/zone-campaigns.page').then((m) => m.ZoneCampaignsPage),
  ['campaigns'],
);
export const JoinPage = lazyPage(() => import('../features/join/join.page').then((m) => m.JoinPage), ['join']);
export const TemporaryJoinPage = lazyPage(
  () => import('../features/join/temporary-join.page').then((m) => m.TemporaryJoinPage),
  ['join'],
);
export const SharedItemPage = lazyPage(
  () => import('../features/shared-item/shared-item.page').then((m) => m.SharedItemPage),
  ['sharedItem'],
);
export const SharedReaderPage = lazyPage(
  () => import('../features/reader/reader.page').then((m) => m.SharedReaderPage),
  ['reader'],
);
export const VisitorPreviewPage = lazyPage(
  () => import('../features/join/visitor-preview.page').then((m) => m.VisitorPreviewPage),
  ['join'],
);
export const InvitePage = lazyPage(
  () => import('../features/invitations/invite.page').then((m) => m.InvitePage),
  ['acceptInvitation'],
);
export const UnsubscribePage = lazyPage(
  () => import('../features/unsubscribe/unsubscribe.page').then((m) => m.UnsubscribePage),
  ['unsubscribe'],
);
export const MembersOverviewPage = lazyPage(
  () => import('../features/members/overview/members-overview.page').then((m) => m.MembersOverviewPage),
  ['members'],
);
export const SuggestionsPage = lazyPage(
  () => import('../features/suggestions/suggestions.page').then((m) => m.SuggestionsPage),
  ['suggestions'],
);
export const NoAccessPage = lazyPage(() => import('./no-access.page').then((m) => m.NoAccessPage), ['common']);
export const AdminPage = lazyPage(
  () => import('../admin/platform/admin.page').then((m) => m.AdminPage),
  ['admin', 'installation', 'suggestions', 'reactAdmin'],
);
export const WooCommerceAdminPage = lazyPage(
  () => import('../admin/integrations/woocommerce-admin.page').then((m) => m.WooCommerceAdminPage),
  ['integrations', 'admin', 'reactAdmin'],
);
export const AcedumyAdminPage = lazyPage(
  () => import('../admin/integrations/acedumy-admin.page').then((m) => m.AcedumyAdminPage),
  ['integrations', 'admin', 'reactAdmin'],
);
export const StripeAcedumyAdminPage = lazyPage(
  () => import('../admin/integrations/stripe-acedumy-admin.page').then((m) => m.StripeAcedumyAdminPage),
  ['integrations', 'admin', 'reactAdmin'],
);
