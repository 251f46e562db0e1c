import { screen, within } from '@testing-library/react';
import { notSignedIn, pretendApi } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const site = {
  name: 'Sample Zones',
  company: { name: null, director: null, type: null, phone: null, address: null },
  contactEmail: 'hello@example.com',
  figures: { creators: null, files: null, people: null },
  retention: { webhookBodies: 90, ips: 1, linkUsages: 1400, campaignEvents: 400, activity: 0 },
};

const show = async (language: 'en' | 'tr') => {
  pretendApi({ 'GET /api/user': notSignedIn, 'GET /api/site': [200, site] });
  await renderProduct('/privacy', { language });
  return screen.findByRole('table');
};

describe('the privacy page', () => {
  it('tells for how long everything is kept, as the installation is configured', async () => {
    const lives = await show('en');
    expect(screen.getByText('What Sample Zones keeps of you, and for how long.')).toBeInTheDocument();
    const told = within(lives)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [row.querySelector('th')?.textContent?.slice(0, 14), row.querySelector('td')?.textContent]);
    expect(told).toEqual([
      ['Network addres', '1 day'],
      ['Single tries t', '1,400 days'],
      ['Single opening', '400 days'],
      ['What happened ', 'As long as the service runs'],
      ['What shops and', '90 days'],
    ]);
    expect(screen.getAllByRole('link', { name: 'hello@example.com' })[0]).toHaveAttribute(
      'href',
      'mailto:hello@example.com',
    );
    expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  });

  it('in Turkish too', async () => {
    const lives = await show('tr');
    expect(within(lives).getByText('90 gün')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Gizlilik' })).toBeInTheDocument();
  });
});
