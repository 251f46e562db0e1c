import { screen, waitFor, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, makeUser } from '../../../test/api';
import { makeSubscriptionStatus, sampleUsage } from '../../../test/billing';
import { renderApp } from '../../../test/render';

const company = { name: null, director: null, type: null, phone: null, address: null };
const figures = { creators: null, files: null, people: null };
const site = { name: 'Zonary', company, contactEmail: 'hello@example.org', singleSignOn: null, figures };

/** Adds what the server puts into the HTML of an installation that doesn't sell plans. */
function disableBilling(): void {
  document.head.append(Object.assign(document.createElement('meta'), { name: 'plans', content: 'none' }));
}
const getPricingLinks = () => [
  ...document.querySelectorAll<HTMLAnchorElement>('a[href*="/pricing"], a[href*="Enterprise"]'),
];

beforeAll(() => {
  // jsdom has the `dialog` element without its methods.
  HTMLDialogElement.prototype.showModal = () => undefined;
});
beforeEach(() => {
  localStorage.clear();
  disableBilling();
});
afterEach(() => document.querySelectorAll('meta[name="plans"]').forEach((element) => element.remove()));

describe('Site with billing disabled', () => {
  it('shows no prices on the landing page and no links to them', async () => {
    mockApi({ 'GET /api/user': notSignedInResponse, 'GET /api/site': [200, { ...site, sells: false }] });
    await renderApp('/home');
    await screen.findByRole('heading', { level: 1 });
    expect(await screen.findByRole('link', { name: 'Contact' })).toBeInTheDocument();
    expect(getPricingLinks()).toEqual([]);
    expect(document.body).not.toHaveTextContent(/\$|free plan|Free to start|Pricing/);
    expect(screen.getByText('How do people leave?')).toBeInTheDocument();
  });

  it.each(['/pricing', '/checkout'])('has no page at %s', async (path) => {
    const user = makeUser();
    mockApi({
      'GET /api/user': [200, user],
      'GET /api/site': [200, { ...site, sells: false }],
      'GET /api/subscription-status': [200, makeSubscriptionStatus()],
      'GET /api/user/usage': [200, sampleUsage],
    });
    await renderApp(path);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  });

  it('shows signed-in users their usage but no badge, upgrade or plan', async () => {
    const status = makeSubscriptionStatus({ plan: 'enterprise', can: { upgrade: false, buy: [], manage: false } });
    mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/site': [200, { ...site, sells: false }],
      'GET /api/subscription-status': [200, status],
      'GET /api/user/usage': [200, sampleUsage.map((element) => ({ ...element, allowed: null }))],
      'GET /api/zones': [200, []],
    });
    const { user } = await renderApp('/zones');
    await screen.findByRole('heading', { name: 'My Zones' });
    await user.click(screen.getByRole('button', { name: 'Account menu' }));
    const menu = await screen.findByRole('menu');
    expect(within(menu).queryByText(/Upgrade|Manage/)).not.toBeInTheDocument();
    await waitFor(() => expect(getPricingLinks()).toEqual([]));
    expect(document.querySelector('.z-badge-success, .z-badge-danger')).toBeNull();
  });
});
