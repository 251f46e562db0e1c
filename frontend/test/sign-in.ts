import { screen } from '@testing-library/react';
import { notSignedInResponse, mockApi, makeUser, type MockResponse } from './api';
import { makeDashboardStats } from './dashboard-stats';

const emptyStats = { totalZones: 0, totalFiles: 0, totalMembers: 0, totalDownloads: 0, totalStorage: 0 };

export const signedOutResponses: Record<string, MockResponse> = { 'GET /api/user': notSignedInResponse };
/** Requests of the dashboard, which opens after sign-in. */
export const dashboardResponses: Record<string, MockResponse> = {
  'GET /api/dashboard/stats': [200, makeDashboardStats(emptyStats)],
  'GET /api/dashboard/activity': [200, []],
  'GET /api/zones': [200, []],
};

export const findButton = (name: string) => screen.findByRole('button', { name });

const signInRoutes: readonly [route: string, status: number][] = [
  ['POST /api/login', 200],
  ['POST /api/login/passkey', 200],
  ['POST /api/register', 201],
  ['POST /api/sign-in-codes', 200],
  ['POST /api/sign-in-links', 200],
];

/** A server on which every sign-in method works and returns this user. */
export function mockSignInApi(user = makeUser(), extraResponses: Record<string, MockResponse> = {}) {
  const server = mockApi({ ...signedOutResponses, ...dashboardResponses, ...extraResponses });
  const createSignInResponse = (status: number): MockResponse => {
    return () => {
      server.setResponse('GET /api/user', [200, user]);
      return [status, user];
    };
  };
  for (const [route, status] of signInRoutes)
    if (!(route in extraResponses)) server.setResponse(route, createSignInResponse(status));
  return server;
}

export function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}
