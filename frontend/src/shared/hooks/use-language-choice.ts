import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../account/use-save-profile';
import { useCurrentUser } from '../api/current-user';
import { rememberLanguage, type Language } from '../preferences/language';
import { toast } from '../toast/toast-store';
import { useErrorText } from './use-error-text';
import { useLanguage } from './use-format';

/**
 * The language of the page, and the way to choose another one. The page follows at once and this browser remembers it;
 * for somebody signed in it becomes their setting, which mails follow too.
 */
export function useLanguageChoice(): [Language, (next: Language) => void] {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data: user } = useCurrentUser();
  const { mutate: save } = useSaveProfile((error) => toast.error(t('preferences.notSaved'), errorText(error)));
  const setting = user?.language;
  // Before the profile is complete it cannot be changed in parts.
  const hasAccount = Boolean(user) && !user?.needsProfileCompletion;
  const choose = useCallback(
    (next: Language) => {
      rememberLanguage(next, setting);
      void i18n.changeLanguage(next);
      if (hasAccount && next !== setting) save({ language: next });
    },
    [i18n, setting, hasAccount, save],
  );
  return [useLanguage(), choose];
}
