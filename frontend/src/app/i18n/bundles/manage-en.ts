/** Texts of the other signed-in pages, which fewer people open. */
export { default as campaigns } from '../../../features/campaigns/locales/en';
export { default as members } from '../../../features/members/locales/en';
export { default as mirrors } from '../../../features/mirrors/locales/en';
export { default as settings } from '../../../features/settings/locales/en';
export { default as suggestions } from '../../../features/suggestions/locales/en';
