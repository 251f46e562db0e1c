import { defineEntity, p } from '@mikro-orm/core';

/** What super admins have set in the page: a row for each of `config/settings.ts` that is not left to its default. */
export const InstallationSettingSchema = defineEntity({
  name: 'InstallationSetting',
  tableName: 'installation_settings',
  properties: {
    key: p.string().length(60).primary(),
    value: p.json<unknown>(),
    /** Who set it, while the account is there; no foreign key, for the platform knows no accounts. */
    changedById: p.bigint('number').nullable(),
    changedAt: p.datetime(),
  },
});
export class InstallationSetting extends InstallationSettingSchema.class {}
InstallationSettingSchema.setClass(InstallationSetting);
