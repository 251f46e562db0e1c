import type { Schema } from '../api/client';

export type Setting = Schema<'InstallationSettingDto'>;
export type SettingKey = Setting['key'];
export type InstallationValues = Record<SettingKey, string>;

/** The parts of the form, and what is set in each. */
export const settingSections = [
  { name: 'purpose', keys: ['purpose', 'defaultPlan'] },
  { name: 'service', keys: ['name', 'address'] },
  { name: 'mails', keys: ['mailFrom', 'contactEmail'] },
  { name: 'company', keys: ['companyName', 'companyDirector', 'companyType', 'companyPhone', 'companyAddress'] },
  // With the texts that can be written in the place of each address (legal-texts.tsx).
  { name: 'legal', keys: ['termsUrl', 'privacyUrl', 'imprintUrl'] },
] as const satisfies readonly { name: string; keys: readonly SettingKey[] }[];

const legalTextKeys = ['termsEn', 'termsTr', 'privacyEn', 'privacyTr', 'imprintEn', 'imprintTr'] as const;

/** A text that is written below the address of its page. */
export const isLegalTextKey = (key: SettingKey): key is (typeof legalTextKeys)[number] =>
  (legalTextKeys as readonly string[]).includes(key);

/** One of a few values is always chosen. */
const isChoice = (key: SettingKey) => key === 'purpose' || key === 'defaultPlan';

/** What stands in a field: an empty one is left to the default. */
const toFieldValue = ({ key, value, source }: Setting): string =>
  source === 'setting' || isChoice(key) ? (value ?? '') : '';

export const toFormValues = (settings: readonly Setting[]): InstallationValues =>
  Object.fromEntries(settings.map((setting) => [setting.key, toFieldValue(setting)])) as InstallationValues;

/** What of it is to be sent: only what was changed, so that an older window leaves the other as it is. */
export function toInstallationChanges(
  settings: readonly Setting[],
  values: InstallationValues,
): Schema<'ChangeInstallationDto'> {
  const changed = settings.filter(
    (setting) => setting.source !== 'variable' && values[setting.key].trim() !== toFieldValue(setting),
  );
  return Object.fromEntries(changed.map(({ key }) => [key, values[key].trim() || null]));
}
