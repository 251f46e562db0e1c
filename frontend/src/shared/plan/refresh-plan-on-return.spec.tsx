import { fireEvent, screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { makeSubscriptionStatus, makeSubscribedStatus, sampleUsage } from '../../../test/billing';
import { renderComponent } from '../../../test/render';
import { externalNavigation } from './external-navigation';
import { CurrentPlanBadge } from './current-plan-badge';
import { portalVisit } from './portal-visit';
import { useManageSubscription } from './use-manage-subscription';
import { useRefreshPlanOnReturn } from './use-refresh-plan-on-return';
import { useUsage } from './usage';

const STATUS = 'GET /api/subscription-status';
const REFRESH = 'POST /api/subscription-status/refresh';

function PlanFrame() {
  useRefreshPlanOnReturn();
  useUsage();
  const manage = useManageSubscription();
  return (
    <>
      <CurrentPlanBadge />
      <button onClick={() => manage.mutate()}>portal</button>
    </>
  );
}

/** A user with the Creator plan, and the server's responses for it. */
async function renderFrame(extraResponses: Record<string, MockResponse> = {}) {
  const api = mockApi({
    'GET /api/user': [200, makeUser({ plan: 'creator' })],
    [STATUS]: [200, makeSubscribedStatus()],
    'GET /api/user/usage': [200, sampleUsage],
    'POST /api/manage-subscription': [200, { url: 'https://portal.example' }],
    ...extraResponses,
  });
  const { user } = await renderComponent(<PlanFrame />);
  expect(await screen.findByText('Creator')).toBeInTheDocument();
  return { api, user };
}
const cancelledBadgeText = /^Creator: Subscription cancelled, access until/;

describe('Plan refresh on return to the page', () => {
  let now: number;
  beforeEach(() => {
    portalVisit.reset();
    now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    jest.spyOn(externalNavigation, 'openTab').mockReturnValue({ navigate: () => undefined, close: () => undefined });
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['from another tab', () => fireEvent(document, new Event('visibilitychange'))],
    ['from another window', () => fireEvent.focus(window)],
    ['by going back in the browser', () => fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))],
  ])('shows the current plan when returning %s', async (_, comeBack) => {
    const { api } = await renderFrame();
    api.setResponse(STATUS, [200, makeSubscribedStatus({ cancelAtPeriodEnd: true })]);
    comeBack();
    expect(await screen.findByText(cancelledBadgeText)).toBeInTheDocument();
    expect(api.callsTo(REFRESH)).toHaveLength(0);
  });

  it('reloads once for duplicate browser events and not while the page is hidden', async () => {
    const { api } = await renderFrame();
    const hidden = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    fireEvent(document, new Event('visibilitychange'));
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: false }));
    hidden.mockRestore();
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: false }));
    expect(api.callsTo(STATUS)).toHaveLength(1);
    fireEvent(document, new Event('visibilitychange'));
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsTo(STATUS)).toHaveLength(2));
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsTo(STATUS)).toHaveLength(3));
  });

  it('refreshes from the payment provider after a visit to the billing portal', async () => {
    const { api, user } = await renderFrame({ [REFRESH]: [200, makeSubscriptionStatus()] });
    await user.click(screen.getByRole('button', { name: 'portal' }));
    const [sessionCalls, usageCalls] = [
      api.callsTo('GET /api/session').length,
      api.callsTo('GET /api/user/usage').length,
    ];
    fireEvent.focus(window);
    expect(await screen.findByText('Free')).toBeInTheDocument();
    // The plan has changed, so the user and the limits are refetched.
    await waitFor(() => expect(api.callsTo('GET /api/session')).toHaveLength(sessionCalls + 1));
    await waitFor(() => expect(api.callsTo('GET /api/user/usage').length).toBeGreaterThan(usageCalls));
    now += 31 * 60_000;
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsTo(STATUS)).toHaveLength(2));
    expect(api.callsTo(REFRESH)).toHaveLength(1);
  });

  it('shows the stored plan without an error when the payment provider is unavailable', async () => {
    const unavailableResponse = errorResponse(503, 'BILLING_UNAVAILABLE', 'The payment provider does not answer.');
    const { api, user } = await renderFrame({ [REFRESH]: unavailableResponse });
    await user.click(screen.getByRole('button', { name: 'portal' }));
    api.setResponse(STATUS, [200, makeSubscribedStatus({ cancelAtPeriodEnd: true })]);
    fireEvent.focus(window);
    expect(await screen.findByText(cancelledBadgeText)).toBeInTheDocument();
    expect(screen.queryByText(/does not answer/)).not.toBeInTheDocument();
  });
});
