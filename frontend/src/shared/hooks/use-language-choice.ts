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
 * The language of the page, and the way to choose another one. The page follows at once and this browser remembers it;
 * for somebody signed in it becomes their setting, which mails follow too.
 */
export function useLanguageChoice(): [Language, (next: Language) => void] {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data: user } = useCurrentUser();
  const { mutate: saveProfile } = useSaveProfile((error) => toast.error(t('preferences.notSaved'), errorText(error)));
  const queryClient = useQueryClient();
  // In the session of a temporary password the profile cannot be changed in parts.
  const hasAccount = Boolean(user) && (!user?.needsProfileCompletion || user.isReader);
  const changeLanguage = useCallback(
    (next: Language) => {
      // Read now: an answer may have come that is not drawn yet.
      const setting = queryClient.getQueryData<CurrentUser | null>(currentUserKey)?.language;
      rememberLanguage(next, setting);
      void i18n.changeLanguage(next);
      // What is being saved may be another language than the setting that is known here.
      const isSaving = queryClient.isMutating(profileMutation) > 0;
      if (hasAccount && (isSaving || next !== setting)) saveProfile({ language: next });
    },
    [i18n, queryClient, hasAccount, saveProfile],
  );
  return [useLanguage(), changeLanguage];
}
