import { screen, within } from '@testing-library/react';
import { pretendApi, someone, type Answer } from '../../../test/api';
import { someStats, someTrend } from '../../../test/figures';
import { renderProduct } from '../../../test/render';

const trends = {
  zones: someTrend(0, 0),
  files: someTrend(3, 150),
  members: someTrend(null, null),
  downloads: someTrend(-4, -12.5),
};

function show(more: Record<string, Answer> = {}, language: 'en' | 'tr' = 'en') {
  pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/dashboard/stats': [200, someStats({ totalFiles: 5, trends })],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/dashboard/attention': [200, []],
    'GET /api/zones': [200, []],
    ...more,
  });
  return renderProduct('/dashboard', { language });
}

describe('the dashboard', () => {
  it('says how the figures have changed', async () => {
    await show();
    const cards = within(await screen.findByLabelText('Figures'));
    expect(await cards.findByText('As 30 days ago')).toBeVisible();
    expect(cards.getByText('+3 (+150%) in 30 days')).toBeVisible();
    expect(cards.getByText('Not yet known for 30 days')).toBeVisible();
    expect(cards.getByText('−4 (−12.5%) against the 30 days before')).toBeVisible();
  });

  it('shows nothing to attend to when there is nothing', async () => {
    await show();
    await screen.findByText('As 30 days ago');
    expect(screen.queryByRole('heading', { name: 'Needs your attention' })).not.toBeInTheDocument();
  });

  it('leads to what needs attention', async () => {
    const item = (kind: string, count: number, more: object = {}) => ({
      ...{ kind, count, zoneId: 7, zoneName: 'Yoga', campaignId: null, campaignName: null },
      ...more,
    });
    await show({
      'GET /api/dashboard/attention': [
        200,
        [
          item('join_requests', 2),
          item('waiting_orders', 1),
          item('failed_orders', 2),
          item('failed_mails', 3, { campaignId: 4, campaignName: 'News of {{zone_name}} for {{first_name|friends}}' }),
          item('paused_campaign', 1, { campaignId: 5, campaignName: 'Spring' }),
        ],
      ],
    });
    const panel = within(await screen.findByRole('region', { name: 'Needs your attention' }));
    expect(panel.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['2 people ask to joinYoga', '/zones/7/members'],
      ['1 purchase waits for a place in the zoneYoga', '/pricing'],
      ['2 purchases could not be processed; the administrators knowYoga', '/zones/7/members'],
      ['3 mails did not arriveNews of Yoga for friends · Yoga', '/campaigns/4'],
      ['A campaign has paused by itselfSpring · Yoga', '/campaigns/5'],
    ]);
  });
});
