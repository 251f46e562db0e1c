import type { Language } from '../../../../platform/errors/app-error.js';
import { defineEmail } from '../../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../../platform/email/zone-title.js';

interface Values {
  /** At least one, at most ten. */
  readonly invitations: readonly { readonly email: string; readonly zoneName: string }[];
  /** Number of further invitations. */
  readonly more: number;
  readonly url: string;
}

export const invitationUndeliverableEmail = defineEmail<Values>('zones.undelivered', {
  en: ({ invitations, more, url }) => ({
    subject:
      invitations.length + more === 1
        ? `Your invitation to ${emailZoneTitle(invitations[0]!.zoneName, 'en')} couldn't be delivered`
        : `${invitations.length + more} invitations couldn't be delivered`,
    heading: "Invitations that couldn't be delivered",
    paragraphs: [
      "The recipient's email server rejected the invitation. It no longer counts towards your plan's limit.",
      ...invitationLines(invitations, 'en'),
      ...(more > 0 ? [`And ${more} more.`] : []),
      'Please check the address for typos and send a new invitation.',
    ],
    button: { label: 'Open Invitations', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ invitations, more, url }) => ({
    subject:
      invitations.length + more === 1
        ? `“${emailZoneTitle(invitations[0]!.zoneName, 'tr')}” davetiniz teslim edilemedi`
        : `${invitations.length + more} davet teslim edilemedi`,
    heading: 'Teslim edilemeyen davetler',
    paragraphs: [
      'Alıcının e-posta sunucusu daveti reddetti. Davet artık planınızın sınırına sayılmıyor.',
      ...invitationLines(invitations, 'tr'),
      ...(more > 0 ? [`Ve ${more} davet daha.`] : []),
      'Lütfen adresin doğru yazıldığını kontrol edip yeniden davet gönderin.',
    ],
    button: { label: 'Davetleri Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

const invitationLines = (invitations: Values['invitations'], language: Language) =>
  invitations.map(({ email, zoneName }) => `${email} · ${emailZoneTitle(zoneName, language)}`);
