import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, someone } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';

const at = '2026-11-20T10:00:00.000Z';
const state = {
  ...{ isConfigured: true, takesEvents: true, refused: 3, lastRefusedAt: at, lastReceivedAt: at },
  severalSubscriptions: [{ userId: 7, email: 'nur@example.org', live: 2 }],
};
const event = {
  id: 'evt_1',
  type: 'price.created',
  outcome: 'unknown-type',
  userId: null,
  userEmail: null,
  receivedAt: at,
};

const open = async (calls: Parameters<typeof pretendApi>[0]) => {
  const server = pretendApi({
    'GET /api/user': [200, someone({ role: 'admin' })],
    'GET /api/admin/billing/figures': [200, { plans: [], revenue: [], months: [] }],
    ...calls,
  });
  return { server, ...(await renderProduct('/admin/billing')) };
};

beforeEach(() => localStorage.clear());

describe('billing for administrators', () => {
  it('shows who pays more than once, what was refused, and the events by their outcome', async () => {
    const { server, user } = await open({
      'GET /api/admin/billing': [200, state],
      'GET /api/admin/billing/events': [200, [event]],
    });
    const people = within(await screen.findByRole('list', { name: 'People with several subscriptions' }));
    expect(people.getByRole('listitem')).toHaveTextContent('nur@example.org (2 active subscriptions)');
    expect(screen.getByText(/3 deliveries to the Stripe webhook were refused/)).toBeInTheDocument();
    expect(await screen.findByText('price.created')).toBeInTheDocument();
    expect(screen.getByText('Not used here', { selector: 'span' })).toBeInTheDocument();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Unknown customer');
    await waitFor(() =>
      expect(server.callsOf('GET /api/admin/billing/events').at(-1)!.query.get('outcome')).toBe('unknown-customer'),
    );
  });

  it('shows plans, revenue and who began and ended in words as well, and says where there is nothing', async () => {
    const month = (at: string, started: number, ended: number, atStart: number) => ({
      month: at,
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
      months: [month('2026-10', 4, 0, 6), month('2026-11', 0, 1, 10)],
    };
    await open({
      'GET /api/admin/billing': [200, state],
      'GET /api/admin/billing/events': [200, []],
      'GET /api/admin/billing/figures': [200, figures],
    });
    expect(await screen.findByRole('img', { name: 'Plans. People: Free 9, Creator 3' })).toBeInTheDocument();
    const churn = 'Started and Ended. Started: 2026-10 4. Ended: 2026-11 1';
    expect(await screen.findByRole('img', { name: churn })).toBeInTheDocument();
    expect(screen.getByText(/10% of those at the start of this month have ended/)).toBeInTheDocument();
    expect(screen.getByText('Nothing yet')).toBeInTheDocument();
  });

  it('says what is not set up', async () => {
    const none = { ...state, isConfigured: false, takesEvents: false, severalSubscriptions: [], refused: 0 };
    await open({ 'GET /api/admin/billing': [200, none], 'GET /api/admin/billing/events': [200, []] });
    expect(await screen.findByText(/STRIPE_SECRET_KEY isn’t set/)).toBeInTheDocument();
    expect(await screen.findByText('No events yet')).toBeInTheDocument();
  });
});
