import { act, screen } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';

const verificationPreview = {
  success: true,
  message: 'Press the button to join.',
  inviteToken: null,
  redirectUrl: null,
  zoneName: 'Watercolour course',
  email: 'ayse@example.org',
  requiresApproval: false,
};
const page = '/verify-email?token=tok&join=jo';

beforeEach(() => {
  localStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

const advanceTime = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': notSignedInResponse,
    'GET /api/verify-email': [200, verificationPreview],
    ...more,
  });
}

const findConfirmButton = () => screen.findByRole('button', { name: 'Confirm and Join' });

describe('Email verification page', () => {
  it('shows what the link does without acting by itself', async () => {
    const server = mockServer();
    await renderApp(page);
    expect(await screen.findByRole('heading', { name: 'Join “Watercolour course”' })).toBeInTheDocument();
    expect(screen.getByText(/confirm that ayse@example\.org is yours/)).toBeInTheDocument();
    await advanceTime(10_000);
    expect(server.callsTo('POST /api/verify-email')).toEqual([]);
    expect(server.callsTo('GET /api/verify-email')[0]?.query.toString()).toBe('token=tok&join=jo');
  });

  it('verifies on click, loads the new session and redirects after two seconds', async () => {
    const done = {
      ...verificationPreview,
      message: 'You are in.',
      redirectUrl: '/complete-profile?zone=3',
      inviteToken: 'inv',
    };
    const server = mockServer({ 'POST /api/verify-email': [200, done] });
    const { user, address } = await renderApp(page);
    const button = await findConfirmButton();
    server.setResponse('GET /api/user', [200, makeUser({ needsProfileCompletion: true })]);
    await user.click(button);
    expect(await screen.findByText('You are in.')).toBeInTheDocument();
    expect(server.callsTo('POST /api/verify-email')[0]?.body).toEqual({ token: 'tok', join: 'jo' });
    expect(localStorage.getItem('zonary.inviteToken')).toBe('inv');
    await advanceTime(1800);
    expect(address()).toBe(page);
    await advanceTime(300);
    expect(address()).toBe('/complete-profile?zone=3');
    expect(await screen.findByRole('heading', { name: 'Complete Your Profile' })).toBeInTheDocument();
  });

  it('shows that the owner must approve the request', async () => {
    mockServer({ 'GET /api/verify-email': [200, { ...verificationPreview, requiresApproval: true }] });
    await renderApp(page);
    expect(await screen.findByRole('button', { name: 'Confirm and Ask to Join' })).toBeInTheDocument();
    expect(screen.getByText(/send your request to the zone’s owner/)).toBeInTheDocument();
  });

  it('verifies only the address when there is no zone to join', async () => {
    const address = { ...verificationPreview, zoneName: null, email: 'ayse@example.org' };
    const server = mockServer({ 'GET /api/verify-email': [200, address], 'POST /api/verify-email': [200, address] });
    const { user } = await renderApp('/verify-email?token=tok');
    expect(await screen.findByRole('heading', { name: 'Confirm Your Email Address' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByRole('heading', { name: 'Done' })).toBeInTheDocument();
    expect(server.callsTo('GET /api/verify-email')[0]?.query.toString()).toBe('token=tok');
    expect(server.callsTo('POST /api/verify-email')[0]?.body).toEqual({ token: 'tok' });
  });

  it('redirects to sign-in when the server names no page', async () => {
    mockServer({ 'POST /api/verify-email': [200, verificationPreview] });
    const { user, address } = await renderApp(page);
    await user.click(await findConfirmButton());
    await advanceTime(2000);
    expect(address()).toBe('/auth');
  });

  it('shows an error when the token is missing', async () => {
    const server = mockServer();
    await renderApp('/verify-email');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid verification link - no token provided');
    expect(server.callsTo('GET /api/verify-email')).toEqual([]);
  });

  it('lists the possible reasons for an invalid link', async () => {
    mockServer({ 'GET /api/verify-email': errorResponse(400, 'TOKEN_INVALID', 'This link is invalid.') });
    await renderApp(page);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Verification failedThis link is invalid.');
    expect(alert).toHaveTextContent('24 hours');
    expect(alert).toHaveTextContent('already been used');
  });

  it.each(['LINK_ALREADY_USED', 'CONSENT_REQUIRED', 'LINK_MAX_USES'])(
    'shows only the server’s message and no button for %s',
    async (code) => {
      mockServer({ 'GET /api/verify-email': errorResponse(409, code, 'The sentence of the server.') });
      await renderApp(page);
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent('Verification failedThe sentence of the server.');
      expect(alert).not.toHaveTextContent('24 hours');
      expect(screen.queryByRole('button', { name: 'Confirm and Join' })).not.toBeInTheDocument();
    },
  );

  it('shows an error when the server is unreachable', async () => {
    mockServer({ 'GET /api/verify-email': () => Promise.reject(new TypeError('Failed to fetch')) });
    await renderApp(page);
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error - please try again later');
  });
});
