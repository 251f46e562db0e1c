import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { openSettings, getToastText } from '../../../../test/settings';
import * as browser from '../../../shared/factors/browser-passkeys';

jest.mock('../../../shared/factors/browser-passkeys');
const { supportsPasskeys, createPasskey, passkeyErrorTypeOf } = jest.mocked(browser);

const LIST_FACTORS = 'GET /api/user/factors';
const noFactors = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const passkey = { id: 4, name: 'Work laptop', createdAt: '2026-01-02T10:00:00.000Z', lastUsedAt: null };
const onePasskey = { ...noFactors, passkeys: [passkey], recoveryCodesLeft: 10 };
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `abcd-efg${index}`);

beforeEach(() => {
  localStorage.clear();
  supportsPasskeys.mockReturnValue(true);
  passkeyErrorTypeOf.mockReturnValue(null);
});

const openPasskeys = (factors: object, responses: Record<string, MockResponse> = {}) =>
  openSettings('Passkeys', makeUser(), { [LIST_FACTORS]: [200, factors], ...responses });

describe('Passkeys', () => {
  it('are created by the browser and the first one yields recovery codes to save', async () => {
    createPasskey.mockResolvedValue({ id: 'made' });
    const { region, server, user } = await openPasskeys(noFactors, {
      'POST /api/user/passkeys/options': [200, { challenge: 'abc' }],
      'POST /api/user/passkeys': [201, { passkey, recoveryCodes: recoveryCodes }],
    });
    server.setResponse(LIST_FACTORS, [200, onePasskey]);
    await user.click(await region.findByRole('button', { name: 'Add a Passkey' }));
    const codesDialog = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(createPasskey).toHaveBeenCalledWith({ challenge: 'abc' });
    expect(server.callsTo('POST /api/user/passkeys')[0]?.body).toMatchObject({ response: { id: 'made' } });
    await user.click(codesDialog.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(codesDialog.getByRole('button', { name: 'Done' }));
    expect(await region.findByText(/added Jan 2, 2026 · never used/)).toBeInTheDocument();
  });

  it('show an error when the browser returned none', async () => {
    createPasskey.mockRejectedValue(new Error('not allowed'));
    passkeyErrorTypeOf.mockReturnValue('cancelled');
    const { region, server, user } = await openPasskeys(noFactors, { 'POST /api/user/passkeys/options': [200, {}] });
    await user.click(await region.findByRole('button', { name: 'Add a Passkey' }));
    await waitFor(() =>
      expect(getToastText()).toContain('Couldn’t add the passkeyYour browser didn’t receive a passkey.'),
    );
    expect(server.callsTo('POST /api/user/passkeys')).toEqual([]);
  });

  it('are renamed, and removed after naming the remaining sign-in methods', async () => {
    const { region, server, user } = await openPasskeys(onePasskey, {
      'PATCH /api/user/passkeys/4': errorResponse(400, 'VALIDATION_FAILED', 'No.', { errors: { name: ['Too long'] } }),
      'DELETE /api/user/passkeys/4': [204],
    });
    await user.click(await region.findByRole('button', { name: 'Rename Work laptop' }));
    const renameDialog = within(await screen.findByRole('dialog', { name: 'Rename the Passkey' }));
    const name = renameDialog.getByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Home{Enter}');
    await waitFor(() => expect(name).toHaveAccessibleDescription('Too long'));
    expect(server.callsTo('PATCH /api/user/passkeys/4')[0]?.body).toEqual({ name: 'Home' });
    await user.click(renameDialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

    await user.click(region.getByRole('button', { name: 'Remove Work laptop' }));
    const confirmDialog = within(await screen.findByRole('dialog', { name: 'Remove “Work laptop”?' }));
    expect(confirmDialog.getByText(/Only your password will then protect your account/)).toBeInTheDocument();
    server.setResponse(LIST_FACTORS, [200, noFactors]);
    await user.click(confirmDialog.getByRole('button', { name: 'Remove' }));
    expect(await region.findByText('No passkeys yet.')).toBeInTheDocument();
    await waitFor(() => expect(getToastText()).toContain('“Work laptop” removed'));
  });

  it('are not offered in browsers without support', async () => {
    supportsPasskeys.mockReturnValue(false);
    const { region } = await openPasskeys(noFactors);
    expect(await region.findByText('This browser doesn’t support passkeys.')).toBeInTheDocument();
    expect(region.queryByRole('button', { name: 'Add a Passkey' })).not.toBeInTheDocument();
  });
});
