import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { matchRoutes } from 'react-router';
import { notSignedInResponse, mockApi, makeUser } from '../../../test/api';
import { sampleUsage } from '../../../test/billing';
import { makeDashboardStats } from '../../../test/dashboard-stats';
import { renderApp } from '../../../test/render';
import { setHomePreference } from '../../shared/account/home-preference';
import { clearPrefetchCache } from '../../shared/api/prefetch-cache';
import { currentUserKey } from '../../shared/api/current-user';
import { routes } from '../router';
import type { PageHandle } from './page-route';
import { prefetchRoute } from './prefetch-route';

const script = readFileSync(join(import.meta.dirname, '../../../vite/first-paint.js'), 'utf8');
const startPage = matchRoutes(routes, '/')!.at(-1)!.route.handle as PageHandle;
const creatorsPaths = startPage.requests;

const creator = makeUser();
const member = makeUser({ zoneCount: 0, sharedZoneCount: 1 });
const ownerAndMember = makeUser({ zoneCount: 2, sharedZoneCount: 1 });

function mockServer(user: ReturnType<typeof makeUser>) {
  return mockApi({
    'GET /api/user': [200, user],
    'GET /api/home': [200, { zones: [], continueReading: [], recentFiles: [], invitations: [] }],
    'GET /api/user/usage': [200, sampleUsage],
    'GET /api/dashboard/stats': [200, makeDashboardStats({})],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/zones': [200, []],
  });
}

/** Runs the script of the document of `/`; returns the paths it requests. */
function runDocumentScript(): string[] {
  const root = document.documentElement;
  root.dataset.prefetches = creatorsPaths.join(' ');
  root.dataset.memberHomePrefetches = startPage.memberHomeRequests!.join(' ');
  const element = document.createElement('script');
  element.textContent = script;
  document.head.append(element);
  element.remove();
  delete root.dataset.prefetches;
  delete root.dataset.memberHomePrefetches;
  return Object.keys(globalThis.prefetchedRequests!);
}

beforeEach(() => {
  localStorage.clear();
  clearPrefetchCache();
  window.matchMedia ??= (media) => ({ media, matches: false }) as MediaQueryList;
});
afterEach(() => delete globalThis.prefetchedRequests);

describe('Inline script of the start page', () => {
  it('requests the dashboard’s data for creators and in a new browser', async () => {
    const server = mockServer(creator);
    expect(runDocumentScript()).toEqual(creatorsPaths);
    await renderApp('/');
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(runDocumentScript()).toEqual(creatorsPaths);
    expect(server.calls.map(({ route }) => route)).not.toContain('GET /api/home');
  });

  it('requests the home page’s data for members, exactly like the page itself', async () => {
    const server = mockServer(member);
    await renderApp('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(runDocumentScript()).toEqual(['/api/home']);
    const callCount = server.calls.length;
    prefetchRoute(routes, '/');
    await waitFor(() => expect(server.calls.length).toBeGreaterThan(callCount));
    expect(server.calls.slice(callCount).map(({ route }) => route)).toEqual(['GET /api/home']);
    await renderApp('/');
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    // The page uses the prefetched response.
    expect(server.callsTo('GET /api/home')).toHaveLength(1);
  });

  it('follows the chosen start page and forgets it on sign-out', async () => {
    mockServer(ownerAndMember);
    const { queries } = await renderApp('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(runDocumentScript()).toEqual(creatorsPaths);
    act(() => setHomePreference('reading'));
    expect(runDocumentScript()).toEqual(['/api/home']);
    mockApi({ 'GET /api/user': notSignedInResponse });
    await act(() => queries.resetQueries({ queryKey: currentUserKey }));
    await waitFor(() => expect(localStorage.getItem('zonary.reads')).toBeNull());
    expect(runDocumentScript()).toEqual(creatorsPaths);
    act(() => setHomePreference('creating'));
  });
});
