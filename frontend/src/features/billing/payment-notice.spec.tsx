import { screen, within } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { somePlans, someStatus, someSubscriber } from '../../../test/billing';
import { renderPiece } from '../../../test/render';
import type { Schema } from '../../shared/api/client';
import { leaveFor } from '../../shared/plan/leave-for';
import { PricingPage } from './pricing.page';

const server = (status: Schema<'SubscriptionStatusDto'>, more: Record<string, Answer> = {}, person = {}) =>
  pretendApi({
    'GET /api/plans': [200, somePlans],
    'GET /api/user': [200, someone({ plan: status.plan, ...person })],
    'GET /api/subscription-status': [200, status],
    ...more,
  });

const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name });
  return within(heading.closest('li, section') as HTMLElement);
};
const day = '2026-12-01T10:00:00.000Z' as never;
const free = { plan: 'free', heldBy: null } as const;

describe('the pricing page tells a subscriber', () => {
  let went: string[];
  beforeEach(() => {
    went = [];
    jest.spyOn(leaveFor, 'page').mockImplementation((url) => void went.push(url));
    jest.spyOn(leaveFor, 'newTab').mockImplementation(() => ({
      go: (url) => void went.push(`tab ${url}`),
      close: () => undefined,
    }));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['the end of a plan', someSubscriber({ cancelAtPeriodEnd: true }), /^Your Creator plan ends on Dec 20, 2026\./],
    [
      'a payment that is owed',
      { ...someSubscriber({ pastDueUntil: day }), subscriptionStatus: 'past_due' },
      /You keep your plan until Dec 1, 2026/,
    ],
    [
      'a payment that was owed too long',
      { ...someSubscriber({ pastDueUntil: day }), ...free, subscriptionStatus: 'past_due' },
      /so your account is on the free plan until you pay/,
    ],
    ['an unpaid plan', { ...someSubscriber(), ...free, subscriptionStatus: 'unpaid' }, /free plan until you pay/],
    ['a first payment', { ...someSubscriber(), ...free, subscriptionStatus: 'incomplete' }, /free plan until you/],
    ['a pause', { ...someSubscriber(), ...free, subscriptionStatus: 'paused' }, /is paused, so .+ the free plan/],
    [
      'a payment beside a larger plan by agreement',
      { ...someSubscriber(), plan: 'enterprise', heldBy: 'agreement', subscriptionStatus: 'past_due' },
      /^The payment for your subscription didn’t go through\. Please check your card\.$/,
    ],
  ] as const)('%s, and leads to the portal', async (_, status, sentence) => {
    server(status, { 'POST /api/manage-subscription': [200, { url: 'https://portal.example' }] });
    const { user } = await renderPiece(<PricingPage />);
    const notice = (await screen.findByText(sentence)).parentElement!;
    await user.click(within(notice).getByRole('button', { name: 'Manage Subscription' }));
    expect(went).toEqual(['tab https://portal.example']);
  });

  it.each([
    ['who has a plan', someSubscriber()],
    ['who has none', someStatus()],
    ['whose subscription has ended', someStatus({ subscriptionStatus: 'canceled' })],
    [
      'whose plan by agreement outlives the subscription',
      { ...someSubscriber({ cancelAtPeriodEnd: true }), plan: 'enterprise', heldBy: 'agreement' } as const,
    ],
  ])('nothing, %s and owes nothing', async (_, status) => {
    server(status);
    await renderPiece(<PricingPage />);
    await card('Creator');
    expect(document.querySelector('.z-pricing-notice')).toBeNull();
  });

  it('the price of the interval that is paid for, and the other one when asked', async () => {
    server(someSubscriber({ billingInterval: 'yearly' }));
    const { user, address } = await renderPiece(<PricingPage />, { at: '/pricing' });
    expect(await (await card('Creator')).findByText('$79.90')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Monthly' }));
    expect((await card('Creator')).getByText('$7.99')).toBeInTheDocument();
    expect(address()).toBe('/pricing?interval=monthly');
  });

  it('the prices of the interval in the address, such as the one chosen before signing in', async () => {
    server(someStatus());
    await renderPiece(<PricingPage />, { at: '/pricing?interval=yearly' });
    expect(await (await card('Creator')).findByText('$79.90')).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yearly' })).toBeChecked();
  });

  it('which plans an agreement covers, and sells the larger one only', async () => {
    server(
      someStatus({ plan: 'creator', heldBy: 'agreement', can: { upgrade: true, buy: ['pro-creator'], manage: true } }),
    );
    await renderPiece(<PricingPage />);
    expect(await (await card('Starter')).findByText('Included in your plan')).toBeInTheDocument();
    expect((await card('Creator')).getByText('Current plan')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: /^Choose Plan/ })).toHaveLength(1);
    expect((await card('Pro Creator')).getByRole('button', { name: 'Choose Plan Pro Creator' })).toBeEnabled();
  });

  it('who is a super admin, that nothing is sold to them', async () => {
    server(someStatus({ can: { upgrade: false, buy: [], manage: false } }), {}, { isSuperAdmin: true });
    await renderPiece(<PricingPage />);
    expect(await screen.findAllByText('Not sold to super admins')).toHaveLength(3);
  });

  it('that the payment page is being opened, until it is there', async () => {
    let arrive: () => void = () => undefined;
    jest.spyOn(leaveFor, 'away').mockReturnValue(new Promise((resolve) => (arrive = resolve)));
    server(someStatus(), { 'POST /api/create-subscription': [200, { url: 'https://checkout.example' }] });
    const { user } = await renderPiece(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Starter' }));
    expect(await screen.findByRole('button', { name: 'Opening…' })).toBeDisabled();
    expect(went).toEqual(['https://checkout.example']);
    arrive();
    expect(await screen.findByRole('button', { name: 'Choose Plan Starter' })).toBeEnabled();
  });

  it('that a plan is there already by agreement, when it was granted meanwhile', async () => {
    server(someStatus(), { 'POST /api/create-subscription': refusal(409, 'PLAN_INCLUDED', 'You have it already.') });
    const { user } = await renderPiece(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Starter' }));
    expect(await screen.findByText('You have it already.')).toBeInTheDocument();
  });
});
