import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { notSignedIn, pretendApi, someone } from '../../../test/api';
import { someUsage } from '../../../test/billing';
import { someStats } from '../../../test/figures';
import { renderProduct } from '../../../test/render';
import { chooseFirstPage } from '../../shared/account/first-page';
import { forgetAskedAhead } from '../../shared/api/asked-ahead';
import { currentUserKey } from '../../shared/api/current-user';
import { firstAsks } from './first-asks';
import { goAhead } from './go-ahead';

const script = readFileSync(join(import.meta.dirname, '../../../vite/first-paint.js'), 'utf8');
const creatorsAsks = firstAsks.pages['/']!;
const around = [...firstAsks.always, ...firstAsks.signedIn];

const creates = someone();
const readsOnly = someone({ zoneCount: 0, sharedZoneCount: 1 });
const both = someone({ zoneCount: 2, sharedZoneCount: 1 });

function serve(user: ReturnType<typeof someone>) {
  return pretendApi({
    'GET /api/user': [200, user],
    'GET /api/home': [200, { zones: [], recentFiles: [], invitations: [] }],
    'GET /api/user/usage': [200, someUsage],
    'GET /api/dashboard/stats': [200, someStats({})],
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
  return Object.keys(globalThis.askedAhead!).slice(around.length);
}

beforeEach(() => {
  localStorage.clear();
  forgetAskedAhead();
  window.matchMedia ??= (media) => ({ media, matches: false }) as MediaQueryList;
});
afterEach(() => delete globalThis.askedAhead);

describe('what the document of the first page asks for', () => {
  it('is what the dashboard needs for who creates, and in a browser that remembers nothing', async () => {
    const server = serve(creates);
    expect(askedByDocument()).toEqual(creatorsAsks);
    await renderProduct('/');
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(askedByDocument()).toEqual(creatorsAsks);
    expect(server.calls.map(({ route }) => route)).not.toContain('GET /api/home');
  });

  it('is what the home needs once somebody has read here, exactly as the home asks for it', async () => {
    const server = serve(readsOnly);
    await renderProduct('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(askedByDocument()).toEqual(['/api/home']);
    const before = server.calls.length;
    goAhead([{ path: '/', element: null }], '/');
    await waitFor(() => expect(server.calls.length).toBeGreaterThan(before));
    expect(server.calls.slice(before).map(({ route }) => route)).toEqual(['GET /api/home']);
    await renderProduct('/');
    await screen.findByRole('heading', { level: 1, name: 'Home' });
    // It takes what was asked for ahead.
    expect(server.callsOf('GET /api/home')).toHaveLength(1);
  });

  it('follows the choice of who does both, and is forgotten with whoever signs out', async () => {
    serve(both);
    const { queries } = await renderProduct('/zones');
    await screen.findByRole('heading', { level: 1, name: 'My Zones' });
    expect(askedByDocument()).toEqual(creatorsAsks);
    act(() => chooseFirstPage('reading'));
    expect(askedByDocument()).toEqual(['/api/home']);
    pretendApi({ 'GET /api/user': notSignedIn });
    await act(() => queries.resetQueries({ queryKey: currentUserKey }));
    await waitFor(() => expect(localStorage.getItem('zonary.reads')).toBeNull());
    expect(askedByDocument()).toEqual(creatorsAsks);
    act(() => chooseFirstPage('creating'));
  });
});
