import { screen } from '@testing-library/react';
import { notSignedIn, pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const invitation = {
  zoneName: 'Watercolour course',
  inviterName: 'Olga Owner',
  email: 'ayse@example.org',
  isExistingUser: true,
  isAccepted: false,
  requiresEmailOptin: true,
  consentText: 'I agree to receive all emails',
  expiresAt: '2026-12-01T00:00:00.000Z',
};
const me = someone({ email: 'ayse@example.org' });
const other = someone({ email: 'somebody.else@example.org' });

function server(user: Answer, info: Partial<typeof invitation> = {}, more: Record<string, Answer> = {}) {
  return pretendApi({ 'GET /api/user': user, 'GET /api/invite/tok': [200, { ...invitation, ...info }], ...more });
}

const open = () => renderProduct('/invite/tok');

describe('the page of an invitation', () => {
  it('says what it is, and accepts at the press of the button alone', async () => {
    const accepted = {
      ...{ message: 'In', zoneName: 'Watercolour course', redirectUrl: '/zones/3' },
      ...{ requiresPasswordChange: false, requiresProfileCompletion: false },
    };
    const pretended = server([200, me], {}, { 'POST /api/accept-invite': [200, accepted] });
    const { user } = await open();
    expect(await screen.findByRole('heading', { name: 'Join “Watercolour course”' })).toBeInTheDocument();
    expect(pretended.callsOf('POST /api/accept-invite')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Accept invitation' }));
    expect(await screen.findByRole('heading', { name: 'You have joined the zone' })).toBeInTheDocument();
    const [call] = pretended.callsOf('POST /api/accept-invite');
    expect(call?.body).toEqual({ token: 'tok', email: 'ayse@example.org', existingUser: true, emailConsent: true });
  });

  it('asks somebody new for the temporary password, and takes it without the spaces around it', async () => {
    const wrong = refusal(401, 'INVALID_CREDENTIALS', 'Invalid email or password');
    const pretended = server(notSignedIn, { isExistingUser: false }, { 'POST /api/accept-invite': wrong });
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    expect(await screen.findByText('Please enter both email and temporary password')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Temporary password'), ' abcd-efgh ');
    await user.click(screen.getByRole('button', { name: 'Accept invitation' }));
    expect(await screen.findByText('This email or temporary password is not right.')).toBeInTheDocument();
    expect(pretended.callsOf('POST /api/accept-invite')[0]?.body).toMatchObject({ password: 'abcd-efgh' });
  });

  it.each([
    ['an open one', false],
    ['one that was accepted', true],
  ])('tells who is signed in as somebody else whose it is: %s', async (_case, isAccepted) => {
    server([200, other], { isAccepted });
    await open();
    expect(
      await screen.findByText(/for ayse@example\.org, and you are signed in as somebody\.else/),
    ).toBeInTheDocument();
    expect(screen.queryByText('You are already a member of this zone.')).not.toBeInTheDocument();
  });

  it.each([
    ['the person themselves', [200, me] as Answer],
    ['whoever is signed out', notSignedIn],
  ])('tells %s that it was accepted', async (_case, user) => {
    server(user, { isAccepted: true });
    await open();
    expect(await screen.findByRole('heading', { name: 'Already a Member' })).toBeInTheDocument();
  });

  it('that is none says so', async () => {
    server(
      notSignedIn,
      {},
      { 'GET /api/invite/tok': refusal(404, 'INVITATION_INVALID', 'The sentence of the server') },
    );
    await open();
    expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeInTheDocument();
    expect(screen.getByText('The sentence of the server')).toBeInTheDocument();
  });
});
