import type { Language } from '../../../../platform/errors/app-error.js';
import { defineMail } from '../../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../../platform/mail/zone-title.js';
import { plainName } from '../../../../platform/text/plain-name.js';

interface Values {
  url: string;
  /** Who accepted, with the zone: at most ten. */
  people: readonly { readonly name: string; readonly zoneName: string }[];
  /** How many more. */
  more: number;
}

/** Who has a name of which nothing may stand in a mail. */
const somebody: Record<Language, string> = { en: 'Someone', tr: 'Birisi' };

export const invitationAcceptedMail = defineMail<Values>('zones.invitation-accepted', {
  en: ({ url, people, more }) => ({
    subject: subject(people, more, 'en', {
      one: (name, zone) => `${name} has joined ${zone}`,
      many: (count) => `${count} people have accepted your invitations`,
    }),
    heading: 'Your invitation was accepted',
    paragraphs: [
      ...people.map(
        ({ name, zoneName }) =>
          `${plainName(name) || somebody.en} accepted your invitation to “${zoneTitle(zoneName, 'en')}”.`,
      ),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    button: { label: 'Open My Zones', url },
    note: 'You can turn off these emails in your settings.',
  }),
  tr: ({ url, people, more }) => ({
    subject: subject(people, more, 'tr', {
      one: (name, zone) => `${name}, ${zone} bölgesine katıldı`,
      many: (count) => `${count} kişi davetlerinizi kabul etti`,
    }),
    heading: 'Davetiniz kabul edildi',
    paragraphs: [
      ...people.map(
        ({ name, zoneName }) =>
          `${plainName(name) || somebody.tr}, “${zoneTitle(zoneName, 'tr')}” bölgesi için davetinizi kabul etti.`,
      ),
      ...(more > 0 ? [`Ve ${more} kişi daha.`] : []),
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bu e-postaları ayarlarınızdan kapatabilirsiniz.',
  }),
});

interface Subjects {
  one(name: string, zoneName: string): string;
  many(count: number): string;
}

function subject(people: Values['people'], more: number, language: Language, { one, many }: Subjects): string {
  const [first] = people;
  const isOne = first && people.length + more === 1;
  return isOne
    ? one(plainName(first.name) || somebody[language], zoneTitle(first.zoneName, language))
    : many(people.length + more);
}
