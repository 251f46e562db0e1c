import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

export interface JoinRequestsWaiting {
  readonly zoneName: string;
  readonly people: readonly { readonly name: string; readonly email: string }[];
  /** How many more. */
  readonly more: number;
  readonly url: string;
}

export const joinRequestsMail = defineMail<JoinRequestsWaiting>('zones.join-requests', {
  en: ({ zoneName, people, more, url }) => ({
    subject: `Requests to join ${zoneTitle(zoneName, 'en')}`,
    heading: 'Somebody asks to join your zone',
    paragraphs: [
      `They wait for your answer in the zone “${zoneTitle(zoneName, 'en')}”: ${shown(people)}${more > 0 ? `, and ${more} more` : ''}.`,
    ],
    button: { label: 'Open the requests', url },
    note: 'We write about this at most once an hour.',
  }),
  tr: ({ zoneName, people, more, url }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine katılma istekleri`,
    heading: 'Bölgenize katılmak isteyenler var',
    paragraphs: [
      `“${zoneTitle(zoneName, 'tr')}” bölgesinde yanıtınızı bekleyenler: ${shown(people)}${more > 0 ? ` ve ${more} kişi daha` : ''}.`,
    ],
    button: { label: 'İstekleri aç', url },
    note: 'Bunun için saatte en fazla bir kez yazarız.',
  }),
});

/** Addresses of those who have no name that may stand in a mail; who decides sees them in the list as well. */
const shown = (people: JoinRequestsWaiting['people']) =>
  people.map(({ name, email }) => plainName(name) || email).join(', ');
