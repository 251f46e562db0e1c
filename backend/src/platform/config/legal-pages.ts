import { freezeList } from '../constants/freeze-list.js';
import type { SettingKey, EffectiveSetting } from './settings.js';

/** What whoever runs an installation may have to say to everybody who comes to it. */
export const legalPages = freezeList(['terms', 'privacy', 'imprint']);
export type LegalPage = (typeof legalPages)[number];

/** What is said there: at an address elsewhere, in texts of our own, or nowhere. */
export interface LegalContent {
  readonly address: string | null;
  readonly texts: { readonly en: string | null; readonly tr: string | null };
  /** Where a link to it leads: the address wins over the texts; null where there is neither. */
  readonly href: string | null;
}

/** What holds of each setting (`AppConfig`). */
interface SettingReader {
  effectiveSetting: (key: SettingKey) => Pick<EffectiveSetting, 'value'>;
}

export function legalContentOf(config: SettingReader, page: LegalPage): LegalContent {
  const of = (key: SettingKey) => config.effectiveSetting(key).value;
  const address = of(`${page}Url`);
  const texts = { en: of(`${page}En`), tr: of(`${page}Tr`) };
  const own = texts.en === null && texts.tr === null ? null : `/${page}`;
  return { address, texts, href: address ?? own };
}
