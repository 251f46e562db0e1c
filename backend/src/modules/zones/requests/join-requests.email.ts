import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

export interface PendingJoinRequests {
  readonly zoneName: string;
  readonly people: readonly { readonly name: string; readonly email: string }[];
  /** Number of further people. */
  readonly more: number;
  readonly url: string;
}

export const joinRequestsEmail = defineEmail<PendingJoinRequests>('zones.join-requests', {
  en: ({ zoneName, people, more, url }) => ({
    subject: `Requests to join ${emailZoneTitle(zoneName, 'en')}`,
    heading: 'People want to join your zone',
    paragraphs: [
      `Waiting for your decision in “${emailZoneTitle(zoneName, 'en')}”: ${peopleList(people)}${more > 0 ? `, and ${more} more` : ''}.`,
    ],
    button: { label: 'Open Requests', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ zoneName, people, more, url }) => ({
    subject: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine katılma istekleri`,
    heading: 'Bölgenize katılmak isteyenler var',
    paragraphs: [
      `“${emailZoneTitle(zoneName, 'tr')}” bölgesinde kararınızı bekleyenler: ${peopleList(people)}${more > 0 ? ` ve ${more} kişi daha` : ''}.`,
    ],
    button: { label: 'İstekleri Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

/** Uses the email address if nothing is left of the name; approvers can see addresses in the list anyway. */
const peopleList = (people: PendingJoinRequests['people']) =>
  people.map(({ name, email }) => removeUrls(name) || email).join(', ');
