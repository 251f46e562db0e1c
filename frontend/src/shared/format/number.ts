import type { Language } from '../preferences/language';
import { createFormatterCache } from './formatter-cache';

const getNumberFormat = createFormatterCache(Intl.NumberFormat);

/** Whole numbers with the language's own grouping: 12,345 and 12.345. */
export function formatNumber(value: number, language: Language): string {
  return getNumberFormat(language, { maximumFractionDigits: 0 }).format(value);
}

/** An amount in the smallest unit of its currency: $7.99 and 7,99 $. @param currency as ISO 4217 has it */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const numberFormat = getNumberFormat(language, { style: 'currency', currency });
  return numberFormat.format(amount / 10 ** (numberFormat.resolvedOptions().maximumFractionDigits ?? 2));
}

/** A part as the language writes it: 12.5% and %12,5. @param value in percent */
export function formatPercent(value: number, language: Language): string {
  return getNumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);
}

/** With exactly so many digits after the point. */
export function formatDecimal(value: number, digits: number, language: Language): string {
  return getNumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
