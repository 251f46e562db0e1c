import { fireEvent, screen, waitFor } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { someStatus, someSubscriber, someUsage } from '../../../test/billing';
import { renderPiece } from '../../../test/render';
import { leaveFor } from './leave-for';
import { PlanState } from './plan-state';
import { portalVisit } from './portal-visit';
import { useManageSubscription } from './use-manage-subscription';
import { usePlanOnReturn } from './use-plan-on-return';
import { useUsage } from './usage';

const STATUS = 'GET /api/subscription-status';
const REFRESH = 'POST /api/subscription-status/refresh';

function Frame() {
  usePlanOnReturn();
  useUsage();
  const manage = useManageSubscription();
  return (
    <>
      <PlanState />
      <button onClick={() => manage.mutate()}>portal</button>
    </>
  );
}

/** Somebody with the Creator plan, and what the server says of it. */
async function open(more: Record<string, Answer> = {}) {
  const api = pretendApi({
    'GET /api/user': [200, someone({ plan: 'creator' })],
    [STATUS]: [200, someSubscriber()],
    'GET /api/user/usage': [200, someUsage],
    'POST /api/manage-subscription': [200, { url: 'https://portal.example' }],
    ...more,
  });
  const { user } = await renderPiece(<Frame />);
  expect(await screen.findByText('Creator')).toBeInTheDocument();
  return { api, user };
}
const cancelled = /^Creator: Subscription cancelled, access until/;

describe('coming back to the page', () => {
  let now: number;
  beforeEach(() => {
    portalVisit.reset();
    now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    jest.spyOn(leaveFor, 'newTab').mockReturnValue({ go: () => undefined, close: () => undefined });
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['from another tab', () => fireEvent(document, new Event('visibilitychange'))],
    ['from another window', () => fireEvent.focus(window)],
    ['by going back in the browser', () => fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))],
  ])('%s shows how the plan stands now', async (_, comeBack) => {
    const { api } = await open();
    api.answer(STATUS, [200, someSubscriber({ cancelAtPeriodEnd: true })]);
    comeBack();
    expect(await screen.findByText(cancelled)).toBeInTheDocument();
    expect(api.callsOf(REFRESH)).toHaveLength(0);
  });

  it('asks once for what a browser tells twice, and nothing while the page is hidden', async () => {
    const { api } = await open();
    const hidden = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    fireEvent(document, new Event('visibilitychange'));
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: false }));
    hidden.mockRestore();
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: false }));
    expect(api.callsOf(STATUS)).toHaveLength(1);
    fireEvent(document, new Event('visibilitychange'));
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsOf(STATUS)).toHaveLength(2));
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsOf(STATUS)).toHaveLength(3));
  });

  it('has the provider asked after a visit to the portal, for its own message may be on the way', async () => {
    const { api, user } = await open({ [REFRESH]: [200, someStatus()] });
    await user.click(screen.getByRole('button', { name: 'portal' }));
    const [asked, used] = [api.callsOf('GET /api/session').length, api.callsOf('GET /api/user/usage').length];
    fireEvent.focus(window);
    expect(await screen.findByText('Free')).toBeInTheDocument();
    // The plan is another one: so are the user's and the limits.
    await waitFor(() => expect(api.callsOf('GET /api/session')).toHaveLength(asked + 1));
    await waitFor(() => expect(api.callsOf('GET /api/user/usage').length).toBeGreaterThan(used));
    now += 31 * 60_000;
    fireEvent.focus(window);
    await waitFor(() => expect(api.callsOf(STATUS)).toHaveLength(2));
    expect(api.callsOf(REFRESH)).toHaveLength(1);
  });

  it('shows what we know when the provider does not answer, and says nothing', async () => {
    const down = refusal(503, 'BILLING_UNAVAILABLE', 'The payment provider does not answer.');
    const { api, user } = await open({ [REFRESH]: down });
    await user.click(screen.getByRole('button', { name: 'portal' }));
    api.answer(STATUS, [200, someSubscriber({ cancelAtPeriodEnd: true })]);
    fireEvent.focus(window);
    expect(await screen.findByText(cancelled)).toBeInTheDocument();
    expect(screen.queryByText(/does not answer/)).not.toBeInTheDocument();
  });
});
