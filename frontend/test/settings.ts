import { screen, within } from '@testing-library/react';
import type { CurrentUser } from '../src/shared/api/current-user';
import { mockApi, makeUser, type MockResponse } from './api';
import { makeSubscriptionStatus, sampleUsage } from './billing';
import { makeDashboardStats } from './dashboard-stats';
import { renderApp } from './render';

const defaultResponses: Record<string, MockResponse> = {
  'GET /api/dashboard/stats': [
    200,
    makeDashboardStats({ totalZones: 0, totalFiles: 0, totalMembers: 0, totalDownloads: 0, totalStorage: 0 }),
  ],
  'GET /api/user/factors': [200, { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false }],
  'GET /api/user/security-activity': [200, []],
  'GET /api/user/sessions': [200, []],
  'GET /api/user/tokens': [200, []],
  'GET /api/subscription-status': [200, makeSubscriptionStatus()],
  'GET /api/user/usage': [200, sampleUsage],
};

/** Opens a section of the settings with a mocked server. */
export async function openSettings(
  section: string,
  user: CurrentUser = makeUser(),
  extraResponses: Record<string, MockResponse> = {},
) {
  const server = mockApi({ ...defaultResponses, 'GET /api/user': [200, user], ...extraResponses });
  /** Accepts every change of the profile and returns it, like the server. */
  server.setResponse(
    'PUT /api/user/profile',
    extraResponses['PUT /api/user/profile'] ??
      (async (request) => [200, { user: { ...user, ...((await request.json()) as Partial<CurrentUser>) } }]),
  );
  const view = await renderApp('/settings', { language: user.language });
  const region = within(await screen.findByRole('region', { name: section }));
  return { ...view, server, region };
}

export const getToastText = () => document.querySelector('.z-toaster')?.textContent ?? '';
