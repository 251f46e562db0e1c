import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../api/current-user';
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatRelative,
  formatShortDate,
  formatTime,
  type DayFormat,
} from '../format/date';
import { formatMoney, formatNumber, formatPercent } from '../format/number';
import { formatSize, formatSizeLimit } from '../format/size';
import { toLanguage, type Language } from '../preferences/language';

/** The language the page is shown in. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return toLanguage(i18n.resolvedLanguage ?? i18n.language) ?? 'en';
}

/** The formatters of `shared/format`, bound to the page's language and to the user's time zone, if set. */
export function useFormat() {
  const language = useLanguage();
  // Reads the cache only; formatting sends no request.
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  const timeZone = user?.timeZone ?? undefined;
  return useMemo(
    () => ({
      size: (bytes: number) => formatSize(bytes, language),
      sizeLimit: (bytes: number) => formatSizeLimit(bytes, language),
      number: (value: number) => formatNumber(value, language),
      money: (amount: number, currency: string) => formatMoney(amount, currency, language),
      percent: (value: number) => formatPercent(value, language),
      day: (day: string, kind?: DayFormat) => formatDay(day, language, kind),
      date: (instant: string) => formatDate(instant, language, timeZone),
      dateTime: (instant: string) => formatDateTime(instant, language, timeZone),
      time: (instant: string) => formatTime(instant, language, timeZone),
      shortDate: (instant: string) => formatShortDate(instant, language, timeZone),
      relative: (instant: string, now: number) => formatRelative(instant, now, language, timeZone),
    }),
    [language, timeZone],
  );
}
