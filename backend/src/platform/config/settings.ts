import { freezeList } from '../constants/freeze-list.js';
import type { Variables } from './variables.js';

/** Variables that can also be set in the app. */
type SettableVariable = { [K in keyof Variables]: Variables[K] extends string | null ? K : never }[keyof Variables];

interface Setting {
  /** The equivalent environment variable, which takes precedence; null when there is none. */
  readonly variable: SettableVariable | null;
  /** Used when neither is set. The default URL is derived from the port, and the default sender from the name. */
  readonly fallback: string | null;
}

const setting = (variable: SettableVariable | null, fallback: string | null = null): Setting => ({
  variable,
  fallback,
});

/** Settings that super admins can change in the app, in display order. Keys are stored and must never change. */
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

/** Stored mail server settings (`mail-server.ts`): its URL without the password, and the encrypted password. */
const mailKeys = freezeList(['mail', 'mailPassword']);

/** Keys of the settings table. */
export type StoredKey = SettingKey | (typeof mailKeys)[number];
export const storedKeys: readonly StoredKey[] = freezeList([...settingKeys, ...mailKeys]);

/** What the installation is for: the operator's own audience, without limits, or a service for other creators. */
export const purposes = freezeList(['own', 'service']);

export const settingSources = freezeList(['variable', 'setting', 'default']);

/** Stored values by key. */
export type SettingValues = Readonly<Partial<Record<StoredKey, string>>>;

/** The effective value of a setting and where it comes from. */
export interface EffectiveSetting {
  readonly key: SettingKey;
  readonly value: string | null;
  readonly source: (typeof settingSources)[number];
  /** The equivalent environment variable; null when there is none. */
  readonly variable: string | null;
}

/** Converts rows of the settings table. Ignores keys that this version doesn't know. */
export function toSettingValues(rows: readonly { readonly key: string; readonly value: unknown }[]): SettingValues {
  const known = rows.filter(({ key, value }) => isStoredKey(key) && typeof value === 'string');
  return Object.fromEntries(known.map(({ key, value }) => [key, value])) as SettingValues;
}

const isStoredKey = (key: string): boolean => (storedKeys as readonly string[]).includes(key);

export const areSettingsEqual = (a: SettingValues, b: SettingValues): boolean =>
  storedKeys.every((key) => a[key] === b[key]);

/** Whether plans are offered; an installation for the operator's own audience sells nothing. */
export const isBillingEnabled = ({ purpose }: SettingValues): boolean => purpose !== 'own';

/** The plan of users without a larger one. @param variableValue value of DEFAULT_PLAN, if set */
export const resolveDefaultPlan = (storedSettings: SettingValues, variableValue: string | null): string =>
  isBillingEnabled(storedSettings)
    ? (variableValue ?? storedSettings.defaultPlan ?? settings.defaultPlan.fallback!)
    : 'enterprise';
