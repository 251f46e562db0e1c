import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { notSignedInResponse, mockApi, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';

const emptyOperator = { name: null, director: null, type: null, phone: null, address: null };
const noFigures = { creators: null, files: null, people: null };
const site = (change: object = {}) => ({
  name: 'Zonary',
  company: emptyOperator,
  contactEmail: null,
  singleSignOn: null,
  figures: noFigures,
  ...change,
});

beforeAll(() => {
  // jsdom has the `dialog` element but doesn't implement its methods.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
});
beforeEach(() => localStorage.clear());

const renderLanding = async (user: Parameters<typeof mockApi>[0][string], facts = site()) => {
  mockApi({ 'GET /api/user': user, 'GET /api/site': [200, facts] });
  await renderApp('/home');
  return screen.findByRole('heading', { level: 1 });
};

describe('Landing page', () => {
  it('shows the comparison, the features, the audiences and the questions', async () => {
    await renderLanding(notSignedInResponse);
    expect(screen.getByRole('heading', { name: 'A shared folder wasn’t made for an audience' })).toBeInTheDocument();
    const cardsUnder = (name: string) =>
      within(screen.getByRole('region', { name }))
        .getAllByRole('listitem')
        .map((card) => card.querySelector('h3')?.textContent);
    expect(cardsUnder('What you get')).toEqual(['Made for creators', 'Email built in', 'Public and private zones']);
    expect(cardsUnder('Who it’s for')).toEqual(['YouTubers', 'Educators', 'Coaches', 'Authors']);
    expect(screen.getByRole('link', { name: 'See the Plans' })).toHaveAttribute('href', '/pricing');
    expect(screen.getByText('How do people leave?')).toBeInTheDocument();
  });

  it('links signed-out visitors to registration', async () => {
    await renderLanding(notSignedInResponse);
    const starts = screen.getAllByRole('link', { name: 'Start Building Your Audience' });
    expect(starts.map((link) => link.getAttribute('href'))).toEqual(['/auth?mode=register', '/auth?mode=register']);
    expect(screen.queryByRole('link', { name: 'Upgrade Plan' })).not.toBeInTheDocument();
  });

  it('links signed-in users to their dashboard and to larger plans', async () => {
    await renderLanding([200, makeUser()]);
    const main = screen.getByRole('main');
    expect(await within(main).findByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/pricing');
    for (const link of within(main).getAllByRole('link', { name: 'My Dashboard' })) {
      expect(link).toHaveAttribute('href', '/dashboard');
    }
    expect(within(main).queryByRole('link', { name: 'Start Building Your Audience' })).not.toBeInTheDocument();
  });

  it('shows the figures of the site and hides missing ones', async () => {
    await renderLanding(notSignedInResponse, site({ figures: { creators: null, files: 23_456, people: 1200 } }));
    const figures = await screen.findByRole('region', { name: 'On this site' });
    expect(within(figures).getByText('23,456')).toBeInTheDocument();
    expect(within(figures).getByText('1,200')).toBeInTheDocument();
    expect(within(figures).queryByText('creators share files here')).not.toBeInTheDocument();
  });

  it('hides the figures section when there are none', async () => {
    await renderLanding(notSignedInResponse);
    expect(await screen.findByRole('link', { name: 'Pricing Plans' })).toBeInTheDocument();
    expect(screen.queryByText('On this site')).not.toBeInTheDocument();
  });

  it('shows the configured operator and contact details', async () => {
    const company = { ...emptyOperator, name: 'Sample Ltd', director: 'Ada Sample', phone: '+90 312 000 00 00' };
    await renderLanding(notSignedInResponse, site({ company, contactEmail: 'hello@example.com' }));
    const footer = screen.getByRole('contentinfo');
    expect(await within(footer).findByText('Sample Ltd')).toBeInTheDocument();
    expect(within(footer).getByText('Managing director: Ada Sample')).toBeInTheDocument();
    expect(within(footer).getByRole('link', { name: '+90 312 000 00 00' })).toHaveAttribute(
      'href',
      'tel:+903120000000',
    );
    expect(within(footer).getByRole('link', { name: 'Enterprise Inquiry' })).toHaveAttribute(
      'href',
      'mailto:hello@example.com?subject=Enterprise%20plan%20inquiry',
    );
  });

  it('shows no operator details when none are configured', async () => {
    await renderLanding(notSignedInResponse);
    const footer = screen.getByRole('contentinfo');
    expect(within(footer).queryByRole('link', { name: 'Contact' })).not.toBeInTheDocument();
    expect(footer.querySelector('address')).toBeNull();
    expect(within(footer).getByRole('link', { name: 'Sign Up Free' })).toHaveAttribute('href', '/auth?mode=register');
  });
});

describe('Product tour', () => {
  it('moves through the screens by buttons and arrow keys and can be closed', async () => {
    const user = userEvent.setup();
    await renderLanding(notSignedInResponse);
    await user.click(screen.getByRole('button', { name: 'Watch Demo' }));
    const tour = screen.getByRole('dialog', { name: 'A short tour' });
    const title = () => within(tour).getByRole('heading').textContent;
    expect(title()).toBe('A zone holds your files');
    expect(within(tour).getByText('1 of 5')).toBeInTheDocument();
    expect(within(tour).getByRole('button', { name: 'Back' })).toBeDisabled();
    await user.click(within(tour).getByRole('button', { name: 'Next' }));
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(title()).toBe('You see how it’s going');
    expect(within(tour).getByRole('img')).toHaveAttribute('src', '/shots/dashboard-wide-en-light.webp');
    await user.click(within(tour).getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});
