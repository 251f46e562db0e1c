import { freezeList } from '../constants/freeze-list.js';
import type { Variables } from './variables.js';

/** Variables whose meaning can be set in the page as well. */
type SettableVariable = { [K in keyof Variables]: Variables[K] extends string | null ? K : never }[keyof Variables];

interface Setting {
  /** The variable of the same meaning, which wins; null where there is none. */
  readonly variable: SettableVariable | null;
  /** What holds when neither says anything. That of the address follows from the port, that of the sender from the name. */
  readonly fallback: string | null;
}

const setting = (variable: SettableVariable | null, fallback: string | null = null): Setting => ({
  variable,
  fallback,
});

/** What super admins may set in the page, in the order in which it is shown. Keys are stored and never change. */
export const settings = {
  purpose: setting(null, 'service'),
  defaultPlan: setting('defaultPlan', 'free'),
  name: setting('appName', 'Zonary'),
  address: setting('appUrl'),
  mailFrom: setting('mailFrom'),
  contactEmail: setting('contactEmail'),
  companyName: setting('companyName'),
  companyDirector: setting('companyDirector'),
  companyType: setting('companyType'),
  companyPhone: setting('companyPhone'),
  companyAddress: setting('companyAddress'),
  termsUrl: setting('termsUrl'),
  termsEn: setting(null),
  termsTr: setting(null),
  privacyUrl: setting('privacyUrl'),
  privacyEn: setting(null),
  privacyTr: setting(null),
  imprintUrl: setting('imprintUrl'),
  imprintEn: setting(null),
  imprintTr: setting(null),
} satisfies Record<string, Setting>;

export type SettingKey = keyof typeof settings;
export const settingKeys: readonly SettingKey[] = freezeList(Object.keys(settings) as SettingKey[]);

/** What is set of the mail server (`mail-server.ts`): its address without the password, and the password, sealed. */
const mailKeys = freezeList(['mail', 'mailPassword']);

/** Keys of the rows. */
export type StoredKey = SettingKey | (typeof mailKeys)[number];
export const storedKeys: readonly StoredKey[] = freezeList([...settingKeys, ...mailKeys]);

/** What an installation is for: an audience of one's own, where nobody meets a limit, or a service for other creators. */
export const purposes = freezeList(['own', 'service']);

export const settingSources = freezeList(['variable', 'setting', 'default']);

/** What is set in the page. */
export type SettingValues = Readonly<Partial<Record<StoredKey, string>>>;

/** What holds of one of them, and what says so. */
export interface EffectiveSetting {
  readonly key: SettingKey;
  readonly value: string | null;
  readonly source: (typeof settingSources)[number];
  /** Name of the variable of the same meaning; null where there is none. */
  readonly variable: string | null;
}

/** Rows of the table of settings as values; what this version does not know of is left where it is. */
export function toSettingValues(rows: readonly { readonly key: string; readonly value: unknown }[]): SettingValues {
  const known = rows.filter(({ key, value }) => isStoredKey(key) && typeof value === 'string');
  return Object.fromEntries(known.map(({ key, value }) => [key, value])) as SettingValues;
}

const isStoredKey = (key: string): boolean => (storedKeys as readonly string[]).includes(key);

export const areSettingsEqual = (a: SettingValues, b: SettingValues): boolean =>
  storedKeys.every((key) => a[key] === b[key]);

/** Whether plans are offered: nothing is sold to an audience of one's own. */
export const isBillingEnabled = ({ purpose }: SettingValues): boolean => purpose !== 'own';

/** The plan of whoever has no larger one. @param said what a variable says of it */
export const resolveDefaultPlan = (storedSettings: SettingValues, variableValue: string | null): string =>
  isBillingEnabled(storedSettings)
    ? (variableValue ?? storedSettings.defaultPlan ?? settings.defaultPlan.fallback!)
    : 'enterprise';
