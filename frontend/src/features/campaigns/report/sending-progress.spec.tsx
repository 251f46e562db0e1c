import { screen } from '@testing-library/react';
import { renderComponent } from '../../../../test/render';
import { SendingProgress } from './sending-progress';

const progress = { status: 'sending', recipientCount: 1000, pendingCount: 299 } as const;

describe('SendingProgress', () => {
  it('shows since when the email server rejects emails and how many are waiting', async () => {
    await renderComponent(
      <SendingProgress progress={{ ...progress, mailServerRefusingSince: '2026-11-22T14:02:00.000Z' }} />,
    );
    expect(screen.getByText('701 of 1,000 emails processed')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(
      /hasn’t accepted emails since .*2026.*; 299 emails are waiting\. They will be sent/,
    );
  });

  it('uses the singular for one waiting email', async () => {
    const mailServerRefusingSince = '2026-11-22T14:02:00.000Z';
    await renderComponent(<SendingProgress progress={{ ...progress, pendingCount: 1, mailServerRefusingSince }} />);
    expect(screen.getByRole('alert')).toHaveTextContent(/; 1 email is waiting\. It will be sent automatically\.$/);
  });

  it('shows no alert while the email server accepts emails', async () => {
    await renderComponent(<SendingProgress progress={{ ...progress, mailServerRefusingSince: null }} />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
