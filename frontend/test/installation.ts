import type { Schema } from '../src/shared/api/client';

type Installation = Schema<'InstallationDto'>;
type Setting = Schema<'InstallationSettingDto'>;
export type SettingOverrides = Readonly<Partial<Record<Setting['key'], readonly [string | null, Setting['source']]>>>;

const variableByKey: Record<Setting['key'], string | null> = {
  purpose: null,
  defaultPlan: 'DEFAULT_PLAN',
  name: 'APP_NAME',
  address: 'APP_URL',
  mailFrom: 'MAIL_FROM',
  contactEmail: 'CONTACT_EMAIL',
  companyName: 'COMPANY_NAME',
  companyDirector: 'COMPANY_DIRECTOR',
  companyType: 'COMPANY_TYPE',
  companyPhone: 'COMPANY_PHONE',
  companyAddress: 'COMPANY_ADDRESS',
  termsUrl: 'TERMS_URL',
  termsEn: null,
  termsTr: null,
  privacyUrl: 'PRIVACY_URL',
  privacyEn: null,
  privacyTr: null,
  imprintUrl: 'IMPRINT_URL',
  imprintEn: null,
  imprintTr: null,
};
const defaultSettings: SettingOverrides = {
  purpose: ['service', 'default'],
  defaultPlan: ['free', 'default'],
  name: ['Zonary', 'default'],
};

export const noMailServer: Installation['mail'] = {
  source: 'default',
  variable: 'SMTP_URL',
  host: null,
  port: null,
  security: null,
  user: null,
  password: 'none',
};

/** The server's response for an installation; `overrides` replace the defaults. */
export function makeInstallation(overrides: SettingOverrides = {}, changes: Partial<Installation> = {}): Installation {
  const settings = Object.entries(variableByKey).map(([name, variable]): Setting => {
    const key = name as Setting['key'];
    const [value, source] = overrides[key] ?? defaultSettings[key] ?? [null, 'default'];
    return { key, value, source, variable };
  });
  return { settings, needsStart: false, mail: noMailServer, setupLeft: [], ...changes };
}
