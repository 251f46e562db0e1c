import type { Language } from '../preferences/language';
import { createFormatterCache } from './formatter-cache';

const getNumberFormat = createFormatterCache(Intl.NumberFormat);

/** Whole numbers with the language's grouping: 12,345 and 12.345. */
export function formatNumber(value: number, language: Language): string {
  return getNumberFormat(language, { maximumFractionDigits: 0 }).format(value);
}

/**
 * Formats an amount in the currency's minor unit: $7.99 and 7,99 $.
 * @param currency ISO 4217 code
 */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const numberFormat = getNumberFormat(language, { style: 'currency', currency });
  return numberFormat.format(amount / 10 ** (numberFormat.resolvedOptions().maximumFractionDigits ?? 2));
}

/**
 * Formats a percentage: 12.5% and %12,5.
 * @param value in percent
 */
export function formatPercent(value: number, language: Language): string {
  return getNumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);
}

/** With exactly `digits` decimals. */
export function formatDecimal(value: number, digits: number, language: Language): string {
  return getNumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
