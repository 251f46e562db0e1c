import { useMutation } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { makeSubscriptionStatus, makeSubscribedStatus, sampleUsage } from '../../../test/billing';
import { renderComponent } from '../../../test/render';
import { api, type Schema } from '../api/client';
import { toApiError } from '../api/api-error';
import { planLimitStore } from './plan-limit-store';
import { PlanNotices } from './plan-notices';
import { CurrentPlanBadge } from './current-plan-badge';
import { UpgradeDialog } from './upgrade-dialog';
import { UsageBars } from './usage-bars';
import { useQuotaGate } from './use-quota-gate';

const mockServer = (status: Schema<'SubscriptionStatusDto'>, extraResponses: Record<string, MockResponse> = {}) =>
  mockApi({
    'GET /api/user': [200, makeUser({ plan: status.plan })],
    'GET /api/subscription-status': [200, status],
    'GET /api/user/usage': [200, sampleUsage],
    ...extraResponses,
  });

beforeEach(() => planLimitStore.reset());

describe('CurrentPlanBadge', () => {
  it.each([
    ['free', makeSubscriptionStatus(), 'Free', 'z-badge-danger'],
    ['paid', makeSubscribedStatus(), 'Creator', 'z-badge-success'],
    [
      'cancelled',
      makeSubscribedStatus({ cancelAtPeriodEnd: true }),
      'Creator: Subscription cancelled, access until Dec 20, 2026',
      'z-badge-warning',
    ],
  ])('shows a plan that is %s', async (_, status, text, look) => {
    mockServer(status);
    await renderComponent(<CurrentPlanBadge />);
    expect(await screen.findByText(text)).toHaveClass(look);
  });

  it('ignores the end of a smaller paid plan beside a plan by agreement', async () => {
    mockServer({ ...makeSubscribedStatus({ cancelAtPeriodEnd: true }), plan: 'enterprise', heldBy: 'agreement' });
    await renderComponent(<CurrentPlanBadge />);
    expect(await screen.findByText('Enterprise')).toHaveClass('z-badge-success');
    expect(screen.queryByText(/cancelled/)).not.toBeInTheDocument();
  });
});

describe('UpgradeDialog', () => {
  function CreateZoneButton() {
    const make = useMutation({
      mutationFn: () => api.POST('/api/zones', { body: { name: 'x', type: 'private' } }),
    });
    return <button onClick={() => make.mutate()}>make</button>;
  }
  const limit = { planLimit: true, limit: 'zones', used: 1, allowed: 1 };
  const limitResponse = errorResponse(403, 'PLAN_LIMIT', 'You have reached your plan’s zone limit.', limit);
  const page = (
    <>
      <CreateZoneButton />
      <UpgradeDialog />
    </>
  );

  it('opens automatically when a plan limit is reached and links to the plans', async () => {
    mockServer(makeSubscriptionStatus(), { 'POST /api/zones': limitResponse });
    const { user, address } = await renderComponent(page);
    await user.click(screen.getByRole('button', { name: 'make' }));
    const dialog = await screen.findByRole('dialog', { name: 'Plan Limit Reached' });
    expect(dialog).toHaveTextContent('You have reached your plan’s zone limit.');
    expect(dialog).toHaveTextContent('1 of 1');
    await user.click(within(dialog).getByRole('link', { name: 'Upgrade Plan' }));
    expect(address()).toBe('/pricing');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('does not open for visitors of a full zone', async () => {
    mockServer(makeSubscriptionStatus(), { 'POST /api/zones': errorResponse(403, 'ZONE_FULL', 'This zone is full.') });
    const { user } = await renderComponent(page);
    await user.click(screen.getByRole('button', { name: 'make' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('offers the contact instead of an upgrade on the largest plan', async () => {
    mockServer(makeSubscriptionStatus({ plan: 'enterprise', can: { upgrade: false, buy: [], manage: true } }), {
      'POST /api/zones': limitResponse,
    });
    const { user } = await renderComponent(page);
    await user.click(screen.getByRole('button', { name: 'make' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByRole('link', { name: 'plans@example.org' })).toBeInTheDocument();
    expect(within(dialog).queryByRole('link', { name: 'Upgrade Plan' })).not.toBeInTheDocument();
  });

  it('shows the server’s message and who can raise the limit when billing is disabled', async () => {
    const status = makeSubscriptionStatus({ contactEmail: null, can: { upgrade: false, buy: [], manage: false } });
    mockServer(status, { 'POST /api/zones': errorResponse(403, 'PLAN_LIMIT', 'Upgrade to create more zones.', limit) });
    const { user } = await renderComponent(page);
    await user.click(screen.getByRole('button', { name: 'make' }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog).toHaveTextContent('The administrators of this site can raise the limit.'));
    expect(dialog).toHaveTextContent('Upgrade to create more zones.');
    expect(within(dialog).queryByRole('link')).not.toBeInTheDocument();
  });

  it('links a super admin to the setting that raises the limit', async () => {
    const status = makeSubscriptionStatus({ can: { upgrade: false, buy: [], manage: false } });
    const superAdmin = makeUser({ role: 'admin', isSuperAdmin: true });
    mockServer(status, { 'GET /api/user': [200, superAdmin], 'POST /api/zones': limitResponse });
    const { user, address } = await renderComponent(page);
    await user.click(screen.getByRole('button', { name: 'make' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('link', { name: 'Open Site Settings' }));
    expect(address()).toBe('/admin/installation');
  });

  it('opens once for several rejected requests, including uploads', async () => {
    mockServer(makeSubscriptionStatus());
    const { user } = await renderComponent(<UpgradeDialog />);
    const refuse = () => toApiError(403, JSON.stringify({ code: 'PLAN_LIMIT', message: 'Full.', ...limit }));
    await act(async () => void refuse());
    await user.click(await screen.findByRole('button', { name: 'Not Now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await act(async () => void refuse());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('Form that adds something limited by the plan', () => {
  const zones = (used: number, allowed: number | null) =>
    sampleUsage.map((metricUsage) =>
      metricUsage.metric === 'zones' ? { ...metricUsage, used, allowed } : metricUsage,
    );
  function GatedForm() {
    const [isRequested, setIsRequested] = useState(false);
    const isOpen = useQuotaGate('zones', isRequested, () => setIsRequested(false));
    return (
      <>
        <button onClick={() => setIsRequested(true)}>new</button>
        {isOpen && <p>the form</p>}
        <UpgradeDialog />
      </>
    );
  }
  const open = async (response: MockResponse) => {
    const api = mockServer(makeSubscriptionStatus(), { 'GET /api/user/usage': response });
    const { user } = await renderComponent(<GatedForm />);
    const ask = () => user.click(screen.getByRole('button', { name: 'new', hidden: true }));
    await ask();
    return { api, user, ask };
  };

  it.each([
    ['the limit is not reached', [200, zones(0, 1)]],
    ['there is no limit', [200, zones(7, null)]],
    ['the usage is unknown', [403]],
  ] as [string, MockResponse][])('opens while %s', async (_, response) => {
    await open(response);
    expect(await screen.findByText('the form')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows the upgrade dialog each time the limit is reached and opens once there is room', async () => {
    const { api, user, ask } = await open([200, zones(1, 1)]);
    for (const again of [true, false]) {
      const dialog = await screen.findByRole('dialog', { name: 'Plan Limit Reached' });
      expect(dialog).toHaveTextContent('1 of 1');
      expect(screen.queryByText('the form')).not.toBeInTheDocument();
      await user.click(within(dialog).getByRole('button', { name: 'Not Now' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
      if (again) await ask();
    }
    api.setResponse('GET /api/user/usage', [200, zones(0, 1)]);
    await ask();
    expect(await screen.findByText('the form')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('PlanNotices', () => {
  const usage = sampleUsage.map((metricUsage) => ({
    ...metricUsage,
    warning:
      metricUsage.metric === 'people'
        ? 80
        : metricUsage.metric === 'bytes' || metricUsage.metric === 'zones'
          ? 100
          : null,
  }));

  it('name limits that are nearly or fully used, except zones', async () => {
    mockServer(makeSubscriptionStatus(), { 'GET /api/user/usage': [200, usage] });
    await renderComponent(<PlanNotices />);
    expect(await screen.findByText('Members and invitations: 1,300 of 25,000 used.')).toBeInTheDocument();
    expect(screen.getByText(/^Storage: all 1\.0 GB used\. You can’t add more\./)).toBeInTheDocument();
    expect(screen.getAllByRole('alert')).toHaveLength(2);
  });

  it('list what exceeds a smaller plan, including zones, and that it is kept', async () => {
    const over = usage.map((metricUsage) => ({
      ...metricUsage,
      used: metricUsage.metric === 'zones' ? 5 : metricUsage.used,
      allowed: 1,
    }));
    mockServer(makeSubscriptionStatus(), {
      'GET /api/user/usage': [200, over.map((metricUsage) => ({ ...metricUsage, warning: 100 }))],
    });
    await renderComponent(<PlanNotices />);
    expect(
      await screen.findByText(/^Zones: you’re using 5, and your plan’s limit is 1\. You keep everything/),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/^Members and invitations: you’re using 1,300, and your plan’s limit is 1\./),
    ).toBeInTheDocument();
  });

  it('show an overdue payment and until when the plan is kept', async () => {
    const owed = makeSubscribedStatus({ pastDueUntil: '2026-12-01T10:00:00.000Z' as never });
    mockServer({ ...owed, subscriptionStatus: 'past_due' });
    await renderComponent(<PlanNotices />);
    expect(await screen.findByText(/You keep your plan until Dec 1, 2026/)).toBeInTheDocument();
  });
});

describe('UsageBars', () => {
  it('have a short name for members, so that long numbers fit beside it', async () => {
    mockServer(makeSubscriptionStatus());
    const usage = [{ metric: 'people', used: 1300, allowed: 25_000, warning: null }] as never;
    await renderComponent(<UsageBars usage={usage} />);
    expect(screen.getByText('Members')).toHaveAttribute('title', 'Members and invitations');
    expect(screen.getByRole('progressbar', { name: 'Members and invitations' })).toBeInTheDocument();
    expect(screen.getByText('1,300 of 25,000')).toHaveStyle({ whiteSpace: 'nowrap' });
  });

  it.each([
    ['zones', 1, 1, 100, 'MuiLinearProgress-colorPrimary'],
    ['zones', 2, 1, 100, 'MuiLinearProgress-colorError'],
    ['people', 79, 100, null, 'MuiLinearProgress-colorPrimary'],
    ['people', 80, 100, 80, 'MuiLinearProgress-colorWarning'],
  ] as const)(
    'show %s, %i of %i, in a warning colour only near or over the limit',
    async (metric, used, allowed, warning, colour) => {
      mockServer(makeSubscriptionStatus());
      await renderComponent(<UsageBars usage={[{ metric, used, allowed, warning }]} />);
      expect(await screen.findByRole('progressbar')).toHaveClass(colour);
    },
  );
});
