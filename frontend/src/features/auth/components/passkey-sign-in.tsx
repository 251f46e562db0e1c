import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import {
  requestPasskey,
  supportsPasskeyAutofill,
  cancelPasskeyRequest,
  supportsPasskeys,
  requestPasskeyAutofill,
  passkeyErrorTypeOf,
} from '../../../shared/factors/browser-passkeys';
import { requireData } from '../../../shared/factors/use-factors';
import { usePasskeyErrorText } from '../../../shared/factors/use-passkey-error-text';
import { PasskeyIcon } from '../../../shared/public-ui/icons';
import { PublicButton } from '../../../shared/public-ui/public-button';
import { toast } from '../../../shared/toast/toast-store';

type GetPasskeyResponse = typeof requestPasskey;

/** Milliseconds after which a challenge is renewed: the server accepts it for five minutes. */
const OFFER_RENEWAL_INTERVAL = 4 * 60_000;

/** Signs in with a passkey alone: sends the browser's response to the server's challenge. */
async function signInWithPasskey(getResponse: GetPasskeyResponse): Promise<SignedInUser> {
  const response = await getResponse(requireData((await api.POST('/api/login/passkey/options')).data));
  return requireData((await api.POST('/api/login/passkey', { body: { response } })).data);
}

/** Signs in with a passkey: with a button, and through the autofill of the email field. */
export function PasskeySignInButton({ onSignedIn }: { onSignedIn: (user: SignedInUser) => Promise<void> }) {
  const { t } = useTranslation('auth');
  const errorText = usePasskeyErrorText();
  const [isPending, setIsPending] = useState(false);
  const showError = (error: unknown) => {
    const sentence = errorText(error);
    if (sentence) toast.error(t('login.failed'), sentence);
  };
  usePasskeyAutofill(!isPending, onSignedIn, showError);
  const signIn = async () => {
    setIsPending(true);
    try {
      await onSignedIn(await signInWithPasskey(requestPasskey));
    } catch (error) {
      showError(error);
      setIsPending(false);
    }
  };
  if (!supportsPasskeys()) return null;
  return (
    <PublicButton className="z-button-wide" isPending={isPending} onClick={() => void signIn()}>
      <PasskeyIcon />
      {t('login.passkey')}
    </PublicButton>
  );
}

/**
 * Offers passkeys in the autofill of the email field while `enabled`. If that fails, no passkeys are offered and no
 * error is shown.
 */
function usePasskeyAutofill(
  enabled: boolean,
  onSignedIn: (user: SignedInUser) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const [attempt, setAttempt] = useState(0);
  const handleSignedIn = useEffectEvent(onSignedIn);
  const handleError = useEffectEvent(onError);
  useEffect(() => {
    if (!enabled) return;
    let isCancelled = false;
    let isPasskeyChosen = false;
    const offerPasskey = async () => {
      if (!(await supportsPasskeyAutofill()) || isCancelled) return;
      try {
        const user = await signInWithPasskey(async (options) => {
          if (isCancelled) throw new DOMException('', 'AbortError');
          const response = await requestPasskeyAutofill(options);
          isPasskeyChosen = true;
          return response;
        });
        await handleSignedIn(user);
      } catch (error) {
        if (isCancelled || !isPasskeyChosen || passkeyErrorTypeOf(error)) return;
        // The user has chosen a passkey that the server rejects: shows the error and offers passkeys again.
        handleError(error);
        setAttempt((count) => count + 1);
      }
    };
    void offerPasskey();
    const renewalTimer = setTimeout(() => setAttempt((count) => count + 1), OFFER_RENEWAL_INTERVAL);
    return () => {
      isCancelled = true;
      clearTimeout(renewalTimer);
      cancelPasskeyRequest();
    };
  }, [enabled, attempt]);
}
