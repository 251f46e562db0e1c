import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../api/current-user';
import { rememberLanguage, type Language } from '../preferences/language';
import { useLanguage } from './use-format';

/** The language of the page, and the way to choose another one, which this browser remembers. */
export function useLanguageChoice(): [Language, (next: Language) => void] {
  const { i18n } = useTranslation();
  const { data: user } = useCurrentUser();
  const setting = user?.language;
  const choose = useCallback(
    (next: Language) => {
      rememberLanguage(next, setting);
      void i18n.changeLanguage(next);
    },
    [i18n, setting],
  );
  return [useLanguage(), choose];
}
