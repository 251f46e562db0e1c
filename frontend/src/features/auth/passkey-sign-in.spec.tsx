import { act, screen, waitFor } from '@testing-library/react';
import { refusal, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { button, forgetEverything, serverThatSignsIn } from '../../../test/signed-out';
import { toastText } from '../../../test/settings';
import * as browser from '../../shared/identity/factors/browser-passkeys';

jest.mock('../../shared/identity/factors/browser-passkeys');
const { askPasskey, canOfferPasskeys, endPasskeys, knowsPasskeys, offerPasskeys, troubleOf } = jest.mocked(browser);

const options = 'POST /api/login/passkey/options';
const signIn = 'POST /api/login/passkey';

/** A browser in which the person takes a passkey, or is asked for one, when the test says so. */
function browserThatOffers() {
  const offers: { take: (answer: object) => void }[] = [];
  knowsPasskeys.mockReturnValue(true);
  canOfferPasskeys.mockResolvedValue(true);
  troubleOf.mockReturnValue(null);
  offerPasskeys.mockImplementation(
    () => new Promise((resolve) => offers.push({ take: (answer) => resolve(answer as Record<string, unknown>) })),
  );
  return offers;
}

beforeEach(() => {
  forgetEverything();
  jest.resetAllMocks();
});
afterEach(() => jest.useRealTimers());

const open = async () => {
  const server = serverThatSignsIn(someone(), { [options]: [200, { challenge: 'abc' }] });
  return { server, ...(await renderProduct('/auth')) };
};

describe('passkeys on the page of signing in', () => {
  it('are offered in the field of the address without a click, and the one that is taken signs in', async () => {
    const offers = browserThatOffers();
    const { server, address } = await open();
    await waitFor(() => expect(offers).toHaveLength(1));
    expect(offerPasskeys).toHaveBeenCalledWith({ challenge: 'abc' });
    expect(screen.getByLabelText('Email').getAttribute('autocomplete')).toMatch(/ webauthn$/);
    offers[0]!.take({ id: 'mine' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(server.callsOf(signIn).map(({ body }) => body)).toEqual([{ response: { id: 'mine' } }]);
    expect(askPasskey).not.toHaveBeenCalled();
  });

  it('are offered anew, with a word on it, after one that the server does not take', async () => {
    const offers = browserThatOffers();
    const { server } = await open();
    server.answer(signIn, refusal(400, 'PASSKEY_INVALID', 'This passkey could not be confirmed.'));
    await waitFor(() => expect(offers).toHaveLength(1));
    offers[0]!.take({ id: 'deleted' });
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(toastText()).toContain('Login failedThis passkey could not be confirmed.');
    expect(server.callsOf(options)).toHaveLength(2);
  });

  it('are no longer offered while the button asks for one, and again when the person would not', async () => {
    const offers = browserThatOffers();
    let refuse: (error: Error) => void = () => undefined;
    askPasskey.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
    const { server, user } = await open();
    await waitFor(() => expect(offers).toHaveLength(1));
    await user.click(await button('Sign In with a Passkey'));
    await waitFor(() => expect(askPasskey).toHaveBeenCalledWith({ challenge: 'abc' }));
    expect(endPasskeys).toHaveBeenCalledTimes(1);
    expect(offers).toHaveLength(1);
    troubleOf.mockReturnValue('cancelled');
    await act(async () => refuse(new Error('cancelled')));
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(server.callsOf(signIn)).toEqual([]);
  });

  it('are offered anew before the offer is too old to be taken', async () => {
    jest.useFakeTimers();
    const offers = browserThatOffers();
    const { server } = await open();
    await waitFor(() => expect(offers).toHaveLength(1));
    await act(() => jest.advanceTimersByTimeAsync(4 * 60_000));
    await waitFor(() => expect(offers).toHaveLength(2));
    expect(endPasskeys).toHaveBeenCalledTimes(1);
    expect(server.callsOf(options)).toHaveLength(2);
    offers[1]!.take({ id: 'mine' });
    await waitFor(() => expect(server.callsOf(signIn)).toHaveLength(1));
  });

  it('are neither asked for nor offered where the browser cannot, and the offer ends with the page', async () => {
    browserThatOffers();
    canOfferPasskeys.mockResolvedValue(false);
    const { server, unmount } = await open();
    expect(await button('Sign In with a Passkey')).toBeInTheDocument();
    expect(server.callsOf(options)).toEqual([]);
    unmount();
    expect(endPasskeys).toHaveBeenCalled();
  });
});
