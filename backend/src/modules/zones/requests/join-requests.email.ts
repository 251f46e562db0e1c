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
    heading: 'People want to join your zone',
    paragraphs: [
      `Waiting for your decision in “${zoneTitle(zoneName, 'en')}”: ${shown(people)}${more > 0 ? `, and ${more} more` : ''}.`,
    ],
    button: { label: 'Open Requests', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ zoneName, people, more, url }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine katılma istekleri`,
    heading: 'Bölgenize katılmak isteyenler var',
    paragraphs: [
      `“${zoneTitle(zoneName, 'tr')}” bölgesinde kararınızı bekleyenler: ${shown(people)}${more > 0 ? ` ve ${more} kişi daha` : ''}.`,
    ],
    button: { label: 'İstekleri Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

/** Addresses of those who have no name that may stand in a mail; who decides sees them in the list as well. */
const shown = (people: JoinRequestsWaiting['people']) =>
  people.map(({ name, email }) => plainName(name) || email).join(', ');
