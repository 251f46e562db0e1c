import { screen, waitFor } from '@testing-library/react';
import { notSignedIn, pretendApi, refusal, type Answer } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';

beforeEach(() => localStorage.clear());

const sentence = "If there's an account with this email address, we've sent you a link to set a new password.";
const toastText = () => document.querySelector('.z-toaster')?.textContent;
const send = () => screen.getByRole('button', { name: 'Send the link' });

function server(answer: Answer = [200, { message: sentence }]) {
  return pretendApi({ 'GET /api/user': notSignedIn, 'POST /api/forgot-password': answer });
}

describe('asking for a link to set a new password', () => {
  it('is reached from sign-in, with the address that was typed there', async () => {
    server();
    const { user, address } = await renderProduct('/auth');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
    expect(address()).toBe('/forgot-password');
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
  });

  it('sends it, says so, and sends it again', async () => {
    const pretended = server();
    const { user } = await renderProduct('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), ' deniz@example.org ');
    await user.click(send());
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeInTheDocument();
    expect(toastText()).toContain(`Password reset email sent!${sentence}`);
    expect(pretended.callsOf('POST /api/forgot-password')[0]?.body).toEqual({ email: 'deniz@example.org' });
    await user.click(screen.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(pretended.callsOf('POST /api/forgot-password')).toHaveLength(2));
  });

  it('does not promise an email where no email server is set up', async () => {
    pretendApi({
      'GET /api/user': notSignedIn,
      'GET /api/site': [200, { sendsEmail: false }],
      'POST /api/forgot-password': [200, { message: sentence }],
    });
    const { user } = await renderProduct('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.click(send());
    expect(await screen.findByRole('note')).toHaveTextContent(/so the email won’t arrive/);
    expect(screen.getByRole('note')).toHaveClass('z-notice-warning');
    expect(screen.queryByText(/on its way/)).not.toBeInTheDocument();
    expect(toastText()).toContain('The email wasn’t sentThis site can’t send emails yet');
  });

  it('lets the address be corrected', async () => {
    server();
    const { user } = await renderProduct('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'denis@example.org');
    await user.click(send());
    await user.click(await screen.findByRole('button', { name: 'Use another address' }));
    expect(screen.getByLabelText('Email')).toHaveValue('denis@example.org');
  });

  it.each(['', 'deniz'])('asks for a valid address (%j) and sends nothing', async (typed) => {
    const pretended = server();
    const { user } = await renderProduct('/forgot-password');
    const field = await screen.findByLabelText('Email');
    if (typed) await user.type(field, typed);
    await user.click(send());
    expect(field).toHaveAccessibleDescription('Please enter a valid email address');
    expect(field).toHaveFocus();
    expect(pretended.callsOf('POST /api/forgot-password')).toEqual([]);
  });

  it('says when it did not work, and keeps the address', async () => {
    server(refusal(429, 'TOO_MANY_REQUESTS', 'Too many tries.'));
    const { user } = await renderProduct('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.click(send());
    await waitFor(() => expect(toastText()).toContain('Failed to send the reset emailToo many tries.'));
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
  });

  it('speaks Turkish', async () => {
    server();
    const { user } = await renderProduct('/forgot-password', { language: 'tr' });
    await user.click(await screen.findByRole('button', { name: 'Bağlantıyı gönder' }));
    expect(screen.getByLabelText('E-posta')).toHaveAccessibleDescription('Lütfen geçerli bir e-posta adresi girin');
  });
});
