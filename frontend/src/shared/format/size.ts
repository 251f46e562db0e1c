import type { Language } from '../preferences/language';
import { formatDecimal } from './number';

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** Formats bytes in B, KB, MB or GB (base 1024) with one decimal; bytes have none. */
export function formatSize(bytes: number, language: Language): string {
  return formatWithUnit(bytes, language, 1);
}

/** The same for round figures such as limits: the decimal is left out if it is 0. */
export function formatSizeLimit(bytes: number, language: Language): string {
  const oneDecimal = formatWithUnit(bytes, language, 1);
  return /[.,]0 /.test(oneDecimal) ? formatWithUnit(bytes, language, 0) : oneDecimal;
}

function formatWithUnit(bytes: number, language: Language, decimals: 0 | 1): string {
  const size = Math.max(0, bytes);
  const unitIndex = size < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(size) / 10));
  const digits = unitIndex === 0 ? 0 : decimals;
  return `${formatDecimal(size / 1024 ** unitIndex, digits, language)} ${units[unitIndex]}`;
}
