import type { Language } from '../preferences/language';

/** Whole numbers with the language's own grouping: 12,345 and 12.345. */
export function formatNumber(value: number, language: Language): string {
  return value.toLocaleString(language, { maximumFractionDigits: 0 });
}

/** A part as the language writes it: 12.5% and %12,5. @param value in percent */
export function formatPercent(value: number, language: Language): string {
  return (value / 100).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
}
