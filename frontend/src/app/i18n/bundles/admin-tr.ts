/** Texts of the admin screens, loaded only for administrators. */
export { default as admin } from '../../../admin/platform/locales/tr';
export { default as integrations } from '../../../admin/integrations/locales/tr';
export { default as reactAdmin } from '../../../admin/locales/tr';
