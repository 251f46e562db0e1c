import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, makeUser } from '../../../test/api';
import { sampleUsage } from '../../../test/billing';
import { makeDashboardStats } from '../../../test/dashboard-stats';
import { renderApp } from '../../../test/render';
import { setHomePreference } from '../../shared/account/home-preference';
import { clearPrefetchCache } from '../../shared/api/prefetch-cache';
import { currentUserKey } from '../../shared/api/current-user';
import { firstAsks } from './first-asks';
import { goAhead } from './go-ahead';

const script = readFileSync(join(import.meta.dirname, '../../../vite/first-paint.js'), 'utf8');
const creatorsAsks = firstAsks.pages['/']!;
const around = [...firstAsks.always, ...firstAsks.signedIn];

const creates = makeUser();
const readsOnly = makeUser({ zoneCount: 0, sharedZoneCount: 1 });
const both = makeUser({ zoneCount: 2, sharedZoneCount: 1 });

function serve(user: ReturnType<typeof makeUser>) {
  return mockApi({
    'GET /api/user': [200, user],
    'GET /api/home': [200, { zones: [], recentFiles: [], invitations: [] }],
    'GET /api/user/usage': [200, sampleUsage],
    'GET /api/dashboard/stats': [200, makeDashboardStats({})],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/zones': [200, []],
  });
}

/** What the document of `/` asks by itself, as the server writes it and the browser reads it. */
function askedByDocument(): string[] {
  const root = document.documentElement;
  root.dataset.asks = [...around, ...creatorsAsks].join(' ');
  root.dataset.readersAsks = [...around, ...firstAsks.readers['/']!].join(' ');
  const element = document.createElement('script');
  element.textContent = script;
  document.head.append(element);
  element.remove();
  delete root.dataset.asks;
  delete root.dataset.readersAsks;
  return Object.keys(globalThis.prefetchedRequests!).slice(around.length);
}

beforeEach(() => {
  localStorage.clear();
  clearPrefetchCache();
  window.matchMedia ??= (media) => ({ media, matches: false }) as MediaQueryList;
});
afterEach(() => delete globalThis.prefetchedRequests);

describe('Requests made by the start page’s document', () => {
  it('are the dashboard’s for creators and in a new browser', async () => {
    const server = serve(creates);
    expect(askedByDocument()).toEqual(creatorsAsks);
    await renderApp('/');
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(askedByDocument()).toEqual(creatorsAsks);
    expect(server.calls.map(({ route }) => route)).not.toContain('GET /api/home');
  });

  it('are the home page’s for readers, identical to the ones the page makes', async () => {
    const server = serve(readsOnly);
    await renderApp('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(askedByDocument()).toEqual(['/api/home']);
    const before = server.calls.length;
    goAhead([{ path: '/', element: null }], '/');
    await waitFor(() => expect(server.calls.length).toBeGreaterThan(before));
    expect(server.calls.slice(before).map(({ route }) => route)).toEqual(['GET /api/home']);
    await renderApp('/');
    await screen.findByRole('heading', { level: 1, name: 'Home' });
    // It takes what was asked for ahead.
    expect(server.callsTo('GET /api/home')).toHaveLength(1);
  });

  it('follow the chosen start page and are reset on sign-out', async () => {
    serve(both);
    const { queries } = await renderApp('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(askedByDocument()).toEqual(creatorsAsks);
    act(() => setHomePreference('reading'));
    expect(askedByDocument()).toEqual(['/api/home']);
    mockApi({ 'GET /api/user': notSignedInResponse });
    await act(() => queries.resetQueries({ queryKey: currentUserKey }));
    await waitFor(() => expect(localStorage.getItem('zonary.reads')).toBeNull());
    expect(askedByDocument()).toEqual(creatorsAsks);
    act(() => setHomePreference('creating'));
  });
});
