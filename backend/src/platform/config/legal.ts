import { catalogue } from '../catalogue/catalogue.js';
import type { SettingKey, ShownSetting } from './settings.js';

/** What whoever runs an installation may have to say to everybody who comes to it. */
export const legalPages = catalogue(['terms', 'privacy', 'imprint']);
export type LegalPage = (typeof legalPages)[number];

/** What is said there: at an address elsewhere, in texts of our own, or nowhere. */
export interface Legal {
  readonly address: string | null;
  readonly texts: { readonly en: string | null; readonly tr: string | null };
  /** Where a link to it leads: the address wins over the texts; null where there is neither. */
  readonly leadsTo: string | null;
}

/** What holds of each setting (`AppConfig`). */
interface Settings {
  shown: (key: SettingKey) => Pick<ShownSetting, 'value'>;
}

export function legalOf(config: Settings, page: LegalPage): Legal {
  const of = (key: SettingKey) => config.shown(key).value;
  const address = of(`${page}Url`);
  const texts = { en: of(`${page}En`), tr: of(`${page}Tr`) };
  const own = texts.en === null && texts.tr === null ? null : `/${page}`;
  return { address, texts, leadsTo: address ?? own };
}
