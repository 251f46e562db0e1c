import { freezeList } from '../constants/freeze-list.js';
import type { SettingKey, EffectiveSetting } from './settings.js';

/** The legal pages that an operator may have to publish. */
export const legalPages = freezeList(['terms', 'privacy', 'imprint']);
export type LegalPage = (typeof legalPages)[number];

/** Content of a legal page: an external URL, texts stored here, or neither. */
export interface LegalContent {
  readonly address: string | null;
  readonly texts: { readonly en: string | null; readonly tr: string | null };
  /** Target of links to the page: the external URL takes precedence; null when there is no content. */
  readonly href: string | null;
}

/** The part of `AppConfig` that is needed here. */
interface SettingSource {
  effectiveSetting: (key: SettingKey) => Pick<EffectiveSetting, 'value'>;
}

export function legalContentOf(config: SettingSource, page: LegalPage): LegalContent {
  const valueOf = (key: SettingKey) => config.effectiveSetting(key).value;
  const address = valueOf(`${page}Url`);
  const texts = { en: valueOf(`${page}En`), tr: valueOf(`${page}Tr`) };
  const own = texts.en === null && texts.tr === null ? null : `/${page}`;
  return { address, texts, href: address ?? own };
}
