import { defineMail } from '../../../platform/mail/mail-definition.js';
import type { SecurityEvent } from '../auth.jobs.js';
import { securityEventWordings, type Particulars } from './security-event.wordings.js';

interface Values extends Particulars {
  readonly event: SecurityEvent;
  readonly settingsUrl: string;
  readonly resetUrl: string;
}

/** Tells the owner of an account what was done, and what to do if it was somebody else. */
export const securityEventMail = defineMail<Values>('auth.security-event', {
  en: ({ event, settingsUrl, resetUrl, ...particulars }) => ({
    ...withHeading(securityEventWordings[event](particulars).en),
    button: { label: 'Open Settings', url: settingsUrl },
    note: `If this wasn't you, set a new password immediately at ${resetUrl}. This also signs out all devices and deletes all API tokens.`,
  }),
  tr: ({ event, settingsUrl, resetUrl, ...particulars }) => ({
    ...withHeading(securityEventWordings[event](particulars).tr),
    button: { label: 'Ayarları Aç', url: settingsUrl },
    note: `Bunu siz yapmadıysanız hemen ${resetUrl} adresinden yeni bir parola belirleyin. Böylece tüm cihazlarda oturum kapatılır ve tüm API anahtarları silinir.`,
  }),
});

const withHeading = <W extends { subject: string }>(wording: W) => ({ ...wording, heading: wording.subject });
