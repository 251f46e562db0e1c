import { lazyPage } from './lazy-page';
import { muiPage } from './mui-page';

export const LandingPage = lazyPage(
  () => import('../features/landing/landing.page').then((m) => m.LandingPage),
  ['landing'],
);
export const NotFoundPage = lazyPage(
  () => import('../features/not-found/not-found.page').then((m) => m.NotFoundPage),
  ['notFound'],
);
export const AuthPage = muiPage(() => import('../features/auth/auth.page').then((m) => m.AuthPage), ['auth']);
export const AuthScreen = muiPage(() => import('../features/auth/auth-screen').then((m) => m.AuthScreen), ['auth']);
export const CompleteProfilePage = muiPage(
  () => import('../features/auth/complete-profile.page').then((m) => m.CompleteProfilePage),
  ['auth'],
);
export const VerifyEmailPage = lazyPage(
  () => import('../features/auth/verify-email.page').then((m) => m.VerifyEmailPage),
  ['auth'],
);
export const AppShell = lazyPage(() => import('./layout/app-shell').then((m) => m.AppShell), ['common']);
export const DashboardPage = lazyPage(
  () => import('../features/dashboard/dashboard.page').then((m) => m.DashboardPage),
  ['dashboard'],
);
