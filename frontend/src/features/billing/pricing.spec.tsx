import { screen, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { samplePlans, makeSubscriptionStatus, makeSubscribedStatus } from '../../../test/billing';
import { renderComponent, renderApp } from '../../../test/render';
import { externalNavigation } from '../../shared/plan/external-navigation';
import { PricingPage } from './pricing.page';

const free: Record<string, MockResponse> = {
  'GET /api/plans': [200, samplePlans],
  'GET /api/user': [200, makeUser()],
  'GET /api/subscription-status': [200, makeSubscriptionStatus()],
};
const subscribed: Record<string, MockResponse> = {
  ...free,
  'GET /api/user': [200, makeUser({ plan: 'creator' })],
  'GET /api/subscription-status': [200, makeSubscribedStatus()],
};

const findPlanCard = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name });
  return within(heading.closest('li, section') as HTMLElement);
};

describe('Pricing page', () => {
  let navigations: string[];
  beforeEach(() => {
    navigations = [];
    jest.spyOn(externalNavigation, 'navigate').mockImplementation((url) => void navigations.push(url));
    jest.spyOn(externalNavigation, 'waitUntilLeft').mockResolvedValue();
    jest.spyOn(externalNavigation, 'openTab').mockImplementation(() => ({
      navigate: (url) => void navigations.push(`tab ${url}`),
      close: () => void navigations.push('closed'),
    }));
  });
  afterEach(() => jest.restoreAllMocks());

  it('shows monthly and yearly prices', async () => {
    mockApi({ ...free, 'GET /api/user': notSignedInResponse });
    const { user } = await renderComponent(<PricingPage />);
    expect((await findPlanCard('Creator')).getByText('$7.99')).toBeInTheDocument();
    expect((await findPlanCard('Creator')).getByText('Most Popular')).toBeInTheDocument();
    expect((await findPlanCard('Creator')).getByText(/20K\+ subscribers/)).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Yearly' }));
    expect((await findPlanCard('Creator')).getByText('$79.90')).toBeInTheDocument();
    expect(screen.getByText('Save 2 months!')).toBeInTheDocument();
    const inquiry = (await findPlanCard('Enterprise')).getByRole('link', { name: 'Enterprise Inquiry' });
    expect(inquiry).toHaveAttribute('href', 'mailto:plans@example.org?subject=Enterprise%20plan%20inquiry');
  });

  it('writes prices as the language does', async () => {
    mockApi({ ...free, 'GET /api/user': notSignedInResponse });
    await renderComponent(<PricingPage />, { language: 'tr' });
    expect((await findPlanCard('Creator')).getByText('7,99 $')).toBeInTheDocument();
    expect((await findPlanCard('Her Zaman Ücretsiz')).getByText('0 $')).toBeInTheDocument();
  });

  it('opens the checkout for the chosen plan and interval', async () => {
    const url = 'https://checkout.example/1';
    const api = mockApi({ ...free, 'POST /api/create-subscription': [200, { url }] });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('radio', { name: 'Yearly' }));
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Starter' }));
    expect(api.callsTo('POST /api/create-subscription')[0]?.body).toEqual({
      planId: 'starter',
      billingInterval: 'yearly',
    });
    expect(navigations).toEqual([url]);
  });

  it('asks signed-out visitors to sign in and returns them to the page', async () => {
    mockApi({ ...free, 'GET /api/user': notSignedInResponse });
    const { user, address } = await renderApp('/pricing');
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Creator' }));
    expect(await screen.findByText('Authentication Required')).toBeInTheDocument();
    expect(screen.getByText('Please log in to subscribe to a plan')).toBeInTheDocument();
    expect(address()).toBe('/auth?mode=login&next=%2Fpricing%3Finterval%3Dmonthly');
  });

  it('tells a user on the free plan that they already have it', async () => {
    mockApi(free);
    const { user } = await renderComponent(<PricingPage />);
    await user.click((await findPlanCard('Always Free')).getByRole('button', { name: 'Current plan' }));
    expect(await screen.findByText('Already on Free Plan')).toBeInTheDocument();
  });

  it('sends a subscriber to the billing portal for every change', async () => {
    const server = mockApi({
      ...subscribed,
      'POST /api/manage-subscription': [200, { url: 'https://portal.example' }],
    });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Change Plan to Pro Creator' }));
    expect((await findPlanCard('Creator')).getByText('Current plan, monthly')).toBeInTheDocument();
    await user.click((await findPlanCard('Creator')).getByRole('button', { name: 'Manage Subscription' }));
    expect(server.callsTo('POST /api/manage-subscription').map(({ body }) => body)).toEqual([
      { planId: 'pro-creator', billingInterval: 'monthly' },
      {},
    ]);
    expect(screen.queryByRole('button', { name: /^Choose Plan/ })).not.toBeInTheDocument();
    expect(navigations).toEqual(['tab https://portal.example', 'tab https://portal.example']);
  });

  it('offers the other interval of the current plan', async () => {
    const server = mockApi({
      ...subscribed,
      'POST /api/manage-subscription': [200, { url: 'https://portal.example' }],
    });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('radio', { name: /Yearly/ }));
    const mine = await findPlanCard('Creator');
    expect(mine.getByText('Current plan, monthly')).toBeInTheDocument();
    await user.click(mine.getByRole('button', { name: 'Switch to Yearly' }));
    expect(server.callsTo('POST /api/manage-subscription')[0]!.body).toEqual({
      planId: 'creator',
      billingInterval: 'yearly',
    });
  });

  it('closes the tab and shows the reason when the portal can’t be opened', async () => {
    const down = errorResponse(503, 'BILLING_UNAVAILABLE', 'The payment provider does not answer.');
    mockApi({ ...subscribed, 'POST /api/manage-subscription': down });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Change Plan to Starter' }));
    expect(await screen.findByText('Subscription Management Error')).toBeInTheDocument();
    expect(screen.getByText('The payment provider does not answer.')).toBeInTheDocument();
    expect(navigations).toEqual(['closed']);
  });

  it('shows the contact for a plan by agreement and sells nothing else', async () => {
    const status = makeSubscriptionStatus({
      plan: 'enterprise',
      heldBy: 'agreement',
      can: { upgrade: false, buy: [], manage: true },
    });
    mockApi({
      ...free,
      'GET /api/user': [200, makeUser({ plan: 'enterprise' })],
      'GET /api/subscription-status': [200, status],
    });
    await renderComponent(<PricingPage />);
    expect((await findPlanCard('Enterprise')).getByText('Current plan')).toBeInTheDocument();
    expect((await findPlanCard('Starter')).getByText('Included in your plan')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Choose Plan/ })).not.toBeInTheDocument();
  });

  it('shows when plans can’t be bought on this site', async () => {
    mockApi({ ...free, 'GET /api/plans': [200, samplePlans.map((plan) => ({ ...plan, intervals: [] }))] });
    await renderComponent(<PricingPage />);
    expect(await screen.findByText(/can’t be bought on this site/)).toBeInTheDocument();
    const plans = within(screen.getAllByRole('listitem').find((item) => within(item).queryByText('Starter'))!);
    expect(plans.queryByRole('button')).not.toBeInTheDocument();
    expect(screen.queryByText('Not available at the moment')).not.toBeInTheDocument();
  });

  it('lists once what all plans include', async () => {
    mockApi(free);
    await renderComponent(<PricingPage />);
    const shared = await screen.findByRole('list', { name: 'In every plan' });
    for (const { textContent } of within(shared).getAllByRole('listitem'))
      expect(screen.getAllByText(textContent)).toHaveLength(1);
  });

  it('shows the server’s error when the checkout can’t be opened', async () => {
    mockApi({
      ...free,
      'POST /api/create-subscription': errorResponse(503, 'PRICE_NOT_CONFIGURED', 'Choose another.'),
    });
    const { user } = await renderComponent(<PricingPage />);
    await user.click(await screen.findByRole('button', { name: 'Choose Plan Creator' }));
    expect(await screen.findByText('Subscription Error')).toBeInTheDocument();
    expect(screen.getByText('Choose another.')).toBeInTheDocument();
    expect(navigations).toEqual([]);
  });
});

describe('Checkout return page', () => {
  const session = { planId: 'creator', status: 'complete', paid: true };
  const at = '/checkout?success=true&session_id=cs_test_1';

  it('checks the payment again after a second and shows the plan', async () => {
    let respond: (value: MockResponse) => void = () => undefined;
    const later = new Promise<MockResponse>((resolve) => (respond = resolve));
    const api = mockApi({
      ...free,
      'GET /api/checkout-session/cs_test_1': [200, session],
      'POST /api/subscription-status/refresh': () => later,
    });
    await renderApp(at);
    expect(await screen.findByText(/checking with the payment provider/)).toBeInTheDocument();
    respond([200, makeSubscribedStatus()]);
    expect(
      await screen.findByText('You’re now on the Creator plan. Its limits apply immediately.'),
    ).toBeInTheDocument();
    expect(api.callsTo('POST /api/subscription-status/refresh')).toHaveLength(1);
  });

  it('offers to check again while the payment is unconfirmed', async () => {
    const api = mockApi({
      ...free,
      'GET /api/checkout-session/cs_test_1': [200, { ...session, status: 'open', paid: false }],
      'POST /api/subscription-status/refresh': [200, makeSubscriptionStatus()],
    });
    const { user } = await renderApp(at);
    expect(await screen.findByText('The payment isn’t confirmed yet')).toBeInTheDocument();
    api.setResponse('POST /api/subscription-status/refresh', [200, makeSubscribedStatus()]);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Your plan is ready')).toBeInTheDocument();
  });

  it('shows the current plan when the URL is opened again after a plan change', async () => {
    const larger = { ...makeSubscribedStatus(), plan: 'pro-creator' } as const;
    mockApi({
      ...free,
      'GET /api/checkout-session/cs_test_1': [200, { ...session, status: 'complete', paid: true }],
      'POST /api/subscription-status/refresh': [200, larger],
    });
    await renderApp(at);
    expect(
      await screen.findByText('You’re now on the Pro Creator plan. Its limits apply immediately.'),
    ).toBeInTheDocument();
  });

  it('explains that nothing is lost when the payment provider is unavailable', async () => {
    const down = errorResponse(503, 'BILLING_UNAVAILABLE', 'The payment provider does not answer.');
    mockApi({
      ...free,
      'GET /api/checkout-session/cs_test_1': down,
      'POST /api/subscription-status/refresh': down,
    });
    await renderApp(at);
    expect(await screen.findByText(/^The payment provider does not answer\. Nothing is lost/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeInTheDocument();
  });

  it('does not wait for a payment of another account', async () => {
    mockApi({
      ...free,
      'GET /api/checkout-session/cs_test_1': errorResponse(404, 'NOT_FOUND', 'Not found.'),
      'POST /api/subscription-status/refresh': [200, makeSubscriptionStatus()],
    });
    await renderApp(at);
    expect(await screen.findByText('Your account is on the Always Free plan.')).toBeInTheDocument();
    expect(screen.queryByText(/isn’t confirmed/)).not.toBeInTheDocument();
  });

  it('shows that the payment was cancelled', async () => {
    mockApi(free);
    await renderApp('/checkout?canceled=true');
    expect(await screen.findByText('Payment was canceled. You can try again anytime.')).toBeInTheDocument();
  });
});
