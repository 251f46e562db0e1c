import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { profileMutation, useSaveProfile } from '../account/use-save-profile';
import { currentUserKey, useCurrentUser, type CurrentUser } from '../api/current-user';
import { rememberLanguage, type Language } from '../preferences/language';
import { toast } from '../toast/toast-store';
import { useErrorText } from './use-error-text';
import { useLanguage } from './use-format';

/**
 * The page's language and its setter. The page changes at once and this browser remembers the choice. For signed-in
 * users it also becomes their setting, which emails use.
 */
export function useLanguageChoice(): [Language, (next: Language) => void] {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data: user } = useCurrentUser();
  const { mutate: saveProfile } = useSaveProfile((error) => toast.error(t('preferences.notSaved'), errorText(error)));
  const queryClient = useQueryClient();
  // In a session of a temporary password, single fields of the profile cannot be changed.
  const hasAccount = Boolean(user) && (!user?.needsProfileCompletion || user.isReader);
  const changeLanguage = useCallback(
    (next: Language) => {
      // Read from the cache now, because a newer response may not be rendered yet.
      const setting = queryClient.getQueryData<CurrentUser | null>(currentUserKey)?.language;
      rememberLanguage(next, setting);
      void i18n.changeLanguage(next);
      // A save in progress may set a language other than the cached one.
      const isSaving = queryClient.isMutating(profileMutation) > 0;
      if (hasAccount && (isSaving || next !== setting)) saveProfile({ language: next });
    },
    [i18n, queryClient, hasAccount, saveProfile],
  );
  return [useLanguage(), changeLanguage];
}
