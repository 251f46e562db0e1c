import type { Language } from '../preferences/language';

/** Whole numbers with the language's own grouping: 12,345 and 12.345. */
export function formatNumber(value: number, language: Language): string {
  return value.toLocaleString(language, { maximumFractionDigits: 0 });
}
