import type { Language } from '../../../../platform/errors/app-error.js';
import { defineEmail } from '../../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../../platform/email/zone-title.js';
import { removeUrls } from '../../../../platform/text/plain-name.js';

interface Values {
  url: string;
  /** People who accepted, with the zone; at most ten. */
  people: readonly { readonly name: string; readonly zoneName: string }[];
  /** Number of further people. */
  more: number;
}

/** Used if nothing is left of a name after URLs are removed. */
const unnamedPerson: Record<Language, string> = { en: 'Someone', tr: 'Birisi' };

export const invitationAcceptedEmail = defineEmail<Values>('zones.invitation-accepted', {
  en: ({ url, people, more }) => ({
    subject: subject(people, more, 'en', {
      one: (name, zone) => `${name} has joined ${zone}`,
      many: (count) => `${count} people have accepted your invitations`,
    }),
    heading: 'Your invitation was accepted',
    paragraphs: [
      ...people.map(
        ({ name, zoneName }) =>
          `${removeUrls(name) || unnamedPerson.en} accepted your invitation to “${emailZoneTitle(zoneName, 'en')}”.`,
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
          `${removeUrls(name) || unnamedPerson.tr}, “${emailZoneTitle(zoneName, 'tr')}” bölgesi için davetinizi kabul etti.`,
      ),
      ...(more > 0 ? [`Ve ${more} kişi daha.`] : []),
    ],
    button: { label: 'Bölgelerimi Aç', url },
    note: 'Bu e-postaları ayarlarınızdan kapatabilirsiniz.',
  }),
});

interface SubjectVariants {
  one(name: string, zoneName: string): string;
  many(count: number): string;
}

function subject(people: Values['people'], more: number, language: Language, { one, many }: SubjectVariants): string {
  const [first] = people;
  const isOne = first && people.length + more === 1;
  return isOne
    ? one(removeUrls(first.name) || unnamedPerson[language], emailZoneTitle(first.zoneName, language))
    : many(people.length + more);
}
