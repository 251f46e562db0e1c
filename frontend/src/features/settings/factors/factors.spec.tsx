import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { openSettings, getToastText } from '../../../../test/settings';

const LIST_FACTORS = 'GET /api/user/factors';
const VERIFY_FACTOR = 'POST /api/user/factors/verify';
const noFactors = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const enrolledFactors = {
  ...noFactors,
  authenticator: { enrolledAt: '2026-01-02T10:00:00.000Z' },
  recoveryCodesLeft: 3,
};
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `abcd-efg${index}`);
const newAuthenticator = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Zonary:deniz?secret=JBSWY3DPEHPK3PXP' };

beforeEach(() => localStorage.clear());

const openFactors = (factors: object, responses: Record<string, MockResponse> = {}) =>
  openSettings('Two-Step Sign-In', makeUser(), { [LIST_FACTORS]: [200, factors], ...responses });

describe('Authenticator App', () => {
  it('is set up by QR code or secret, a first code and saved recovery codes', async () => {
    const { region, server, user } = await openFactors(noFactors, {
      'POST /api/user/factors': [201, newAuthenticator],
      [VERIFY_FACTOR]: errorResponse(400, 'CODE_INVALID', 'This code is wrong.'),
    });
    await user.click(await region.findByRole('button', { name: 'Set Up an Authenticator App' }));
    const setUpDialog = within(await screen.findByRole('dialog', { name: 'Set Up an Authenticator App' }));
    expect(setUpDialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
    expect(setUpDialog.getByRole('group', { name: 'Or enter this key in the app' })).toHaveTextContent(
      'JBSW Y3DP EHPK 3PXP',
    );
    const code = setUpDialog.getByLabelText('6-digit code');
    await user.type(code, '111111{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription('This code is wrong.'));
    server.setResponse(VERIFY_FACTOR, [200, { recoveryCodes: recoveryCodes }]);
    server.setResponse(LIST_FACTORS, [200, { ...enrolledFactors, recoveryCodesLeft: 10 }]);
    await user.clear(code);
    await user.type(code, '222222{Enter}');

    const codesDialog = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(codesDialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(recoveryCodes);
    await user.keyboard('{Escape}');
    expect(codesDialog.getByRole('button', { name: 'Done' })).toBeDisabled();
    await user.click(codesDialog.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(codesDialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(getToastText()).toContain('Two-step sign-in is on'));
    expect(await region.findByText('Set up on Jan 2, 2026')).toBeInTheDocument();
  });

  it('is removed after a confirmation that names the remaining sign-in methods', async () => {
    const { region, server, user } = await openFactors(enrolledFactors, { 'DELETE /api/user/factors': [204] });
    await user.click(await region.findByRole('button', { name: 'Remove the Authenticator App' }));
    const confirmDialog = within(await screen.findByRole('dialog', { name: 'Remove the authenticator app?' }));
    expect(confirmDialog.getByText(/Only your password will then protect your account/)).toBeInTheDocument();
    server.setResponse(LIST_FACTORS, [200, noFactors]);
    await user.click(confirmDialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(getToastText()).toContain('Authenticator app removed'));
    expect(await region.findByRole('button', { name: 'Set Up an Authenticator App' })).toBeInTheDocument();
    expect(region.queryByText('Recovery Codes')).not.toBeInTheDocument();
  });

  it('shows why the setup could not start', async () => {
    const { region, user } = await openFactors(noFactors, {
      'POST /api/user/factors': errorResponse(409, 'FACTOR_ENROLLED', 'An app is set up already.'),
    });
    await user.click(await region.findByRole('button', { name: 'Set Up an Authenticator App' }));
    await waitFor(() => expect(getToastText()).toContain('Couldn’t update two-step sign-inAn app is set up already.'));
  });
});

describe('Recovery Codes', () => {
  it('warn when three are left and can be regenerated', async () => {
    const { region, user } = await openFactors(enrolledFactors, {
      'POST /api/user/factors/recovery-codes': [200, { recoveryCodes: recoveryCodes }],
    });
    expect(await region.findByText('Few left')).toBeInTheDocument();
    expect(region.getByText('3 codes left. Each signs you in once without your app or passkey.')).toBeInTheDocument();
    await user.click(region.getByRole('button', { name: 'Create New Codes' }));
    const confirmDialog = within(await screen.findByRole('dialog', { name: 'Create new recovery codes?' }));
    await user.click(confirmDialog.getByRole('button', { name: 'Create New Codes' }));
    const codesDialog = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(codesDialog.getAllByRole('listitem')).toHaveLength(10);
    await user.click(codesDialog.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(codesDialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('do not warn while more are left', async () => {
    const { region } = await openFactors({ ...enrolledFactors, recoveryCodesLeft: 4 });
    expect(await region.findByText(/4 codes left/)).toBeInTheDocument();
    expect(region.queryByText('Few left')).not.toBeInTheDocument();
  });
});

describe('Admin required to set up a second factor', () => {
  it('sees only the setup, then the requested page', async () => {
    const admin = makeUser({ role: 'admin', factorNeeded: true });
    const server = mockApi({
      'GET /api/user': [200, admin],
      [LIST_FACTORS]: [200, noFactors],
      'POST /api/user/factors': [201, newAuthenticator],
      [VERIFY_FACTOR]: [200, { recoveryCodes: recoveryCodes }],
    });
    const { user, address } = await renderApp('/settings');
    expect(await screen.findByRole('heading', { level: 1, name: 'Set Up Two-Step Sign-In' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Set Up an Authenticator App' }));
    const setUpDialog = within(await screen.findByRole('dialog', { name: 'Set Up an Authenticator App' }));
    await user.type(await setUpDialog.findByLabelText('6-digit code'), '222222{Enter}');
    const codesDialog = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    await user.click(codesDialog.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    server.setResponse('GET /api/user', [200, { ...admin, factorNeeded: false }]);
    server.setResponse(LIST_FACTORS, [200, enrolledFactors]);
    await user.click(codesDialog.getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeInTheDocument();
    expect(address()).toBe('/settings');
  });
});
