import type { ReactNode } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { BillingGate } from '../shared/site/billing-gate';
import { RequireAdmin } from './require-admin';
import { bareLayout } from './layout/bare-layout';
import { DashboardOrHome, StartPage } from './layout/start-page';
import {
  ChangeEmailPage,
  UndoEmailChangePage,
  ReplyToPage,
  AcedumyAdminPage,
  AnalyticsPage,
  AdminPage,
  AuthPage,
  CampaignPage,
  CampaignsPage,
  CheckoutPage,
  CompleteProfilePage,
  DashboardStatCards,
  DashboardPage,
  FilesOverviewPage,
  FilesPage,
  ForgotPasswordPage,
  HomePage,
  InviteAction,
  InvitePage,
  InviteToAnyZone,
  JoinPage,
  JoinRequests,
  LandingPage,
  LegalPage,
  LinksPanel,
  SignInLinkPage,
  MembersOverviewPage,
  MembersPage,
  MirrorPanel,
  NotFoundPage,
  PendingInvitations,
  PricingPage,
  PrivacyPage,
  ReaderPage,
  RecentActivity,
  ResetPasswordPage,
  SettingsPage,
  SetupPage,
  SharedZonesPage,
  StripeAcedumyAdminPage,
  SuggestionsPage,
  TemporaryJoinPage,
  TrashPage,
  UnsubscribePage,
  VerifyEmailPage,
  VisitorPreviewPage,
  WooCommerceAdminPage,
  ZoneCampaignsPage,
  ZonePage,
  ZoneLeaveMenu,
  ZoneSettingsPage,
  ZoneSharePage,
  ZonesPage,
} from './pages';
import { Root } from './root';
import { RouteError } from './route-error';
import { ScreenError } from './screen-error';
import { SignedInArea } from './signed-in-area';

/** A failure is ignored here; it is shown when a file is opened. */
const preloadReader = () => void ReaderPage.preload().catch(() => undefined);

const dashboard = <DashboardPage inviteAction={<InviteToAnyZone />} />;
const startPage = <StartPage home={<HomePage />} dashboard={dashboard} />;

/** Where nothing is sold the page does not exist; the server answers 404 as well. */
const withBillingGate = (page: ReactNode) => <BillingGate fallback={<NotFoundPage />}>{page}</BillingGate>;

/** Shows errors of these routes in their own area, so that the layout around them stays. */
function withScreenError(children: RouteObject[]): RouteObject[] {
  return [{ errorElement: <ScreenError />, children }];
}

/** Pages for signed-in users; others see the sign-in screen instead. */
const signedIn: RouteObject[] = [
  { path: '/', element: startPage },
  { path: '/dashboard', element: <DashboardOrHome home={<HomePage />} dashboard={dashboard} /> },
  { path: '/zones', element: <ZonesPage /> },
  {
    path: '/zones/:zoneId',
    element: <ZonePage inviteAction={<InviteAction />} leaveAction={<ZoneLeaveMenu />} />,
    children: withScreenError([
      { index: true, element: <FilesPage onLoaded={preloadReader} /> },
      { path: 'folders/:folderId', element: <FilesPage onLoaded={preloadReader} /> },
      { path: 'trash', element: <TrashPage /> },
      { path: 'members', element: <MembersPage requests={<JoinRequests />} invitations={<PendingInvitations />} /> },
      { path: 'share', element: <ZoneSharePage links={<LinksPanel />} mirrors={<MirrorPanel />} /> },
      { path: 'campaigns', element: <ZoneCampaignsPage /> },
      { path: 'settings', element: <ZoneSettingsPage /> },
    ]),
  },
  // Beside the zone's route, not inside it: the zone's header isn't needed above a document.
  { path: '/zones/:zoneId/files/:fileId', element: <ReaderPage />, handle: bareLayout },
  { path: '/files', element: <FilesOverviewPage /> },
  { path: '/members', element: <MembersOverviewPage /> },
  { path: '/campaigns', element: <CampaignsPage /> },
  { path: '/email-campaigns', element: <CampaignsPage /> },
  { path: '/campaigns/:campaignId', element: <CampaignPage /> },
  {
    path: '/analytics',
    element: <AnalyticsPage statCards={<DashboardStatCards />} recentActivity={<RecentActivity />} />,
  },
  { path: '/shared-zones', element: <SharedZonesPage /> },
  { path: '/feature-suggestions', element: <SuggestionsPage /> },
  { path: '/settings', element: <SettingsPage /> },
  { path: '/checkout', element: withBillingGate(<CheckoutPage />) },
  {
    element: <RequireAdmin />,
    children: [
      { path: '/admin/:tab?/:id?', element: <AdminPage /> },
      { path: '/woocommerce-admin/:tab?', element: <WooCommerceAdminPage /> },
      { path: '/acedumy-admin/:tab?', element: <AcedumyAdminPage /> },
      { path: '/stripe-acedumy-admin/:tab?', element: <StripeAcedumyAdminPage /> },
    ],
  },
];

const publicRoutes: RouteObject[] = [
  { path: '/home', element: <LandingPage /> },
  { path: '/pricing', element: withBillingGate(<PricingPage />) },
  { path: '/privacy', element: <PrivacyPage /> },
  { path: '/terms', element: <LegalPage page="terms" fallback={<NotFoundPage />} /> },
  { path: '/imprint', element: <LegalPage page="imprint" fallback={<NotFoundPage />} /> },
  { path: '/auth', element: <AuthPage /> },
  { path: '/login', element: <AuthPage /> },
  { path: '/complete-profile', element: <CompleteProfilePage /> },
  { path: '/change-password', element: <CompleteProfilePage defaultDestination="/settings#password" /> },
  { path: '/sign-in', element: <SignInLinkPage /> },
  { path: '/forgot-password', element: <ForgotPasswordPage /> },
  { path: '/reset-password', element: <ResetPasswordPage /> },
  { path: '/setup', element: <SetupPage /> },
  { path: '/invite/:token', element: <InvitePage /> },
  { path: '/join/:publicLink', element: <JoinPage /> },
  { path: '/zone/temp/:token', element: <TemporaryJoinPage /> },
  { path: '/zones/:zoneId/visitor', element: <VisitorPreviewPage /> },
  { path: '/verify-email', element: <VerifyEmailPage /> },
  { path: '/change-email', element: <ChangeEmailPage /> },
  { path: '/undo-email-change', element: <UndoEmailChangePage /> },
  { path: '/reply-to', element: <ReplyToPage /> },
  { path: '/unsubscribe/:token', element: <UnsubscribePage /> },
  { path: '*', element: <NotFoundPage /> },
];

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError />,
    children: [{ element: <SignedInArea />, children: withScreenError(signedIn) }, ...publicRoutes],
  },
];

export const createRouter = () => createBrowserRouter(routes);
