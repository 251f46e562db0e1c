/** Texts of the signed-in pages that people open first, in one bundle, because each chunk is a request. */
export { default as browse } from '../../../shared/browse/locales/tr';
export { default as dashboard } from '../../../features/dashboard/locales/tr';
export { default as files } from '../../../features/files/locales/tr';
export { default as filesOverview } from '../../../features/files/overview/locales/tr';
export { default as insights } from '../../../features/insights/locales/tr';
export { default as invitations } from '../../../features/invitations/locales/tr';
export { default as links } from '../../../features/links/locales/tr';
export { default as newZone } from '../../../shared/zone/locales/tr';
export { default as palette } from '../../palette/locales/tr';
export { default as sharedZones } from '../../../features/shared-zones/locales/tr';
export { default as zones } from '../../../features/zones/locales/tr';
