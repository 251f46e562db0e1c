import { screen } from '@testing-library/react';
import { notSignedIn, pretendApi, someone, type Answer } from './api';
import { someStats } from './figures';

const none = { totalZones: 0, totalFiles: 0, totalMembers: 0, totalDownloads: 0, totalStorage: 0 };

/** A server to which nobody is signed in. */
export const signedOut: Record<string, Answer> = { 'GET /api/user': notSignedIn };
/** What the dashboard asks for, to which signing in leads. */
export const dashboard: Record<string, Answer> = {
  'GET /api/dashboard/stats': [200, someStats(none)],
  'GET /api/dashboard/activity': [200, []],
  'GET /api/zones': [200, []],
};

/** Waits for a button. */
export const button = (name: string) => screen.findByRole('button', { name });

const waysIn: readonly [route: string, status: number][] = [
  ['POST /api/login', 200],
  ['POST /api/login/passkey', 200],
  ['POST /api/register', 201],
  ['POST /api/sign-in-codes', 200],
  ['POST /api/sign-in-links', 200],
];

/** A server on which every way of signing in works, and gives this person. */
export function serverThatSignsIn(user = someone(), more: Record<string, Answer> = {}) {
  const server = pretendApi({ ...signedOut, ...dashboard, ...more });
  const succeed = (status: number): Answer => {
    return () => {
      server.answer('GET /api/user', [200, user]);
      return [status, user];
    };
  };
  for (const [route, status] of waysIn) if (!(route in more)) server.answer(route, succeed(status));
  return server;
}

/** Nothing of an earlier test is remembered. */
export function forgetEverything(): void {
  localStorage.clear();
  sessionStorage.clear();
}
