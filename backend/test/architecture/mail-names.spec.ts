import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { campaignFailedMail } from '../../src/modules/campaigns/emails/campaign-failed.email.js';
import { campaignStoppedMail } from '../../src/modules/campaigns/emails/campaign-stopped.email.js';
import { blockedCustomerMail } from '../../src/modules/integrations/emails/blocked-customer.email.js';
import { purchaseNoticeMail } from '../../src/modules/integrations/emails/purchase-notice.email.js';
import { purchaseWelcomeMail } from '../../src/modules/integrations/emails/purchase-welcome.email.js';
import { accessPreparedMail } from '../../src/modules/integrations/troubles/access-prepared.email.js';
import { ownerOrdersMail } from '../../src/modules/integrations/troubles/owner-orders.email.js';
import { staffOrdersMail } from '../../src/modules/integrations/troubles/staff-orders.email.js';
import type { OrderNotice } from '../../src/modules/integrations/troubles/order-notices.service.js';
import { replyToLinkMail } from '../../src/modules/campaigns/reply-to/reply-to-link.email.js';
import { joinVerificationMail } from '../../src/modules/links/emails/join-verification.email.js';
import { addedMail } from '../../src/modules/zones/emails/added.email.js';
import { admittedMail } from '../../src/modules/zones/emails/admitted.email.js';
import { zoneRemovedMail } from '../../src/modules/zones/emails/zone-removed.email.js';
import { undeliveredMail } from '../../src/modules/zones/invitations/emails/undelivered.email.js';
import { invitationAcceptedMail } from '../../src/modules/zones/invitations/emails/invitation-accepted.email.js';
import { invitationMail } from '../../src/modules/zones/invitations/emails/invitation.email.js';
import { joinRequestsMail } from '../../src/modules/zones/requests/join-requests.email.js';
import { declinedMail } from '../../src/modules/zones/requests/declined.email.js';
import type { MailContent } from '../../src/platform/mail/mail-definition.js';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const url = 'https://zones.example/x';

/** Each mail that holds a name which somebody chose, filled with that name. */
const mails: Record<string, (name: string) => MailContent[]> = {
  'campaign-stopped': (name) =>
    [true, false].flatMap((isPaused) =>
      both(campaignStoppedMail.contents, {
        url,
        zoneName: name,
        campaignName: name,
        refused: 3,
        reason: name,
        isPaused,
        fault: isPaused ? 'sender' : null,
      }),
    ),
  'campaign-failed': (name) =>
    both(campaignFailedMail.contents, { url, zoneName: name, campaignName: name, isOverQuota: true }),
  'blocked-customer': (name) =>
    both(blockedCustomerMail.contents, { url, zoneName: name, customer: 'ayse@example.org' }),
  'purchase-notice': (name) => both(purchaseNoticeMail.contents, { url, zoneNames: [name, name] }),
  'purchase-welcome': (name) => both(purchaseWelcomeMail.contents, { url, zoneNames: [name], password: 'abcd' }),
  'access-prepared': (name) => both(accessPreparedMail.contents, { zoneNames: [name, name] }),
  'owner-orders': (name) => both(ownerOrdersMail.contents, { url, orders: [orderOf(name)], more: 0 }),
  'staff-orders': (name) => both(staffOrdersMail.contents, { url, orders: [orderOf(name)], more: 0 }),
  'join-verification': (name) =>
    both(joinVerificationMail.contents, {
      code: '123456',
      url,
      zoneName: name,
      ownerName: name,
      requiresApproval: true,
    }),
  'reply-to-link': (name) => both(replyToLinkMail.contents, { url, zoneName: name, ownerName: name }),
  'join-requests': (name) =>
    both(joinRequestsMail.contents, { url, zoneName: name, people: [asking(name), asking(name)], more: 1 }),
  declined: (name) => both(declinedMail.contents, { zoneName: name }),
  added: (name) => both(addedMail.contents, { url, leaveUrl: url, zoneName: name, ownerName: name }),
  admitted: (name) => both(admittedMail.contents, { url, zoneName: name }),
  'zone-removed': (name) => both(zoneRemovedMail.contents, { url, zoneName: name }),
  'invitation-accepted': (name) =>
    both(invitationAcceptedMail.contents, { url, people: [{ name, zoneName: name }], more: 0 }),
  undelivered: (name) =>
    both(undeliveredMail.contents, { url, invitations: [{ email: 'ayse@example.org', zoneName: name }], more: 0 }),
  invitation: (name) =>
    both(invitationMail.contents, { url, zoneName: name, inviterName: name, password: 'abcd-efgh' }),
};

const orderOf = (name: string): OrderNotice => ({
  ...{ source: 'woocommerce', purchaseId: name, kind: 'waiting', zoneName: name },
  ...{ errorCode: 'ZONE_FULL', errorField: null, total: 1 },
});
const asking = (name: string) => ({ name, email: 'ayse@example.org' });

function both<V>(contents: Record<'en' | 'tr', (values: V) => MailContent>, values: V): MailContent[] {
  return [contents.en(values), contents.tr(values)];
}

const evil = [
  'Claim your prize at http://evil.example/win?x=1',
  'Prize: evil . com',
  'Prize evil．com',
  'Prize\u202e evil。com\r\nBcc: eve@evil.example',
  'www.evil.com',
  'xn--bcher-kva.com/win',
  'x'.repeat(255),
];

describe('mails with names that people chose', () => {
  it('are all looked at here', async () => {
    const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.email.ts'));
    const named: string[] = [];
    for (const file of files) {
      if (/(zone|owner|inviter|campaign)Names?\b/.test(await readFile(join(source, file), 'utf8'))) named.push(file);
    }
    const names = named.map((file) => /([\w-]+)\.email\.ts$/.exec(file)![1]);
    expect(names.sort()).toEqual(Object.keys(mails).sort());
  });

  it.each(Object.keys(mails))('send nobody to a page by a name: %s', (mail) => {
    for (const name of evil) {
      for (const { subject, heading, paragraphs } of mails[mail]!(name)) {
        const said = [subject, heading, ...paragraphs].join(' | ');
        expect(said).not.toMatch(/evil\s*[.．。]\s*(com|example)|bcher|:\/\/|www\.|x{61}/i);
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]| {2}|“”|^\s|\s$/u);
      }
    }
  });

  it.each(Object.keys(mails))('keep a name as it is: %s', (mail) => {
    for (const content of mails[mail]!('Şarkı Atölyesi 2.0')) {
      expect(JSON.stringify(content)).toContain('Şarkı Atölyesi 2.0');
    }
  });
});
