import type { Language } from '../errors/app-error.js';
import { removeUrls } from '../text/plain-name.js';

const unnamed: Record<Language, string> = { en: 'an unnamed zone', tr: 'İsimsiz' };

/** Returns a zone's name in a form that is safe for emails, or a placeholder when nothing of it is. */
export const emailZoneTitle = (name: string, language: Language): string => removeUrls(name) || unnamed[language];
