import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../hooks/use-error-text';
import { troubleOf } from './browser-passkeys';

/** The sentence for what went wrong around a passkey; null where nothing has to be said. */
export function usePasskeyErrorText() {
  const { t } = useTranslation('identity');
  const errorText = useErrorText();
  return (error: unknown): string | null => {
    const trouble = troubleOf(error);
    if (trouble === 'replaced') return null;
    return trouble ? t(`passkeys.troubles.${trouble}`) : errorText(error);
  };
}
