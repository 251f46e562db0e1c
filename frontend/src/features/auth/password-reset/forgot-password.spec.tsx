import { screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, type MockResponse } from '../../../../test/api';
import { renderApp } from '../../../../test/render';

beforeEach(() => localStorage.clear());

const successMessage = "If there's an account with this email address, we've sent you a link to set a new password.";
const toastText = () => document.querySelector('.z-toaster')?.textContent;
const getSendButton = () => screen.getByRole('button', { name: 'Send the Link' });

function mockServer(response: MockResponse = [200, { message: successMessage }]) {
  return mockApi({ 'GET /api/user': notSignedInResponse, 'POST /api/forgot-password': response });
}

describe('Forgot password page', () => {
  it('opens from sign-in with the email typed there', async () => {
    mockServer();
    const { user, address } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
    expect(address()).toBe('/forgot-password');
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
  });

  it('requests the link, confirms it and can request it again', async () => {
    const server = mockServer();
    const { user } = await renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), ' deniz@example.org ');
    await user.click(getSendButton());
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeInTheDocument();
    expect(toastText()).toContain(`Password reset email sent!${successMessage}`);
    expect(server.callsTo('POST /api/forgot-password')[0]?.body).toEqual({ email: 'deniz@example.org' });
    await user.click(screen.getByRole('button', { name: 'Send Again' }));
    await waitFor(() => expect(server.callsTo('POST /api/forgot-password')).toHaveLength(2));
  });

  it('does not promise an email when no email server is configured', async () => {
    mockApi({
      'GET /api/user': notSignedInResponse,
      'GET /api/site': [200, { sendsEmail: false }],
      'POST /api/forgot-password': [200, { message: successMessage }],
    });
    const { user } = await renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    expect(await screen.findByRole('note')).toHaveTextContent(/you won’t get the email that you need/);
    await user.click(getSendButton());
    expect(await screen.findByRole('heading', { level: 1, name: 'The email wasn’t sent' })).toBeInTheDocument();
    expect(screen.getByRole('note')).toHaveTextContent(/so the email won’t arrive/);
    expect(screen.getByRole('note')).toHaveClass('z-notice-warning');
    expect(screen.queryByText(/on its way/)).not.toBeInTheDocument();
    expect(toastText()).toContain('The email wasn’t sentThis site can’t send emails yet');
  });

  it('lets the user correct the email address', async () => {
    mockServer();
    const { user } = await renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'denis@example.org');
    await user.click(getSendButton());
    await user.click(await screen.findByRole('button', { name: 'Use Another Address' }));
    expect(screen.getByLabelText('Email')).toHaveValue('denis@example.org');
  });

  it.each(['', 'deniz'])('rejects the invalid email address %j without sending a request', async (typed) => {
    const server = mockServer();
    const { user } = await renderApp('/forgot-password');
    const field = await screen.findByLabelText('Email');
    if (typed) await user.type(field, typed);
    await user.click(getSendButton());
    expect(field).toHaveAccessibleDescription('Please enter a valid email address');
    expect(field).toHaveFocus();
    expect(server.callsTo('POST /api/forgot-password')).toEqual([]);
  });

  it('shows an error and keeps the address when the request fails', async () => {
    mockServer(errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many tries.'));
    const { user } = await renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.click(getSendButton());
    await waitFor(() => expect(toastText()).toContain('Couldn’t send the reset emailToo many tries.'));
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
  });

  it('is translated into Turkish', async () => {
    mockServer();
    const { user } = await renderApp('/forgot-password', { language: 'tr' });
    await user.click(await screen.findByRole('button', { name: 'Bağlantıyı Gönder' }));
    expect(screen.getByLabelText('E-posta')).toHaveAccessibleDescription('Lütfen geçerli bir e-posta adresi girin');
  });
});
