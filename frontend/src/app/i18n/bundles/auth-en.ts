/** Texts of the pages for signing in, in one bundle, because each chunk is a request. */
export { default as account } from '../../../shared/account/locales/en';
export { default as auth } from '../../../features/auth/locales/en';
export { default as verification } from '../../../shared/reauthentication/locales/en';
