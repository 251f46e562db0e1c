import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';
import { openSettings, toastText } from '../../../../test/settings';

const list = 'GET /api/user/factors';
const verify = 'POST /api/user/factors/verify';
const nothing = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const enrolled = { ...nothing, authenticator: { enrolledAt: '2026-01-02T10:00:00.000Z' }, recoveryCodesLeft: 3 };
const ten = Array.from({ length: 10 }, (_, index) => `abcd-efg${index}`);
const begun = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Zonary:deniz?secret=JBSWY3DPEHPK3PXP' };

beforeEach(() => localStorage.clear());

const open = (factors: object, more: Record<string, Answer> = {}) =>
  openSettings('Two-Step Sign-In', someone(), { [list]: [200, factors], ...more });

describe('the authenticator app', () => {
  it('is set up by a code to scan or a secret to type, a first code, and recovery codes that are kept', async () => {
    const { region, server, user } = await open(nothing, {
      'POST /api/user/factors': [201, begun],
      [verify]: refusal(400, 'CODE_INVALID', 'This code is wrong.'),
    });
    await user.click(await region.findByRole('button', { name: 'Set Up an Authenticator App' }));
    const setUp = within(await screen.findByRole('dialog', { name: 'Set Up an Authenticator App' }));
    expect(setUp.getByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
    expect(setUp.getByRole('group', { name: 'Or enter this key in the app' })).toHaveTextContent('JBSW Y3DP EHPK 3PXP');
    const code = setUp.getByLabelText('6-digit code');
    await user.type(code, '111111{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription('This code is wrong.'));
    server.answer(verify, [200, { recoveryCodes: ten }]);
    server.answer(list, [200, { ...enrolled, recoveryCodesLeft: 10 }]);
    await user.clear(code);
    await user.type(code, '222222{Enter}');

    const kept = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(kept.getAllByRole('listitem').map((item) => item.textContent)).toEqual(ten);
    await user.keyboard('{Escape}');
    expect(kept.getByRole('button', { name: 'Done' })).toBeDisabled();
    await user.click(kept.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(kept.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(toastText()).toContain('Two-step sign-in is on'));
    expect(await region.findByText('Set up on Jan 2, 2026')).toBeInTheDocument();
  });

  it('is removed after a question that says what opens the account then', async () => {
    const { region, server, user } = await open(enrolled, { 'DELETE /api/user/factors': [204] });
    await user.click(await region.findByRole('button', { name: 'Remove the Authenticator App' }));
    const question = within(await screen.findByRole('dialog', { name: 'Remove the authenticator app?' }));
    expect(question.getByText(/Only your password will then protect your account/)).toBeInTheDocument();
    server.answer(list, [200, nothing]);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(toastText()).toContain('Authenticator app removed'));
    expect(await region.findByRole('button', { name: 'Set Up an Authenticator App' })).toBeInTheDocument();
    expect(region.queryByText('Recovery codes')).not.toBeInTheDocument();
  });

  it('says why it could not be begun', async () => {
    const { region, user } = await open(nothing, {
      'POST /api/user/factors': refusal(409, 'FACTOR_ENROLLED', 'An app is set up already.'),
    });
    await user.click(await region.findByRole('button', { name: 'Set Up an Authenticator App' }));
    await waitFor(() => expect(toastText()).toContain('That didn’t workAn app is set up already.'));
  });
});

describe('the recovery codes', () => {
  it('warn when three are left, and are made anew', async () => {
    const { region, user } = await open(enrolled, {
      'POST /api/user/factors/recovery-codes': [200, { recoveryCodes: ten }],
    });
    expect(await region.findByText('Few left')).toBeInTheDocument();
    expect(region.getByText('3 codes left. Each signs you in once without your app or passkey.')).toBeInTheDocument();
    await user.click(region.getByRole('button', { name: 'Create New Codes' }));
    const question = within(await screen.findByRole('dialog', { name: 'Create new recovery codes?' }));
    await user.click(question.getByRole('button', { name: 'Create New Codes' }));
    const kept = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(kept.getAllByRole('listitem')).toHaveLength(10);
    await user.click(kept.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(kept.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('do not warn while more are left', async () => {
    const { region } = await open({ ...enrolled, recoveryCodesLeft: 4 });
    expect(await region.findByText(/4 codes left/)).toBeInTheDocument();
    expect(region.queryByText('Few left')).not.toBeInTheDocument();
  });
});

describe('an admin of whom a second factor is asked', () => {
  it('sees nothing but its setup, and then the page that was asked for', async () => {
    const admin = someone({ role: 'admin', factorNeeded: true });
    const server = pretendApi({
      'GET /api/user': [200, admin],
      [list]: [200, nothing],
      'POST /api/user/factors': [201, begun],
      [verify]: [200, { recoveryCodes: ten }],
    });
    const { user, address } = await renderProduct('/settings');
    expect(await screen.findByRole('heading', { level: 1, name: 'Set Up Two-Step Sign-In' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Set Up an Authenticator App' }));
    const setUp = within(await screen.findByRole('dialog', { name: 'Set Up an Authenticator App' }));
    await user.type(await setUp.findByLabelText('6-digit code'), '222222{Enter}');
    const kept = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    await user.click(kept.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    server.answer('GET /api/user', [200, { ...admin, factorNeeded: false }]);
    server.answer(list, [200, enrolled]);
    await user.click(kept.getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeInTheDocument();
    expect(address()).toBe('/settings');
  });
});
