import { screen } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { NO_LAST_NAME } from '../../shared/format/person';

const link = {
  zoneName: 'Watercolour',
  zoneDescription: 'Twelve lessons',
  expiresAt: '2030-05-01T12:00:00Z',
  remainingUses: 2,
  fileCount: 12,
  memberCount: 3,
  firstFiles: [],
  moreFiles: 0,
  owner: { firstName: 'Deniz', lastName: NO_LAST_NAME },
  autoJoin: true,
  requiresEmailOptin: true,
  requiresPassword: false,
  membershipDays: 30,
  consentText: 'I agree to receive all emails.',
};
const hidden = { ...link, requiresPassword: true, zoneDescription: null, fileCount: null, memberCount: null };
const mailSent = { message: 'Sent', requiresVerification: true, requiresLogin: false, redirectUrl: null };
const getLink = 'GET /api/temporary-links/abc';
const join = 'POST /api/temporary-links/abc/join';

const mockServer = (table: Record<string, MockResponse> = {}) =>
  mockApi({ 'GET /api/user': notSignedInResponse, [getLink]: [200, link], ...table });

describe('Temporary link page', () => {
  beforeEach(() => sessionStorage.clear());

  it('shows the expiry, the remaining uses and the membership duration', async () => {
    const server = mockServer({ [join]: [200, mailSent] });
    const { user } = await renderApp('/zone/temp/abc');
    expect(await screen.findByRole('heading', { level: 1, name: 'Watercolour' })).toBeInTheDocument();
    expect(screen.getByText(/Open until May 1, 2030/)).toBeInTheDocument();
    expect(screen.getByText('2 places left')).toBeInTheDocument();
    expect(screen.getByText('Your membership lasts 30 days.')).toBeInTheDocument();
    expect(screen.queryByLabelText('Link password')).not.toBeInTheDocument();
    await user.type(screen.getByLabelText('Email address'), 'ayse@example.org');
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    expect(await screen.findByRole('heading', { name: 'Please check your email' })).toBeInTheDocument();
    expect(server.callsTo(join)[0]?.body).toEqual({ email: 'ayse@example.org', emailConsent: true });
  });

  it('asks for the password and shows at its field that it is wrong', async () => {
    const wrong = errorResponse(403, 'LINK_PASSWORD_WRONG', 'Not right.', { errors: { password: ['Not right.'] } });
    const server = mockServer({ [getLink]: [200, hidden], [join]: wrong });
    const { user } = await renderApp('/zone/temp/abc');
    await user.type(await screen.findByLabelText('Email address'), 'ayse@example.org');
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    const field = screen.getByLabelText('Link password');
    expect(field).toHaveAccessibleDescription('Please enter the link password');
    expect(server.callsTo(join)).toEqual([]);
    await user.type(field, 'tulip');
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    expect(await screen.findByText('Not right.')).toBeInTheDocument();
    expect(field).toHaveAccessibleDescription('Not right.');
    expect(server.callsTo(join)[0]?.body).toMatchObject({ password: 'tulip' });
  });

  it('explains that an address other than the signed-in one is treated as a visitor’s', async () => {
    mockServer({ 'GET /api/user': [200, makeUser()] });
    const { user } = await renderApp('/zone/temp/abc');
    const field = await screen.findByDisplayValue('deniz@example.org');
    expect(field).toHaveAccessibleDescription('You’re signed in with this address, so you join right away.');
    await user.clear(field);
    await user.type(field, 'ayse@example.org');
    expect(field).toHaveAccessibleDescription(/You’re signed in as deniz@example\.org/);
  });

  it.each([
    ['LINK_EXPIRED', 410, 'Link Expired', 'This link has expired. Please request a new invitation.'],
    ['LINK_MAX_USES', 410, 'Link Usage Exceeded', /reached its maximum usage/],
    ['LINK_NOT_FOUND', 404, 'Link Expired or Invalid', /This link no longer works/],
  ])('explains why a link with %s no longer works and links to the homepage', async (code, status, title, text) => {
    mockServer({ [getLink]: errorResponse(status, code, 'No') });
    await renderApp('/zone/temp/abc');
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to the Home Page' })).toHaveAttribute('href', '/home');
  });

  it.each([
    ['LINK_EXPIRED', 410, 'Link Expired'],
    ['LINK_MAX_USES', 410, 'Link Usage Exceeded'],
    ['LINK_NOT_FOUND', 404, 'Link Expired or Invalid'],
    ['ZONE_FULL', 403, 'This zone is full at the moment'],
  ])('shows %s occurring in the meantime and keeps the entered values', async (code, status, title) => {
    mockServer({ [join]: errorResponse(status, code, 'The sentence of the server') });
    const { user } = await renderApp('/zone/temp/abc');
    await user.type(await screen.findByLabelText('Email address'), 'ayse@example.org');
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(title);
    expect(screen.getByLabelText('Email address')).toHaveValue('ayse@example.org');
  });
});
