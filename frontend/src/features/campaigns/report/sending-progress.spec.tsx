import { screen } from '@testing-library/react';
import { renderComponent } from '../../../../test/render';
import { SendingProgress } from './sending-progress';

const progress = { status: 'sending', recipientCount: 1000, pendingCount: 299 } as const;

describe('the progress of a sending', () => {
  it('says since when the email server accepts no emails, and how many wait', async () => {
    await renderComponent(
      <SendingProgress progress={{ ...progress, mailServerRefusingSince: '2026-11-22T14:02:00.000Z' }} />,
    );
    expect(screen.getByText('701 of 1,000 emails processed')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(
      /hasn’t accepted emails since .*2026.*; 299 emails are waiting\. They will be sent/,
    );
  });

  it('counts one that waits as one', async () => {
    const mailServerRefusingSince = '2026-11-22T14:02:00.000Z';
    await renderComponent(<SendingProgress progress={{ ...progress, pendingCount: 1, mailServerRefusingSince }} />);
    expect(screen.getByRole('alert')).toHaveTextContent(/; 1 email is waiting\. It will be sent automatically\.$/);
  });

  it('says nothing of it while the server takes them', async () => {
    await renderComponent(<SendingProgress progress={{ ...progress, mailServerRefusingSince: null }} />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
