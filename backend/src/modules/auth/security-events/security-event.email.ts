import { defineEmail } from '../../../platform/email/email-definition.js';
import type { SecurityEvent } from '../auth.jobs.js';
import { securityEventTexts, type SecurityEventDetails } from './security-event.texts.js';

interface SecurityEventEmailValues extends SecurityEventDetails {
  readonly event: SecurityEvent;
  readonly settingsUrl: string;
  readonly resetUrl: string;
}

/** Tells the owner of an account what happened, and what to do if it wasn't them. */
export const securityEventEmail = defineEmail<SecurityEventEmailValues>('auth.security-event', {
  en: ({ event, settingsUrl, resetUrl, ...particulars }) => ({
    ...withSubjectAsHeading(securityEventTexts[event](particulars).en),
    button: { label: 'Open Settings', url: settingsUrl },
    note: `If this wasn't you, set a new password immediately at ${resetUrl}. This also signs out all devices and deletes all API tokens.`,
  }),
  tr: ({ event, settingsUrl, resetUrl, ...particulars }) => ({
    ...withSubjectAsHeading(securityEventTexts[event](particulars).tr),
    button: { label: 'Ayarları Aç', url: settingsUrl },
    note: `Bunu siz yapmadıysanız hemen ${resetUrl} adresinden yeni bir parola belirleyin. Böylece tüm cihazlarda oturum kapatılır ve tüm API anahtarları silinir.`,
  }),
});

const withSubjectAsHeading = <W extends { subject: string }>(wording: W) => ({ ...wording, heading: wording.subject });
