import type { Language } from '../../../../platform/errors/app-error.js';
import { defineMail } from '../../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../../platform/mail/zone-title.js';

interface Values {
  /** At least one, at most ten. */
  readonly invitations: readonly { readonly email: string; readonly zoneName: string }[];
  /** How many more. */
  readonly more: number;
  readonly url: string;
}

export const undeliveredMail = defineMail<Values>('zones.undelivered', {
  en: ({ invitations, more, url }) => ({
    subject:
      invitations.length + more === 1
        ? `Your invitation to ${zoneTitle(invitations[0]!.zoneName, 'en')} could not be delivered`
        : `${invitations.length + more} invitations could not be delivered`,
    heading: 'Could not be delivered',
    paragraphs: [
      'The mail server of the address refused the invitation. Nobody was reached, and the place in your plan is free again.',
      ...lines(invitations, 'en'),
      ...(more > 0 ? [`And ${more} more.`] : []),
      'Look whether the address is written as it should be, and invite the right one.',
    ],
    button: { label: 'Open the invitations', url },
    note: 'We write about this at most once an hour.',
  }),
  tr: ({ invitations, more, url }) => ({
    subject:
      invitations.length + more === 1
        ? `${zoneTitle(invitations[0]!.zoneName, 'tr')} davetiniz teslim edilemedi`
        : `${invitations.length + more} davet teslim edilemedi`,
    heading: 'Teslim edilemedi',
    paragraphs: [
      'Adresin posta sunucusu daveti geri çevirdi. Kimseye ulaşılamadı ve planınızdaki yer yeniden boşaldı.',
      ...lines(invitations, 'tr'),
      ...(more > 0 ? [`Ve ${more} davet daha.`] : []),
      'Adresin doğru yazılıp yazılmadığına bakın ve doğrusunu davet edin.',
    ],
    button: { label: 'Davetleri aç', url },
    note: 'Bunun için saatte en fazla bir kez yazarız.',
  }),
});

const lines = (invitations: Values['invitations'], language: Language) =>
  invitations.map(({ email, zoneName }) => `${email} · ${zoneTitle(zoneName, language)}`);
