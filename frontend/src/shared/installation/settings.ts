import type { Schema } from '../api/client';

export type Setting = Schema<'InstallationSettingDto'>;
export type SettingKey = Setting['key'];
export type InstallationValues = Record<SettingKey, string>;

/** Sections of the form and the settings in each. */
export const settingSections = [
  { name: 'purpose', keys: ['purpose', 'defaultPlan'] },
  { name: 'service', keys: ['name', 'address'] },
  { name: 'mails', keys: ['mailFrom', 'contactEmail'] },
  { name: 'company', keys: ['companyName', 'companyDirector', 'companyType', 'companyPhone', 'companyAddress'] },
  // Includes the texts that can be written instead of each URL (`legal-texts.tsx`).
  { name: 'legal', keys: ['termsUrl', 'privacyUrl', 'imprintUrl'] },
] as const satisfies readonly { name: string; keys: readonly SettingKey[] }[];

const legalTextKeys = ['termsEn', 'termsTr', 'privacyEn', 'privacyTr', 'imprintEn', 'imprintTr'] as const;

/** Texts that are edited below the URL of their page. */
export const isLegalTextKey = (key: SettingKey): key is (typeof legalTextKeys)[number] =>
  (legalTextKeys as readonly string[]).includes(key);

/** These settings always have a value. */
const isChoice = (key: SettingKey) => key === 'purpose' || key === 'defaultPlan';

/** Value of a field; an empty field uses the default. */
const toFieldValue = ({ key, value, source }: Setting): string =>
  source === 'setting' || isChoice(key) ? (value ?? '') : '';

export const toFormValues = (settings: readonly Setting[]): InstallationValues =>
  Object.fromEntries(settings.map((setting) => [setting.key, toFieldValue(setting)])) as InstallationValues;

/** Returns only the changed settings, so that a stale tab doesn't overwrite the others. */
export function toInstallationChanges(
  settings: readonly Setting[],
  values: InstallationValues,
): Schema<'ChangeInstallationDto'> {
  const changed = settings.filter(
    (setting) => setting.source !== 'variable' && values[setting.key].trim() !== toFieldValue(setting),
  );
  return Object.fromEntries(changed.map(({ key }) => [key, values[key].trim() || null]));
}
