import { catalogue } from '../catalogue/catalogue.js';
import type { Variables } from './variables.js';

/** Variables whose meaning can be set in the page as well. */
type Settable = { [K in keyof Variables]: Variables[K] extends string | null ? K : never }[keyof Variables];

interface Setting {
  /** The variable of the same meaning, which wins. */
  readonly variable: Settable;
  /** What holds when neither says anything. That of the address follows from the port. */
  readonly fallback: string | null;
}

const setting = (variable: Settable, fallback: string | null = null): Setting => ({ variable, fallback });

/** What super admins may set in the page, in the order in which it is shown. Keys are stored and never change. */
export const settings = {
  name: setting('appName', 'Zonary'),
  address: setting('appUrl'),
  mailFrom: setting('mailFrom', 'Zonary <no-reply@localhost>'),
  contactEmail: setting('contactEmail'),
  companyName: setting('companyName'),
  companyDirector: setting('companyDirector'),
  companyType: setting('companyType'),
  companyPhone: setting('companyPhone'),
  companyAddress: setting('companyAddress'),
} satisfies Record<string, Setting>;

export type SettingKey = keyof typeof settings;
export const settingKeys: readonly SettingKey[] = catalogue(Object.keys(settings) as SettingKey[]);

/** What is set of the mail server (`mail-server.ts`): its address without the password, and the password, sealed. */
const mailKeys = catalogue(['mail', 'mailPassword']);

/** Keys of the rows. */
export type StoredKey = SettingKey | (typeof mailKeys)[number];
export const storedKeys: readonly StoredKey[] = catalogue([...settingKeys, ...mailKeys]);

export const settingSources = catalogue(['variable', 'setting', 'default']);

/** What is set in the page. */
export type SettingValues = Readonly<Partial<Record<StoredKey, string>>>;

/** What holds of one of them, and what says so. */
export interface ShownSetting {
  readonly key: SettingKey;
  readonly value: string | null;
  readonly source: (typeof settingSources)[number];
  /** Name of the variable of the same meaning. */
  readonly variable: string;
}

/** Rows of the table of settings as values; what this version does not know of is left where it is. */
export function valuesOf(rows: readonly { readonly key: string; readonly value: unknown }[]): SettingValues {
  const known = rows.filter(({ key, value }) => isStored(key) && typeof value === 'string');
  return Object.fromEntries(known.map(({ key, value }) => [key, value])) as SettingValues;
}

const isStored = (key: string): boolean => (storedKeys as readonly string[]).includes(key);

export const sameValues = (a: SettingValues, b: SettingValues): boolean => storedKeys.every((key) => a[key] === b[key]);
