import type { Language } from '../errors/app-error.js';
import { removeUrls } from '../text/plain-name.js';

const unnamed: Record<Language, string> = { en: 'an unnamed zone', tr: 'İsimsiz' };

/** The name of a zone as it may stand in a mail, also when nothing of it may. */
export const emailZoneTitle = (name: string, language: Language): string => removeUrls(name) || unnamed[language];
