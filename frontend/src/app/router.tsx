import { createBrowserRouter, type RouteObject } from 'react-router';
import { BillingGate } from '../shared/site/billing-gate';
import { page, type PageRoute } from './loading/page-route';
import {
  AcedumyAdminPage,
  AdminPage,
  AnalyticsPage,
  AuthPage,
  CampaignPage,
  CampaignsPage,
  ChangeEmailPage,
  CheckoutPage,
  CompleteProfilePage,
  DashboardOrHome,
  FilesOverviewPage,
  FilesPage,
  ForgotPasswordPage,
  InvitePage,
  JoinPage,
  LandingPage,
  LegalPage,
  MembersOverviewPage,
  MembersPage,
  NotFoundPage,
  PricingPage,
  PrivacyPage,
  ReaderPage,
  ReplyToPage,
  ResetPasswordPage,
  SettingsPage,
  SetupPage,
  SharedItemPage,
  SharedReaderPage,
  SharedZonesPage,
  SignInLinkPage,
  StartPage,
  StripeAcedumyAdminPage,
  SuggestionsPage,
  TemporaryJoinPage,
  TrashPage,
  UndoEmailChangePage,
  UnsubscribePage,
  VerifyEmailPage,
  VisitorPreviewPage,
  WooCommerceAdminPage,
  ZoneCampaignsPage,
  ZonePage,
  ZoneSettingsPage,
  ZoneSharePage,
  ZonesPage,
} from './pages';
import { RequireAdmin } from './require-admin';
import { Root } from './root';
import { RouteError } from './route-error';
import { ScreenError } from './screen-error';
import { SignedInArea } from './signed-in-area';

/** A failure is ignored here; it is shown when a file is opened. */
const preloadReader = () => void ReaderPage.preload().catch(() => undefined);
const filesPage = <FilesPage onLoaded={preloadReader} />;
const dashboardRequests = ['/api/zones', '/api/dashboard/start', '/api/dashboard/attention'];

/** Where nothing is sold the page does not exist; the server answers 404 as well. */
function withBillingGate({ element, handle }: PageRoute): PageRoute {
  return { element: <BillingGate fallback={<NotFoundPage />}>{element}</BillingGate>, handle };
}

/** Shows errors of these routes in their own area, so that the layout around them stays. */
function withScreenError(children: RouteObject[]): RouteObject[] {
  return [{ errorElement: <ScreenError />, children }];
}

/** Pages for signed-in users; others see the sign-in screen instead. */
const signedIn: RouteObject[] = [
  { path: '/', ...page(<StartPage />, dashboardRequests, { memberHomeRequests: ['/api/home'] }) },
  { path: '/dashboard', ...page(<DashboardOrHome />, dashboardRequests) },
  { path: '/zones', ...page(<ZonesPage />, ['/api/zones']) },
  {
    path: '/zones/:zoneId',
    ...page(<ZonePage />, ['/api/zones/:zoneId']),
    children: withScreenError([
      {
        index: true,
        ...page(filesPage, [
          '/api/zones/:zoneId/folders?order=asc&limit=100',
          '/api/zones/:zoneId/files?sort=name&order=asc&limit=100',
        ]),
      },
      {
        path: 'folders/:folderId',
        ...page(filesPage, [
          '/api/folders/:folderId',
          '/api/zones/:zoneId/folders?parentId=:folderId&order=asc&limit=100',
          '/api/zones/:zoneId/files?folderId=:folderId&sort=name&order=asc&limit=100',
        ]),
      },
      { path: 'trash', ...page(<TrashPage />) },
      { path: 'members', ...page(<MembersPage />) },
      { path: 'share', ...page(<ZoneSharePage />, ['/api/zones']) },
      { path: 'campaigns', ...page(<ZoneCampaignsPage />) },
      { path: 'settings', ...page(<ZoneSettingsPage />) },
    ]),
  },
  // Beside the zone's route, not inside it: the zone's header isn't needed above a document.
  {
    path: '/zones/:zoneId/files/:fileId',
    ...page(<ReaderPage />, ['/api/files/:fileId', '/api/files/:fileId/pages'], { isBare: true }),
  },
  { path: '/files', ...page(<FilesOverviewPage />, ['/api/zones', '/api/dashboard/stats']) },
  { path: '/members', ...page(<MembersOverviewPage />, ['/api/members']) },
  { path: '/campaigns', ...page(<CampaignsPage />, ['/api/campaigns', '/api/user/email-quota']) },
  { path: '/email-campaigns', ...page(<CampaignsPage />, ['/api/campaigns', '/api/user/email-quota']) },
  { path: '/campaigns/:campaignId', ...page(<CampaignPage />) },
  { path: '/analytics', ...page(<AnalyticsPage />) },
  { path: '/shared-zones', ...page(<SharedZonesPage />, ['/api/shared-zones']) },
  { path: '/feature-suggestions', ...page(<SuggestionsPage />, ['/api/feature-suggestions?sort=votes']) },
  { path: '/settings', ...page(<SettingsPage />) },
  { path: '/checkout', ...withBillingGate(page(<CheckoutPage />)) },
  {
    element: <RequireAdmin />,
    // Without `page()`, because it would load their code before the guard has decided.
    children: [
      { path: '/admin/:tab?/:id?', element: <AdminPage /> },
      { path: '/woocommerce-admin/:tab?/:id?', element: <WooCommerceAdminPage /> },
      { path: '/acedumy-admin/:tab?/:id?', element: <AcedumyAdminPage /> },
      { path: '/stripe-acedumy-admin/:tab?/:id?', element: <StripeAcedumyAdminPage /> },
    ],
  },
];

const publicRoutes: RouteObject[] = [
  { path: '/home', ...page(<LandingPage />) },
  { path: '/pricing', ...withBillingGate(page(<PricingPage />, ['/api/plans'])) },
  { path: '/privacy', ...page(<PrivacyPage />) },
  {
    path: '/terms',
    ...page(<LegalPage page="terms" fallback={<NotFoundPage />} />, ['/api/site/legal/terms']),
  },
  {
    path: '/imprint',
    ...page(<LegalPage page="imprint" fallback={<NotFoundPage />} />, ['/api/site/legal/imprint']),
  },
  { path: '/auth', ...page(<AuthPage />) },
  { path: '/login', ...page(<AuthPage />) },
  { path: '/complete-profile', ...page(<CompleteProfilePage />) },
  { path: '/change-password', ...page(<CompleteProfilePage defaultDestination="/settings#password" />) },
  { path: '/sign-in', ...page(<SignInLinkPage />) },
  { path: '/forgot-password', ...page(<ForgotPasswordPage />) },
  { path: '/reset-password', ...page(<ResetPasswordPage />) },
  { path: '/setup', ...page(<SetupPage />) },
  { path: '/invite/:token', ...page(<InvitePage />, ['/api/invite/:token']) },
  { path: '/join/:publicLink', ...page(<JoinPage />, ['/api/public-zones/:publicLink']) },
  { path: '/zone/temp/:token', ...page(<TemporaryJoinPage />, ['/api/temporary-links/:token']) },
  { path: '/s/:token', ...page(<SharedItemPage />, ['/api/shared/:token']) },
  { path: '/s/:token/folders/:folderId', ...page(<SharedItemPage />, ['/api/shared/:token']) },
  {
    path: '/s/:token/files/:fileId',
    ...page(<SharedReaderPage />, ['/api/shared/:token/files/:fileId', '/api/shared/:token/files/:fileId/pages']),
  },
  { path: '/zones/:zoneId/visitor', ...page(<VisitorPreviewPage />, ['/api/zones/:zoneId/visitor-preview']) },
  { path: '/verify-email', ...page(<VerifyEmailPage />) },
  { path: '/change-email', ...page(<ChangeEmailPage />) },
  { path: '/undo-email-change', ...page(<UndoEmailChangePage />) },
  { path: '/reply-to', ...page(<ReplyToPage />) },
  { path: '/unsubscribe/:token', ...page(<UnsubscribePage />) },
  { path: '*', ...page(<NotFoundPage />) },
];

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError />,
    children: [{ element: <SignedInArea />, children: withScreenError(signedIn) }, ...publicRoutes],
  },
];

export const createRouter = () => createBrowserRouter(routes);
