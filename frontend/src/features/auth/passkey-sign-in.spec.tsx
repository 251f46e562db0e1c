import { act, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { findButton, clearStorage, mockSignInApi } from '../../../test/sign-in';
import { getToastText } from '../../../test/settings';
import * as browser from '../../shared/factors/browser-passkeys';

jest.mock('../../shared/factors/browser-passkeys');
const {
  requestPasskey,
  supportsPasskeyAutofill,
  cancelPasskeyRequest,
  supportsPasskeys,
  requestPasskeyAutofill,
  passkeyErrorTypeOf,
} = jest.mocked(browser);

const options = 'POST /api/login/passkey/options';
const signIn = 'POST /api/login/passkey';

/** Mocks a browser with passkey autofill; the test decides when the user chooses a passkey. */
function mockPasskeyAutofill() {
  const offers: { take: (response: object) => void }[] = [];
  supportsPasskeys.mockReturnValue(true);
  supportsPasskeyAutofill.mockResolvedValue(true);
  passkeyErrorTypeOf.mockReturnValue(null);
  requestPasskeyAutofill.mockImplementation(
    () => new Promise((resolve) => offers.push({ take: (response) => resolve(response as Record<string, unknown>) })),
  );
  return offers;
}

beforeEach(() => {
  clearStorage();
  jest.resetAllMocks();
});
afterEach(() => jest.useRealTimers());

const openSignIn = async () => {
  const server = mockSignInApi(makeUser(), { [options]: [200, { challenge: 'abc' }] });
  return { server, ...(await renderApp('/auth')) };
};

describe('Passkeys on the sign-in page', () => {
  it('offers passkeys by autofill in the email field and signs in with the chosen one', async () => {
    const offers = mockPasskeyAutofill();
    const { server, address } = await openSignIn();
    await waitFor(() => expect(offers).toHaveLength(1));
    expect(requestPasskeyAutofill).toHaveBeenCalledWith({ challenge: 'abc' });
    expect(screen.getByLabelText('Email').getAttribute('autocomplete')).toMatch(/ webauthn$/);
    offers[0]!.take({ id: 'mine' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(server.callsTo(signIn).map(({ body }) => body)).toEqual([{ response: { id: 'mine' } }]);
    expect(requestPasskey).not.toHaveBeenCalled();
  });

  it('shows an error and offers passkeys again after the server rejects one', async () => {
    const offers = mockPasskeyAutofill();
    const { server } = await openSignIn();
    server.setResponse(signIn, errorResponse(400, 'PASSKEY_INVALID', 'This passkey could not be confirmed.'));
    await waitFor(() => expect(offers).toHaveLength(1));
    offers[0]!.take({ id: 'deleted' });
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(getToastText()).toContain('Login failedThis passkey could not be confirmed.');
    expect(server.callsTo(options)).toHaveLength(2);
  });

  it('stops the autofill offer while the button asks for a passkey and restores it on cancellation', async () => {
    const offers = mockPasskeyAutofill();
    let refuse: (error: Error) => void = () => undefined;
    requestPasskey.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
    const { server, user } = await openSignIn();
    await waitFor(() => expect(offers).toHaveLength(1));
    await user.click(await findButton('Sign In with a Passkey'));
    await waitFor(() => expect(requestPasskey).toHaveBeenCalledWith({ challenge: 'abc' }));
    expect(cancelPasskeyRequest).toHaveBeenCalledTimes(1);
    expect(offers).toHaveLength(1);
    passkeyErrorTypeOf.mockReturnValue('cancelled');
    await act(async () => refuse(new Error('cancelled')));
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(server.callsTo(signIn)).toEqual([]);
  });

  it('renews the autofill offer before its challenge expires', async () => {
    jest.useFakeTimers();
    const offers = mockPasskeyAutofill();
    const { server } = await openSignIn();
    await waitFor(() => expect(offers).toHaveLength(1));
    await act(() => jest.advanceTimersByTimeAsync(4 * 60_000));
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(cancelPasskeyRequest).toHaveBeenCalledTimes(1);
    expect(server.callsTo(options)).toHaveLength(2);
    offers[1]!.take({ id: 'mine' });
    await waitFor(() => expect(server.callsTo(signIn)).toHaveLength(1));
  });

  it('requests no challenge in browsers without autofill and cancels the request on unmount', async () => {
    mockPasskeyAutofill();
    supportsPasskeyAutofill.mockResolvedValue(false);
    const { server, unmount } = await openSignIn();
    expect(await findButton('Sign In with a Passkey')).toBeInTheDocument();
    expect(server.callsTo(options)).toEqual([]);
    unmount();
    expect(cancelPasskeyRequest).toHaveBeenCalled();
  });
});
