import { screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse } from '../../../../test/api';
import { renderComponent } from '../../../../test/render';
import { LinkAccount } from './link-account';

const link = 'POST /api/single-sign-on/link';

describe('Linking a single sign-on provider to an account', () => {
  it('warns that codes can’t be emailed without an email server and submits a wrong code only once', async () => {
    const server = mockApi({
      'GET /api/site': [200, { sendsEmail: false }],
      'GET /api/single-sign-on/link': [200, { email: 'deniz@example.org', provider: 'Okta', byPassword: false }],
      'POST /api/single-sign-on/link/code': [204],
      [link]: errorResponse(400, 'CODE_INVALID', 'This code is not right.'),
    });
    const { user } = await renderComponent(
      <LinkAccount onSignedIn={async () => undefined} onFactorRequired={() => undefined} />,
    );
    const sendButton = await screen.findByRole('button', { name: 'Email Me a Code' });
    expect(await screen.findByRole('note')).toHaveTextContent(/you won’t get the email that you need/);
    await user.click(sendButton);
    const field = await screen.findByRole('textbox');
    expect(screen.getByRole('note')).toHaveTextContent(/so the email won’t arrive/);
    await user.type(field, '123456{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This code is not right.'));
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('button', { name: 'Connect and Sign In' }));
    expect(server.callsTo(link)).toHaveLength(1);
    await user.type(field, '{Backspace}7{Enter}');
    await waitFor(() => expect(server.callsTo(link)).toHaveLength(2));
  });
});
