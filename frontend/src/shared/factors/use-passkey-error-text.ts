import { useTranslation } from 'react-i18next';
import { useErrorText } from '../hooks/use-error-text';
import { passkeyErrorTypeOf } from './browser-passkeys';

/** The sentence for what went wrong around a passkey; null where nothing has to be said. */
export function usePasskeyErrorText() {
  const { t } = useTranslation('identity');
  const errorText = useErrorText();
  return (error: unknown): string | null => {
    const errorType = passkeyErrorTypeOf(error);
    if (errorType === 'replaced') return null;
    return errorType ? t(`passkeys.troubles.${errorType}`) : errorText(error);
  };
}
