import { screen } from '@testing-library/react';
import { renderPiece } from '../../../../test/render';
import { SendingProgress } from './sending-progress';

const progress = { status: 'sending', recipientCount: 1000, pendingCount: 299 } as const;

describe('the progress of a sending', () => {
  it('says since when the mail server takes no mails, and how many wait', async () => {
    await renderPiece(
      <SendingProgress progress={{ ...progress, mailServerRefusingSince: '2026-11-22T14:02:00.000Z' }} />,
    );
    expect(screen.getByText('701 of 1,000 emails sent')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(/has not been taking mails since .*2026.*; 299 wait/);
  });

  it('says nothing of it while the server takes them', async () => {
    await renderPiece(<SendingProgress progress={{ ...progress, mailServerRefusingSince: null }} />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
