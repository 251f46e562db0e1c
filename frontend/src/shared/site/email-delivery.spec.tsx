import { screen } from '@testing-library/react';
import { makeUser } from '../../../test/api';
import { mockPhone } from '../../../test/mobile';
import { renderComponent } from '../../../test/render';
import type { CurrentUser } from '../api/current-user';
import { EmailDeliveryBanner } from './email-delivery';

const renderBanner = (changes: Partial<CurrentUser>) =>
  renderComponent(<EmailDeliveryBanner user={makeUser(changes)} />);

describe('Email delivery banner', () => {
  it('links a super admin to the settings while no mail server is configured', async () => {
    await renderBanner({ isSuperAdmin: true, zoneCount: 0, emailDelivery: 'none' });
    expect(screen.getByRole('note')).toHaveTextContent('No email server is set up.');
    expect(screen.getByRole('link', { name: 'Set Up Email' })).toHaveAttribute('href', '/admin/installation');
  });

  it('is one line on a phone that expands', async () => {
    mockPhone();
    const { user } = await renderBanner({ isSuperAdmin: true, emailDelivery: 'none' });
    expect(screen.getByRole('note')).toHaveTextContent(/^Emails aren’t sent yet\.Details$/);
    await user.click(screen.getByRole('button', { name: 'Details', expanded: false }));
    expect(screen.getByRole('note')).toHaveTextContent('No email server is set up.');
    expect(screen.getByRole('link', { name: 'Set Up Email' })).toBeInTheDocument();
    jest.restoreAllMocks();
  });

  it('explains the situation to a creator without a link', async () => {
    await renderBanner({ emailDelivery: 'none' });
    expect(screen.getByRole('note')).toHaveTextContent('your emails and invitations are on hold and aren’t sent');
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('stays until the configured server has accepted an email', async () => {
    await renderBanner({ isSuperAdmin: true, emailDelivery: 'untested' });
    expect(screen.getByRole('note')).toHaveTextContent('hasn’t accepted an email yet');
    expect(screen.getByRole('link', { name: 'Email Settings' })).toBeInTheDocument();
  });

  it.each([{ emailDelivery: 'working' }, { emailDelivery: 'none', zoneCount: 0 }] as const)(
    'is not shown to %j',
    async (changes) => {
      await renderBanner(changes);
      expect(screen.queryByRole('note')).not.toBeInTheDocument();
    },
  );
});
