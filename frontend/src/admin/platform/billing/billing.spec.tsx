import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';

const timestamp = '2026-11-20T10:00:00.000Z';
const billingState = {
  isConfigured: true,
  takesEvents: true,
  refused: 3,
  lastRefusedAt: timestamp,
  lastReceivedAt: timestamp,
  severalSubscriptions: [{ userId: 7, email: 'nur@example.org', live: 2 }],
};
const event = {
  id: 'evt_1',
  type: 'price.created',
  outcome: 'unknown-type',
  userId: null,
  userEmail: null,
  receivedAt: timestamp,
};

const openBilling = async (responses: Parameters<typeof mockApi>[0]) => {
  const server = mockApi({
    'GET /api/user': [200, makeUser({ role: 'admin' })],
    'GET /api/admin/billing/figures': [200, { plans: [], revenue: [], months: [] }],
    ...responses,
  });
  return { server, ...(await renderApp('/admin/billing')) };
};

beforeEach(() => localStorage.clear());

describe('Billing administration', () => {
  it('shows people with several subscriptions, rejections and events by outcome', async () => {
    const { server, user } = await openBilling({
      'GET /api/admin/billing': [200, billingState],
      'GET /api/admin/billing/events': [200, [event]],
    });
    const people = within(await screen.findByRole('list', { name: 'People with several subscriptions' }));
    expect(people.getByRole('listitem')).toHaveTextContent('nur@example.org (2 active subscriptions)');
    expect(people.getByRole('link')).toHaveAttribute('href', '/admin/users/7');
    expect(screen.getByText(/3 deliveries to the Stripe webhook were rejected/)).toBeInTheDocument();
    expect(await screen.findByText('price.created')).toBeInTheDocument();
    expect(screen.getByText('Not used here', { selector: 'span' })).toBeInTheDocument();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Unknown customer');
    await waitFor(() =>
      expect(server.callsTo('GET /api/admin/billing/events').at(-1)!.query.get('outcome')).toBe('unknown-customer'),
    );
  });

  it('describes plans, revenue and churn in text and shows when there is no data', async () => {
    const makeMonth = (isoMonth: string, started: number, ended: number, atStart: number) => ({
      month: isoMonth,
      started,
      ended,
      atStart,
    });
    const figures = {
      plans: [
        { plan: 'creator', people: 3 },
        { plan: 'free', people: 9 },
      ],
      revenue: [],
      months: [makeMonth('2026-10', 4, 0, 6), makeMonth('2026-11', 0, 1, 10)],
    };
    await openBilling({
      'GET /api/admin/billing': [200, billingState],
      'GET /api/admin/billing/events': [200, []],
      'GET /api/admin/billing/figures': [200, figures],
    });
    expect(await screen.findByRole('img', { name: 'Plans. People: Free 9, Creator 3' })).toBeInTheDocument();
    const churn = 'Started and Ended. Started: 2026-10 4. Ended: 2026-11 1';
    expect(await screen.findByRole('img', { name: churn })).toBeInTheDocument();
    expect(screen.getByText(/10% of those at the start of this month have ended/)).toBeInTheDocument();
    expect(screen.getByText('Nothing yet')).toBeInTheDocument();
  });

  it('shows what is not configured', async () => {
    const unconfiguredState = {
      ...billingState,
      isConfigured: false,
      takesEvents: false,
      severalSubscriptions: [],
      refused: 0,
    };
    await openBilling({
      'GET /api/admin/billing': [200, unconfiguredState],
      'GET /api/admin/billing/events': [200, []],
    });
    expect(await screen.findByText(/STRIPE_SECRET_KEY isn’t set/)).toBeInTheDocument();
    expect(await screen.findByText('No events yet')).toBeInTheDocument();
  });
});
