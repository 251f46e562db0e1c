import type { Schema } from '../api/client';

export type Setting = Schema<'InstallationSettingDto'>;
export type SettingKey = Setting['key'];
export type Values = Record<SettingKey, string>;

/** The parts of the form, and what is set in each. */
export const parts = [
  { name: 'purpose', keys: ['purpose', 'defaultPlan'] },
  { name: 'service', keys: ['name', 'address'] },
  { name: 'mails', keys: ['mailFrom', 'contactEmail'] },
  { name: 'company', keys: ['companyName', 'companyDirector', 'companyType', 'companyPhone', 'companyAddress'] },
  // With the texts that can be written in the place of each address (legal-texts.tsx).
  { name: 'legal', keys: ['termsUrl', 'privacyUrl', 'imprintUrl'] },
] as const satisfies readonly { name: string; keys: readonly SettingKey[] }[];

const texts = ['termsEn', 'termsTr', 'privacyEn', 'privacyTr', 'imprintEn', 'imprintTr'] as const;

/** A text that is written below the address of its page. */
export const isText = (key: SettingKey): key is (typeof texts)[number] => (texts as readonly string[]).includes(key);

/** One of a few values is always chosen. */
const isChosen = (key: SettingKey) => key === 'purpose' || key === 'defaultPlan';

/** What stands in a field: an empty one is left to the default. */
const written = ({ key, value, source }: Setting): string =>
  source === 'setting' || isChosen(key) ? (value ?? '') : '';

export const valuesOf = (settings: readonly Setting[]): Values =>
  Object.fromEntries(settings.map((setting) => [setting.key, written(setting)])) as Values;

/** What of it is to be sent: only what was changed, so that an older window leaves the other as it is. */
export function changesOf(settings: readonly Setting[], values: Values): Schema<'ChangeInstallationDto'> {
  const changed = settings.filter(
    (setting) => setting.source !== 'variable' && values[setting.key].trim() !== written(setting),
  );
  return Object.fromEntries(changed.map(({ key }) => [key, values[key].trim() || null]));
}
