import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateTime, formatRelative } from '../format/date';
import { formatNumber } from '../format/number';
import { formatSize } from '../format/size';
import { toLanguage, type Language } from '../preferences/language';

/** The language of the page as it is shown now. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return toLanguage(i18n.resolvedLanguage ?? i18n.language) ?? 'en';
}

/** The formatters of `shared/format`, bound to the language of the page. */
export function useFormat() {
  const language = useLanguage();
  return useMemo(
    () => ({
      size: (bytes: number) => formatSize(bytes, language),
      number: (value: number) => formatNumber(value, language),
      date: (instant: string) => formatDate(instant, language),
      dateTime: (instant: string) => formatDateTime(instant, language),
      relative: (instant: string, now: number) => formatRelative(instant, now, language),
    }),
    [language],
  );
}
