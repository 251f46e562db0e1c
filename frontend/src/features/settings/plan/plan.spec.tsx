import { screen, within } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../../test/api';
import { makeSubscriptionStatus, makeSubscribedStatus } from '../../../../test/billing';
import { openSettings } from '../../../../test/settings';

const invoice = {
  id: 'in_1',
  number: 'Z-1',
  createdAt: '2026-11-01T10:00:00.000Z',
  amount: 799,
  currency: 'USD',
  status: 'paid',
  url: 'https://invoice.stripe.example/in_1',
};
const user = makeUser({ plan: 'creator' });

describe('Plan section of the settings', () => {
  it('shows the interval, price, renewal, usage and invoices', async () => {
    const { region } = await openSettings('Plan', user, {
      'GET /api/subscription-status': [200, makeSubscribedStatus({ billingInterval: 'yearly', amount: 7990 })],
      'GET /api/user/invoices': [200, [invoice, { ...invoice, id: 'in_2', status: 'open', url: null }]],
    });
    expect(await region.findByText('Renews on')).toBeInTheDocument();
    for (const text of ['Yearly', '$79.90', 'Dec 20, 2026']) expect(region.getByText(text)).toBeInTheDocument();
    expect(await region.findByRole('progressbar', { name: 'Members and invitations' })).toBeInTheDocument();
    const link = await region.findByRole('link', { name: 'Open the invoice from Nov 1, 2026' });
    expect(link).toHaveAttribute('href', invoice.url);
    expect(
      within(region.getByRole('list', { name: 'Invoices' })).getByText('Open', { selector: 'span' }),
    ).toBeVisible();
    expect(region.getByRole('button', { name: 'Manage Subscription' })).toBeInTheDocument();
    expect(region.getByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/pricing');
  });

  it('shows when a cancelled plan ends, with its name in the badge', async () => {
    const { region } = await openSettings('Plan', user, {
      'GET /api/subscription-status': [200, makeSubscribedStatus({ cancelAtPeriodEnd: true })],
      'GET /api/user/invoices': errorResponse(503, 'BILLING_UNAVAILABLE', 'The payment provider does not answer.'),
    });
    expect(await region.findByText('Ends on')).toBeInTheDocument();
    expect(region.getByText('Creator: Subscription cancelled, access until Dec 20, 2026')).toBeInTheDocument();
    expect(await region.findByText(/The payment provider does not answer/)).toBeInTheDocument();
  });

  it('shows the contact of a plan by agreement and the paid plan beside it', async () => {
    const status = makeSubscribedStatus({ plan: 'starter', amount: 399 });
    const can = { upgrade: false, buy: [], manage: true };
    const { region } = await openSettings('Plan', makeUser({ plan: 'enterprise' }), {
      'GET /api/subscription-status': [200, { ...status, plan: 'enterprise', heldBy: 'agreement', can }],
      'GET /api/user/invoices': [200, []],
    });
    expect(await region.findByRole('link', { name: 'plans@example.org' })).toBeInTheDocument();
    expect(region.getByText('Paid plan').nextSibling).toHaveTextContent('Starter');
    expect(region.getByRole('button', { name: 'Manage Subscription' })).toBeInTheDocument();
  });

  it.each([
    ['refers to the operator', false, /^Your plan was set by the administrators of this site\./],
    ['explains where the operator sets the contact', true, /^You’re an administrator of this site:/],
  ])('%s when a plan by agreement has no contact', async (_, isSuperAdmin, text) => {
    const { region } = await openSettings('Plan', makeUser({ plan: 'enterprise', isSuperAdmin }), {
      'GET /api/subscription-status': [
        200,
        makeSubscriptionStatus({
          plan: 'enterprise',
          heldBy: 'agreement',
          contactEmail: null,
          can: { upgrade: false, buy: [], manage: false },
        }),
      ],
    });
    expect(await region.findByText(text)).toBeInTheDocument();
    expect(region.queryByText(/please write to us/)).not.toBeInTheDocument();
  });

  it('loads no invoices for users who never paid and shows old ones to former subscribers', async () => {
    const freePlanPage = await openSettings('Plan');
    expect(await freePlanPage.region.findByRole('link', { name: 'Upgrade Plan' })).toBeInTheDocument();
    expect(freePlanPage.region.queryByRole('button', { name: 'Manage Subscription' })).not.toBeInTheDocument();
    expect(freePlanPage.server.callsTo('GET /api/user/invoices')).toHaveLength(0);
    freePlanPage.unmount();
    const can = { upgrade: true, buy: [], manage: true };
    const { region } = await openSettings('Plan', makeUser(), {
      'GET /api/subscription-status': [
        200,
        makeSubscriptionStatus({ hasInvoices: true, subscriptionStatus: 'canceled', can }),
      ],
      'GET /api/user/invoices': [200, [invoice]],
    });
    expect(await region.findByRole('button', { name: 'Manage Subscription' })).toBeInTheDocument();
    expect(await screen.findByText('$7.99')).toBeInTheDocument();
  });
});
