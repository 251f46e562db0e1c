import { screen, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { makeDashboardStats } from '../../../test/dashboard-stats';
import { mockPhone } from '../../../test/mobile';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';
import type { Schema } from '../../shared/api/client';
import { sortZones, type ZoneFigures } from './sort-zones';

// jsdom can't draw charts; the tests check that a chart is rendered and from which data.
jest.mock('@mui/x-charts/LineChart', () => ({ LineChart: () => null }));

const point = (from: string, more: object = {}) => ({
  from,
  to: from,
  views: 0,
  downloads: 0,
  joins: 0,
  leaves: 0,
  storage: null,
  ...more,
});
const series = (points: object[], more: object = {}) => ({
  from: '2026-11-20',
  to: '2026-11-21',
  bucket: 'day',
  timeZone: 'UTC',
  points,
  totals: { views: 3, downloads: 1, joins: 0, leaves: 0 },
  ...more,
});
const zoneFigures = (id: number, name: string, more: Partial<ZoneFigures> = {}): ZoneFigures => ({
  id,
  name,
  description: '',
  type: 'private',
  fileCount: 0,
  memberCount: 0,
  storage: 0,
  views: 0,
  downloads: 0,
  joins: 0,
  leaves: 0,
  ...more,
});

const fileFigures: Schema<'FileFiguresDto'> = {
  mostRead: [{ id: 5, name: 'Plan.pdf', zoneId: 1, zoneName: 'Yoga', ms: 80_000, readers: 2, views: 4, downloads: 1 }],
  unopened: [{ id: 6, name: 'Appendix.pdf', zoneId: 2, zoneName: 'Music', createdAt: '2026-11-20T10:00:00.000Z' }],
  unopenedCount: 21,
};

async function renderAnalytics(more: Record<string, MockResponse> = {}, at = '/analytics') {
  const api = mockApi({
    'GET /api/user': [200, makeUser({ timeZone: 'Asia/Tokyo' })],
    'GET /api/dashboard/stats': [200, makeDashboardStats({ totalZones: 2 })],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/zones': [200, [makeZone({ id: 1, name: 'Yoga' }), makeZone({ id: 2, name: 'Music' })]],
    'GET /api/analytics/series': [
      200,
      series([point('2026-11-20'), point('2026-11-21', { views: 3, downloads: 1, storage: 2048 })]),
    ],
    'GET /api/analytics/zones': [200, [zoneFigures(1, 'Yoga', { views: 2 }), zoneFigures(2, 'Music', { views: 9 })]],
    'GET /api/analytics/files': [200, fileFigures],
    ...more,
  });
  return { api, ...(await renderApp(at)) };
}

describe('Analytics page', () => {
  it('has short names of the measures on a phone', async () => {
    mockPhone();
    await renderAnalytics();
    const group = within(await screen.findByRole('group', { name: 'Show' }));
    expect(group.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Views', 'Members', 'Storage']);
    jest.restoreAllMocks();
  });

  it('describes the chart in text and shows its figures as a table on request', async () => {
    const { user } = await renderAnalytics();
    const chart = await screen.findByRole('img', { name: /Nov 20, 2026 to Nov 21, 2026/ });
    expect(chart).toHaveAccessibleName('Views and downloads from Nov 20, 2026 to Nov 21, 2026: Views 3, Downloads 1');
    await user.click(screen.getByRole('button', { name: 'Show as Table' }));
    const rows = within(screen.getByRole('region', { name: 'Statistics over time' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'DayViewsDownloadsJoinsLeavesStorage',
      'Nov 21, 202631002.0 KB',
      'Nov 20, 20260000–',
    ]);
    expect(screen.getByText(/^Days are in the Asia\/Tokyo time zone\. All zones includes/)).toBeVisible();
  });

  it('applies the chosen period and zone to the data, the URL and the exports', async () => {
    const { api, user, address } = await renderAnalytics();
    await screen.findByRole('img');
    await user.click(screen.getByRole('button', { name: '90 days' }));
    expect(address()).toBe('/analytics?range=90');
    await user.selectOptions(screen.getByLabelText('Zone'), 'Music');
    await screen.findByRole('img');
    const last = api.callsTo('GET /api/analytics/series').at(-1)!;
    expect(Object.fromEntries(last.query)).toEqual({ range: '90', zoneId: '2', timeZone: 'Asia/Tokyo' });
    expect(screen.getByRole('link', { name: 'Download Days as CSV' })).toHaveAttribute(
      'href',
      '/api/analytics/series.csv?range=90&timeZone=Asia%2FTokyo&zoneId=2',
    );
    expect(screen.getByRole('link', { name: 'Download Zones as CSV' })).toHaveAttribute(
      'href',
      '/api/analytics/zones.csv?range=90&timeZone=Asia%2FTokyo',
    );
  });

  it('keeps measure, zone and the order of the zones in the URL', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      zoneFigures(index + 1, `Zone ${index + 1}`, { views: index }),
    );
    const url = '/analytics?measure=stored&zone=2&sort=name&zones=all';
    const { api, user, address } = await renderAnalytics({ 'GET /api/analytics/zones': [200, many] }, url);
    expect(await screen.findByRole('img')).toHaveAccessibleName(/^Storage from/);
    const names = (await screen.findAllByRole('link', { name: /^Zone \d/ })).map(({ textContent }) => textContent);
    expect(names).toEqual(many.map(({ name }) => name));
    expect(api.callsTo('GET /api/analytics/series').map(({ query }) => query.get('zoneId'))).toEqual(['2']);
    await user.click(screen.getByRole('button', { name: 'Joins and leaves' }));
    await user.click(screen.getByRole('button', { name: 'Downloads' }));
    await user.selectOptions(screen.getByLabelText('Zone'), 'All zones');
    expect(address()).toBe('/analytics?measure=people&sort=downloads&zones=all');
  });

  it('shows empty states without activity and without zones', async () => {
    await renderAnalytics({
      'GET /api/analytics/series': [200, series([point('2026-11-21')])],
      'GET /api/analytics/zones': [200, []],
    });
    expect(await screen.findByText('Nothing happened in this period.')).toBeVisible();
    expect(await screen.findByText('No zones yet')).toBeVisible();
  });

  it('shows the first ten zones and all of them on request', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      zoneFigures(index + 1, `Zone ${index + 1}`, { views: 100 - index }),
    );
    const { user } = await renderAnalytics({ 'GET /api/analytics/zones': [200, many] });
    expect(await screen.findByRole('link', { name: 'Zone 10' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Zone 11' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show All 12 Zones' }));
    expect(screen.getByRole('link', { name: 'Zone 12' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Show all/i })).not.toBeInTheDocument();
  });

  it('shows what is read most and what nobody opened, in all zones or in one', async () => {
    const { api, user } = await renderAnalytics();
    const read = within(await screen.findByRole('table', { name: 'Read Most' }));
    expect(read.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'FileTimeReadersViewsDownloads',
      'Plan.pdfYoga1 min 20 sec2411 min 20 sec',
    ]);
    expect(read.getByRole('link', { name: 'Plan.pdf' })).toHaveAttribute('href', '/zones/1/files/5');
    const unopened = within(screen.getByRole('table', { name: 'Never Opened: 21' }));
    expect(unopened.getByRole('link', { name: 'Appendix.pdf' })).toBeVisible();
    api.setResponse('GET /api/analytics/files', [200, { mostRead: [], unopened: [], unopenedCount: 0 }]);
    await user.selectOptions(screen.getByLabelText('Zone of the files'), 'Music');
    expect(await screen.findByText('No reading was recorded in this period.')).toBeVisible();
    const { query } = api.callsTo('GET /api/analytics/files').at(-1)!;
    expect(Object.fromEntries(query)).toEqual({ range: '30', zoneId: '2', timeZone: 'Asia/Tokyo' });
    expect(screen.queryByRole('table', { name: /Never Opened/ })).not.toBeInTheDocument();
  });

  it('offers a retry when loading fails', async () => {
    const failed = errorResponse(500, 'INTERNAL', 'Something went wrong.');
    const { api, user } = await renderAnalytics({ 'GET /api/analytics/zones': failed });
    expect(await screen.findByText('Couldn’t load the statistics of your zones')).toBeVisible();
    api.setResponse('GET /api/analytics/zones', [200, [zoneFigures(1, 'Yoga')]]);
    await user.click(screen.getByRole('button', { name: /try again/i }));
    expect(await screen.findByRole('link', { name: 'Yoga' })).toBeVisible();
  });
});

it('sorts zones by figures in descending order, then by name', () => {
  const zones = [
    zoneFigures(1, 'b', { views: 1 }),
    zoneFigures(2, 'a', { views: 1 }),
    zoneFigures(3, 'c', { views: 5 }),
  ];
  expect(sortZones(zones, 'views', 'en').map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  expect(sortZones(zones, 'name', 'en').map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});
