import { useTranslation } from 'react-i18next';
import { useErrorText } from '../hooks/use-error-text';
import { passkeyErrorTypeOf } from './browser-passkeys';

/** Returns the message for a passkey error; null if nothing needs to be said. */
export function usePasskeyErrorText() {
  const { t } = useTranslation('verification');
  const errorText = useErrorText();
  return (error: unknown): string | null => {
    const errorType = passkeyErrorTypeOf(error);
    if (errorType === 'replaced') return null;
    return errorType ? t(`passkeys.troubles.${errorType}`) : errorText(error);
  };
}
