/** Texts of the pages for signing in, in one bundle, because each chunk is a request. */
export { default as account } from '../../../shared/account/locales/tr';
export { default as auth } from '../../../features/auth/locales/tr';
export { default as verification } from '../../../shared/reauthentication/locales/tr';
