/** Texts of the signed-in pages that people open first, in one bundle, because each chunk is a request. */
export { default as browse } from '../../../shared/browse/locales/en';
export { default as dashboard } from '../../../features/dashboard/locales/en';
export { default as files } from '../../../features/files/locales/en';
export { default as filesOverview } from '../../../features/files/overview/locales/en';
export { default as insights } from '../../../features/insights/locales/en';
export { default as invitations } from '../../../features/invitations/locales/en';
export { default as links } from '../../../features/links/locales/en';
export { default as newZone } from '../../../shared/zone/locales/en';
export { default as palette } from '../../palette/locales/en';
export { default as sharedZones } from '../../../features/shared-zones/locales/en';
export { default as zones } from '../../../features/zones/locales/en';
