import { useCallback } from 'react';
import { useLanguage } from '../../../shared/hooks/use-format';

/** Formats bytes as megabytes with two decimals, for figures that are compared with one another. */
export function useFormatMegabytes(): (bytes: number) => string {
  const language = useLanguage();
  return useCallback(
    (bytes) => (bytes / 2 ** 20).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    [language],
  );
}
