/** Texts of the other signed-in pages, which fewer people open. */
export { default as campaigns } from '../../../features/campaigns/locales/tr';
export { default as members } from '../../../features/members/locales/tr';
export { default as mirrors } from '../../../features/mirrors/locales/tr';
export { default as settings } from '../../../features/settings/locales/tr';
export { default as suggestions } from '../../../features/suggestions/locales/tr';
