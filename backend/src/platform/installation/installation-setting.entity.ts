import { defineEntity, p } from '@mikro-orm/core';

/**
 * Settings that super admins changed in the app: a row for each key of `config/settings.ts` that isn't at its default.
 */
export const InstallationSettingSchema = defineEntity({
  name: 'InstallationSetting',
  tableName: 'installation_settings',
  properties: {
    key: p.string().length(60).primary(),
    value: p.json<unknown>(),
    /** Who set it, as long as the account exists. Not a foreign key, because the platform doesn't know accounts. */
    changedById: p.bigint('number').nullable(),
    changedAt: p.datetime(),
  },
});
export class InstallationSetting extends InstallationSettingSchema.class {}
InstallationSettingSchema.setClass(InstallationSetting);
