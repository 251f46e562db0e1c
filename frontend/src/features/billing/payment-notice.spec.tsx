import { screen, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { samplePlans, makeSubscriptionStatus, makeSubscribedStatus } from '../../../test/billing';
import { renderComponent } from '../../../test/render';
import type { Schema } from '../../shared/api/client';
import { externalNavigation } from '../../shared/plan/external-navigation';
import { PricingPage } from './pricing.page';

const mockServer = (status: Schema<'SubscriptionStatusDto'>, more: Record<string, MockResponse> = {}, person = {}) =>
  mockApi({
    'GET /api/plans': [200, samplePlans],
    'GET /api/user': [200, makeUser({ plan: status.plan, ...person })],
    'GET /api/subscription-status': [200, status],
    ...more,
  });

const findPlanCard = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name });
  return within(heading.closest('li, section') as HTMLElement);
};
const day = '2026-12-01T10:00:00.000Z' as never;
const free = { plan: 'free', heldBy: null } as const;

describe('Pricing page for signed-in users', () => {
  let navigations: string[];
  beforeEach(() => {
    navigations = [];
    jest.spyOn(externalNavigation, 'navigate').mockImplementation((url) => void navigations.push(url));
    jest.spyOn(externalNavigation, 'openTab').mockImplementation(() => ({
      navigate: (url) => void navigations.push(`tab ${url}`),
      close: () => undefined,
    }));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['an ended plan', makeSubscribedStatus({ cancelAtPeriodEnd: true }), /^Your Creator plan ends on Dec 20, 2026\./],
    [
      'an overdue payment',
      { ...makeSubscribedStatus({ pastDueUntil: day }), subscriptionStatus: 'past_due' },
      /You keep your plan until Dec 1, 2026/,
    ],
    [
      'a payment overdue for too long',
      { ...makeSubscribedStatus({ pastDueUntil: day }), ...free, subscriptionStatus: 'past_due' },
      /so your account is on the free plan until you pay/,
    ],
    ['an unpaid plan', { ...makeSubscribedStatus(), ...free, subscriptionStatus: 'unpaid' }, /free plan until you pay/],
    [
      'a first payment',
      { ...makeSubscribedStatus(), ...free, subscriptionStatus: 'incomplete' },
      /free plan until you/,
    ],
    [
      'a paused subscription',
      { ...makeSubscribedStatus(), ...free, subscriptionStatus: 'paused' },
      /is paused, so .+ the free plan/,
    ],
    [
      'an overdue payment beside a larger plan by agreement',
      { ...makeSubscribedStatus(), plan: 'enterprise', heldBy: 'agreement', subscriptionStatus: 'past_due' },
      /^The payment for your subscription didn’t go through\. Please check your card\.$/,
    ],
  ] as const)('shows %s, with a link to the billing portal', async (_, status, sentence) => {
    mockServer(status, { 'POST /api/manage-subscription': [200, { url: 'https://portal.example' }] });
    const { user } = await renderComponent(<PricingPage />);
    const notice = (await screen.findByText(sentence)).parentElement!;
    await user.click(within(notice).getByRole('button', { name: 'Manage Subscription' }));
    expect(navigations).toEqual(['tab https://portal.example']);
  });

  it.each([
    ['with a plan', makeSubscribedStatus()],
    ['without a plan', makeSubscriptionStatus()],
    ['whose subscription has ended', makeSubscriptionStatus({ subscriptionStatus: 'canceled' })],
    [
      'whose plan by agreement outlives the subscription',
      { ...makeSubscribedStatus({ cancelAtPeriodEnd: true }), plan: 'enterprise', heldBy: 'agreement' } as const,
    ],
  ])('shows no notice without debts to a user %s', async (_, status) => {
    mockServer(status);
    await renderComponent(<PricingPage />);
    await findPlanCard('Creator');
    expect(document.querySelector('.z-pricing-notice')).toBeNull();
  });

  it('shows the prices of the paid interval and the other interval on request', async () => {
    mockServer(makeSubscribedStatus({ billingInterval: 'yearly' }));
    const { user, address } = await renderComponent(<PricingPage />, { initialPath: '/pricing' });
    expect(await (await findPlanCard('Creator')).findByText('$79.90')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Monthly' }));
    expect((await findPlanCard('Creator')).getByText('$7.99')).toBeInTheDocument();
    expect(address()).toBe('/pricing?interval=monthly');
  });

  it('shows the prices of the interval in the URL', async () => {
    mockServer(makeSubscriptionStatus());
    await renderComponent(<PricingPage />, { initialPath: '/pricing?interval=yearly' });
    expect(await (await findPlanCard('Creator')).findByText('$79.90')).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yearly' })).toBeChecked();
  });

  it('shows which plans an agreement includes and sells only larger ones', async () => {
    mockServer(
      makeSubscriptionStatus({
        plan: 'creator',
        heldBy: 'agreement',
        can: { upgrade: true, buy: ['pro-creator'], manage: true },
      }),
    );
    await renderComponent(<PricingPage />);
    expect(await (await findPlanCard('Starter')).findByText('Included in your plan')).toBeInTheDocument();
    expect((await findPlanCard('Creator')).getByText('Current plan')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: /^Choose Plan/ })).toHaveLength(1);
    expect((await findPlanCard('Pro Creator')).getByRole('button', { name: 'Choose Plan Pro Creator' })).toBeEnabled();
  });

  it('shows super admins that nothing is sold to them', async () => {
    mockServer(makeSubscriptionStatus({ can: { upgrade: false, buy: [], manage: false } }), {}, { isSuperAdmin: true });
    await renderComponent(<PricingPage />);
    expect(await screen.findAllByText('Not sold to super admins')).toHaveLength(3);
  });

  it('shows that the payment page is opening until the browser leaves', async () => {
    let arrive: () => void = () => undefined;
    jest.spyOn(externalNavigation, 'waitUntilLeft').mockReturnValue(new Promise((resolve) => (arrive = resolve)));
    mockServer(makeSubscriptionStatus(), {
      'POST /api/create-subscription': [200, { url: 'https://checkout.example' }],
    });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Starter' }));
    expect(await screen.findByRole('button', { name: 'Opening…' })).toBeDisabled();
    expect(navigations).toEqual(['https://checkout.example']);
    arrive();
    expect(await screen.findByRole('button', { name: 'Choose Plan Starter' })).toBeEnabled();
  });

  it('shows that an agreement granted in the meantime already includes the plan', async () => {
    mockServer(makeSubscriptionStatus(), {
      'POST /api/create-subscription': errorResponse(409, 'PLAN_INCLUDED', 'You have it already.'),
    });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Starter' }));
    expect(await screen.findByText('You have it already.')).toBeInTheDocument();
  });
});
