import type { Language } from '../preferences/language';
import { createFormatterCache } from './formatter-cache';

const getNumberFormat = createFormatterCache(Intl.NumberFormat);

/**
 * Formats a duration by its two largest units: 3 hr 5 min, 1 min 20 sec, 45 sec.
 * @param ms milliseconds
 */
export function formatDuration(ms: number, language: Language): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const format = (value: number, unit: 'hour' | 'minute' | 'second') =>
    getNumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  if (hours > 0) return `${format(hours, 'hour')} ${format(minutes, 'minute')}`;
  if (minutes > 0) return `${format(minutes, 'minute')} ${format(seconds % 60, 'second')}`;
  return format(seconds, 'second');
}
