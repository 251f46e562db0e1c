import { defineMail } from '../../../../platform/mail/mail-definition.js';

interface Values {
  url: string;
  /** Who accepted, with the zone: at most ten. */
  people: readonly { readonly name: string; readonly zoneName: string }[];
  /** How many more. */
  more: number;
}

export const invitationAcceptedMail = defineMail<Values>('zones.invitation-accepted', {
  en: ({ url, people, more }) => ({
    subject: subject(people, more, {
      one: (name, zone) => `${name} has joined ${zone}`,
      many: (count) => `${count} people have accepted your invitations`,
    }),
    heading: 'Your invitation was accepted',
    paragraphs: [
      ...people.map(({ name, zoneName }) => `${name} has accepted the invitation to “${zoneName}”.`),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    button: { label: 'Open my zones', url },
    note: 'You can turn these notices off in your settings.',
  }),
  tr: ({ url, people, more }) => ({
    subject: subject(people, more, {
      one: (name, zone) => `${name}, ${zone} bölgesine katıldı`,
      many: (count) => `${count} kişi davetlerinizi kabul etti`,
    }),
    heading: 'Davetiniz kabul edildi',
    paragraphs: [
      ...people.map(({ name, zoneName }) => `${name}, “${zoneName}” bölgesine daveti kabul etti.`),
      ...(more > 0 ? [`Ve ${more} kişi daha.`] : []),
    ],
    button: { label: 'Bölgelerimi aç', url },
    note: 'Bu bildirimleri ayarlarınızdan kapatabilirsiniz.',
  }),
});

interface Subjects {
  one(name: string, zoneName: string): string;
  many(count: number): string;
}

function subject(people: Values['people'], more: number, { one, many }: Subjects): string {
  const [first] = people;
  return first && people.length + more === 1 ? one(first.name, first.zoneName) : many(people.length + more);
}
