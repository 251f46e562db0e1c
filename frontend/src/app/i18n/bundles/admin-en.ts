/** Texts of the admin screens, loaded only for administrators. */
export { default as admin } from '../../../admin/platform/locales/en';
export { default as integrations } from '../../../admin/integrations/locales/en';
export { default as reactAdmin } from '../../../admin/locales/en';
