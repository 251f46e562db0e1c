import { act, screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { dashboardResponses } from '../../../../test/sign-in';

beforeEach(() => localStorage.clear());

const getLinkTexts = (container: HTMLElement) =>
  within(container)
    .queryAllByRole('link')
    .map(({ textContent }) => textContent);
const findNavigation = async () => within(await screen.findByRole('navigation', { name: 'Main navigation' }));

async function renderPage(user: Parameters<typeof makeUser>[0], path = '/settings') {
  mockApi({
    ...dashboardResponses,
    'GET /api/user': [200, makeUser({ zoneCount: 2, ...user })],
    'GET /api/woocommerce/product-mappings': [200, [], { 'X-Total-Count': '0' }],
    'GET /api/acedumy/webhook-logs': [200, [], { 'X-Total-Count': '0' }],
  });
  const rendered = await renderApp(path);
  // Until the user is known, the sidebar shows the entries for everybody.
  await screen.findByRole('button', { name: 'Account menu' });
  return rendered;
}

describe('Sidebar', () => {
  it('groups the entries of a creator in the specified order', async () => {
    await renderPage({});
    const nav = await findNavigation();
    expect(getLinkTexts(nav.getByRole('list', { name: 'Content' }))).toEqual(['My Zones', 'Files']);
    expect(getLinkTexts(nav.getByRole('list', { name: 'Audience' }))).toEqual([
      'Members',
      'Email Campaigns',
      'Analytics',
    ]);
    expect(nav.getAllByRole('link')).toHaveLength(10);
    expect(nav.queryByRole('button', { name: 'Administration' })).not.toBeInTheDocument();
  });

  it('keeps the administration group closed until opened and remembers its state', async () => {
    const { user, unmount } = await renderPage({ isSuperAdmin: true });
    const nav = await findNavigation();
    const group = nav.getByRole('button', { name: 'Administration' });
    expect(group).toHaveAttribute('aria-expanded', 'false');
    expect(nav.getAllByRole('link')).toHaveLength(10);
    await user.click(group);
    expect(group).toHaveAttribute('aria-expanded', 'true');
    const administration = nav.getByRole('list', { name: 'Administration' });
    expect(getLinkTexts(administration)).toEqual(['Super Admin', 'WooCommerce', 'AcEdumy', 'Stripe to AcEdumy']);
    unmount();
    await renderPage({ isSuperAdmin: true });
    expect((await findNavigation()).getByRole('button', { name: 'Administration' })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });

  it('opens the administration group on its pages and lets the user close it', async () => {
    const { user } = await renderPage({ isSuperAdmin: true }, '/woocommerce-admin');
    const nav = await findNavigation();
    expect(nav.getByRole('link', { name: 'WooCommerce' })).toHaveAttribute('aria-current', 'page');
    await user.click(nav.getByRole('button', { name: 'Administration' }));
    expect(nav.queryByRole('link', { name: 'WooCommerce' })).not.toBeInTheDocument();
  });

  it('keeps the closed group closed on the next admin page and reopens it after leaving', async () => {
    const { user, router } = await renderPage({ isSuperAdmin: true }, '/woocommerce-admin');
    const nav = await findNavigation();
    const group = nav.getByRole('button', { name: 'Administration' });
    await user.click(group);
    await act(() => router.navigate('/acedumy-admin'));
    expect(group).toHaveAttribute('aria-expanded', 'false');
    await act(() => router.navigate('/settings'));
    await act(() => router.navigate('/woocommerce-admin'));
    await waitFor(() => expect(group).toHaveAttribute('aria-expanded', 'true'));
  });

  it('has no headings for users without zones', async () => {
    await renderPage({ zoneCount: 0, sharedZoneCount: 1 });
    const nav = await findNavigation();
    expect(nav.queryByText('Audience')).not.toBeInTheDocument();
  });
});
