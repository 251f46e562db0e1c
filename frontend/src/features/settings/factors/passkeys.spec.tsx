import { screen, waitFor, within } from '@testing-library/react';
import { refusal, someone, type Answer } from '../../../../test/api';
import { openSettings, toastText } from '../../../../test/settings';
import * as browser from '../../../shared/identity/factors/browser-passkeys';

jest.mock('../../../shared/identity/factors/browser-passkeys');
const { knowsPasskeys, makePasskey, troubleOf } = jest.mocked(browser);

const list = 'GET /api/user/factors';
const nothing = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const passkey = { id: 4, name: 'Work laptop', createdAt: '2026-01-02T10:00:00.000Z', lastUsedAt: null };
const one = { ...nothing, passkeys: [passkey], recoveryCodesLeft: 10 };
const ten = Array.from({ length: 10 }, (_, index) => `abcd-efg${index}`);

beforeEach(() => {
  localStorage.clear();
  knowsPasskeys.mockReturnValue(true);
  troubleOf.mockReturnValue(null);
});

const open = (factors: object, more: Record<string, Answer> = {}) =>
  openSettings('Passkeys', someone(), { [list]: [200, factors], ...more });

describe('passkeys', () => {
  it('are made by the browser, and the first one brings recovery codes that are kept', async () => {
    makePasskey.mockResolvedValue({ id: 'made' });
    const { region, server, user } = await open(nothing, {
      'POST /api/user/passkeys/options': [200, { challenge: 'abc' }],
      'POST /api/user/passkeys': [201, { passkey, recoveryCodes: ten }],
    });
    server.answer(list, [200, one]);
    await user.click(await region.findByRole('button', { name: 'Add a Passkey' }));
    const kept = within(await screen.findByRole('dialog', { name: 'Save Your Recovery Codes' }));
    expect(makePasskey).toHaveBeenCalledWith({ challenge: 'abc' });
    expect(server.callsOf('POST /api/user/passkeys')[0]?.body).toMatchObject({ response: { id: 'made' } });
    await user.click(kept.getByRole('checkbox', { name: 'I’ve saved the codes' }));
    await user.click(kept.getByRole('button', { name: 'Done' }));
    expect(await region.findByText(/added Jan 2, 2026 · never used/)).toBeInTheDocument();
  });

  it('tell when the browser gave none', async () => {
    makePasskey.mockRejectedValue(new Error('not allowed'));
    troubleOf.mockReturnValue('cancelled');
    const { region, server, user } = await open(nothing, { 'POST /api/user/passkeys/options': [200, {}] });
    await user.click(await region.findByRole('button', { name: 'Add a Passkey' }));
    await waitFor(() =>
      expect(toastText()).toContain('Couldn’t add the passkeyYour browser didn’t receive a passkey.'),
    );
    expect(server.callsOf('POST /api/user/passkeys')).toEqual([]);
  });

  it('are renamed and removed, with a word on what opens the account then', async () => {
    const { region, server, user } = await open(one, {
      'PATCH /api/user/passkeys/4': refusal(400, 'VALIDATION_FAILED', 'No.', { errors: { name: ['Too long'] } }),
      'DELETE /api/user/passkeys/4': [204],
    });
    await user.click(await region.findByRole('button', { name: 'Rename Work laptop' }));
    const naming = within(await screen.findByRole('dialog', { name: 'Rename the Passkey' }));
    const name = naming.getByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Home{Enter}');
    await waitFor(() => expect(name).toHaveAccessibleDescription('Too long'));
    expect(server.callsOf('PATCH /api/user/passkeys/4')[0]?.body).toEqual({ name: 'Home' });
    await user.click(naming.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

    await user.click(region.getByRole('button', { name: 'Remove Work laptop' }));
    const question = within(await screen.findByRole('dialog', { name: 'Remove “Work laptop”?' }));
    expect(question.getByText(/Only your password will then protect your account/)).toBeInTheDocument();
    server.answer(list, [200, nothing]);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await region.findByText('No passkeys yet.')).toBeInTheDocument();
    await waitFor(() => expect(toastText()).toContain('“Work laptop” removed'));
  });

  it('are not offered by a browser that knows none', async () => {
    knowsPasskeys.mockReturnValue(false);
    const { region } = await open(nothing);
    expect(await region.findByText('This browser doesn’t support passkeys.')).toBeInTheDocument();
    expect(region.queryByRole('button', { name: 'Add a Passkey' })).not.toBeInTheDocument();
  });
});
