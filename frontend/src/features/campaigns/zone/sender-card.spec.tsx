import { screen } from '@testing-library/react';
import { mockApi, errorResponse } from '../../../../test/api';
import { renderComponent } from '../../../../test/render';
import { SenderCard } from './sender-card';

const settings = (changes: object = {}) => ({
  fromName: null,
  replyTo: 'answers@example.org',
  replyToWaiting: true,
  replyToAskedAt: null,
  welcomeEnabled: false,
  welcomeSubject: 'Hi',
  welcomeHtmlContent: '<p>Hi</p>',
  welcomeCampaignId: null,
  welcomeSkipped: 0,
  ...changes,
});
const path = '/api/zones/7/mail-settings';

describe('Reply-to address of a zone', () => {
  it('waits for confirmation and lets the owner send the link again', async () => {
    const sent = settings({ replyToAskedAt: '2026-05-01T10:00:00.000Z' });
    const api = mockApi({
      [`GET ${path}`]: [200, sent],
      [`POST ${path}/reply-to-link`]: errorResponse(429, 'REPLY_TO_MAIL_LIMIT', 'No more today.'),
    });
    const { user } = await renderComponent(<SenderCard zoneId={7} />);
    expect(await screen.findByText('Waiting for confirmation')).toBeInTheDocument();
    expect(screen.getByText(/^We sent an email to answers@example\.org on/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send Again' }));
    expect(await screen.findByText('No more today.')).toBeInTheDocument();
    api.setResponse(`POST ${path}/reply-to-link`, [200, settings({ replyToWaiting: false })]);
    await user.click(screen.getByRole('button', { name: 'Send Again' }));
    expect(await screen.findByText('Link sent to answers@example.org')).toBeInTheDocument();
    expect(screen.queryByText('Waiting for confirmation')).toBeNull();
  });

  it('shows when no confirmation link has been sent yet', async () => {
    mockApi({ [`GET ${path}`]: [200, settings()] });
    await renderComponent(<SenderCard zoneId={7} />);
    expect(await screen.findByText(/^No link has been sent to answers@example\.org yet/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send the Link' })).toBeInTheDocument();
  });
});
