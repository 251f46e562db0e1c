import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Button from '@mui/material/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import {
  askPasskey,
  canOfferPasskeys,
  endPasskeys,
  knowsPasskeys,
  offerPasskeys,
  troubleOf,
} from '../../../shared/identity/factors/browser-passkeys';
import { contentOf } from '../../../shared/identity/factors/use-factors';
import { usePasskeyErrorText } from '../../../shared/identity/factors/use-passkey-error-text';
import { toast } from '../../../shared/toast/toast-store';

type Ask = typeof askPasskey;

/** Milliseconds after which an offer is replaced: the server takes answers for five minutes. */
const RENEWED_AFTER = 4 * 60_000;

/** Signs in by a passkey alone: what the browser answers to `ask` is sent. */
async function signInBy(ask: Ask): Promise<SignedInUser> {
  const response = await ask(contentOf((await api.POST('/api/login/passkey/options')).data));
  return contentOf((await api.POST('/api/login/passkey', { body: { response } })).data);
}

/** Signing in by a passkey: with a button, and among what the browser offers in the field of the address. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (user: SignedInUser) => Promise<void> }) {
  const { t } = useTranslation('auth');
  const errorText = usePasskeyErrorText();
  const [asking, setAsking] = useState(false);
  const tell = (error: unknown) => {
    const sentence = errorText(error);
    if (sentence) toast.error(t('login.failed'), sentence);
  };
  useOffer(!asking, onSignedIn, tell);
  const ask = async () => {
    setAsking(true);
    try {
      await onSignedIn(await signInBy(askPasskey));
    } catch (error) {
      tell(error);
      setAsking(false);
    }
  };
  if (!knowsPasskeys()) return null;
  return (
    <Button fullWidth startIcon={<FingerprintRounded />} loading={asking} onClick={() => void ask()}>
      {t('login.passkey')}
    </Button>
  );
}

/** Offers passkeys in the field of the address while `wanted`. An offer that cannot be made is none. */
function useOffer(
  wanted: boolean,
  onSignedIn: (user: SignedInUser) => Promise<void>,
  onRefused: (error: unknown) => void,
) {
  const [round, setRound] = useState(0);
  const signedIn = useEffectEvent(onSignedIn);
  const refused = useEffectEvent(onRefused);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    let taken = false;
    const offer = async () => {
      if (!(await canOfferPasskeys()) || over) return;
      try {
        const user = await signInBy(async (options) => {
          if (over) throw new DOMException('', 'AbortError');
          const answer = await offerPasskeys(options);
          taken = true;
          return answer;
        });
        await signedIn(user);
      } catch (error) {
        if (over || !taken || troubleOf(error)) return;
        // The person has chosen a passkey that the server does not take: said, and offered anew.
        refused(error);
        setRound((count) => count + 1);
      }
    };
    void offer();
    const renewal = setTimeout(() => setRound((count) => count + 1), RENEWED_AFTER);
    return () => {
      over = true;
      clearTimeout(renewal);
      endPasskeys();
    };
  }, [wanted, round]);
}
