import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { campaignFailedEmail } from '../../src/modules/campaigns/emails/campaign-failed.email.js';
import { campaignStoppedEmail } from '../../src/modules/campaigns/emails/campaign-stopped.email.js';
import { blockedCustomerEmail } from '../../src/modules/integrations/emails/blocked-customer.email.js';
import { purchaseNoticeEmail } from '../../src/modules/integrations/emails/purchase-notice.email.js';
import { purchaseWelcomeEmail } from '../../src/modules/integrations/emails/purchase-welcome.email.js';
import { accessPreparedEmail } from '../../src/modules/integrations/failed-orders/access-prepared.email.js';
import { ownerOrderIssuesEmail } from '../../src/modules/integrations/failed-orders/owner-order-issues.email.js';
import { adminOrderIssuesEmail } from '../../src/modules/integrations/failed-orders/admin-order-issues.email.js';
import type { OrderNotice } from '../../src/modules/integrations/failed-orders/order-issue.repository.js';
import { replyToLinkEmail } from '../../src/modules/campaigns/reply-to/reply-to-link.email.js';
import { joinVerificationEmail } from '../../src/modules/links/emails/join-verification.email.js';
import { memberAddedEmail } from '../../src/modules/zones/emails/member-added.email.js';
import { joinRequestApprovedEmail } from '../../src/modules/zones/emails/join-request-approved.email.js';
import { zoneDeletedEmail } from '../../src/modules/zones/emails/zone-deleted.email.js';
import { invitationUndeliverableEmail } from '../../src/modules/zones/invitations/emails/invitation-undeliverable.email.js';
import { invitationAcceptedEmail } from '../../src/modules/zones/invitations/emails/invitation-accepted.email.js';
import { invitationEmail } from '../../src/modules/zones/invitations/emails/invitation.email.js';
import { joinRequestsEmail } from '../../src/modules/zones/requests/join-requests.email.js';
import { joinRequestDeclinedEmail } from '../../src/modules/zones/requests/join-request-declined.email.js';
import type { EmailContent } from '../../src/platform/email/email-definition.js';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const url = 'https://zones.example/x';

/** Each email that contains a user-chosen name, rendered with that name. */
const mails: Record<string, (name: string) => EmailContent[]> = {
  'campaign-stopped': (name) =>
    [true, false].flatMap((isPaused) =>
      both(campaignStoppedEmail.contents, {
        url,
        zoneName: name,
        campaignName: name,
        rejectedCount: 3,
        reason: name,
        isPaused,
        bounceCause: isPaused ? 'sender' : null,
      }),
    ),
  'campaign-failed': (name) =>
    both(campaignFailedEmail.contents, { url, zoneName: name, campaignName: name, isOverQuota: true }),
  'blocked-customer': (name) =>
    both(blockedCustomerEmail.contents, { url, zoneName: name, customer: 'ayse@example.org' }),
  'purchase-notice': (name) => both(purchaseNoticeEmail.contents, { url, zoneNames: [name, name] }),
  'purchase-welcome': (name) => both(purchaseWelcomeEmail.contents, { url, zoneNames: [name], password: 'abcd' }),
  'access-prepared': (name) => both(accessPreparedEmail.contents, { zoneNames: [name, name] }),
  'owner-order-issues': (name) => both(ownerOrderIssuesEmail.contents, { url, orders: [orderOf(name)], more: 0 }),
  'admin-order-issues': (name) => both(adminOrderIssuesEmail.contents, { url, orders: [orderOf(name)], more: 0 }),
  'join-verification': (name) =>
    both(joinVerificationEmail.contents, {
      code: '123456',
      url,
      zoneName: name,
      ownerName: name,
      requiresApproval: true,
    }),
  'reply-to-link': (name) => both(replyToLinkEmail.contents, { url, zoneName: name, ownerName: name }),
  'join-requests': (name) =>
    both(joinRequestsEmail.contents, { url, zoneName: name, people: [createRow(name), createRow(name)], more: 1 }),
  'join-request-declined': (name) => both(joinRequestDeclinedEmail.contents, { zoneName: name }),
  'member-added': (name) => both(memberAddedEmail.contents, { url, leaveUrl: url, zoneName: name, ownerName: name }),
  'join-request-approved': (name) => both(joinRequestApprovedEmail.contents, { url, zoneName: name }),
  'zone-deleted': (name) => both(zoneDeletedEmail.contents, { url, zoneName: name }),
  'invitation-accepted': (name) =>
    both(invitationAcceptedEmail.contents, { url, people: [{ name, zoneName: name }], more: 0 }),
  'invitation-undeliverable': (name) =>
    both(invitationUndeliverableEmail.contents, {
      url,
      invitations: [{ email: 'ayse@example.org', zoneName: name }],
      more: 0,
    }),
  invitation: (name) =>
    both(invitationEmail.contents, { url, zoneName: name, inviterName: name, password: 'abcd-efgh' }),
};

const orderOf = (name: string): OrderNotice => ({
  source: 'woocommerce',
  purchaseId: name,
  kind: 'waiting',
  zoneName: name,
  errorCode: 'ZONE_FULL',
  errorField: null,
  total: 1,
});
const createRow = (name: string) => ({ name, email: 'ayse@example.org' });

function both<V>(contents: Record<'en' | 'tr', (values: V) => EmailContent>, values: V): EmailContent[] {
  return [contents.en(values), contents.tr(values)];
}

const urlNames = [
  'Claim your prize at http://evil.example/win?x=1',
  'Prize: evil . com',
  'Prize evil．com',
  'Prize\u202e evil。com\r\nBcc: eve@evil.example',
  'www.evil.com',
  'xn--bcher-kva.com/win',
  'x'.repeat(255),
];

describe('Emails with user-chosen names', () => {
  it('are all covered by this test', async () => {
    const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.email.ts'));
    const named: string[] = [];
    for (const file of files) {
      if (/(zone|owner|inviter|campaign)Names?\b/.test(await readFile(join(source, file), 'utf8'))) named.push(file);
    }
    const names = named.map((file) => /([\w-]+)\.email\.ts$/.exec(file)![1]);
    expect(names.sort()).toEqual(Object.keys(mails).sort());
  });

  it.each(Object.keys(mails))('contain no link from a user-chosen name: %s', (mail) => {
    for (const name of urlNames) {
      for (const { subject, heading, paragraphs } of mails[mail]!(name)) {
        const visibleText = [subject, heading, ...paragraphs].join(' | ');
        expect(visibleText).not.toMatch(/evil\s*[.．。]\s*(com|example)|bcher|:\/\/|www\.|x{61}/i);
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]| {2}|“”|^\s|\s$/u);
      }
    }
  });

  it.each(Object.keys(mails))('keep an ordinary name unchanged: %s', (mail) => {
    for (const content of mails[mail]!('Şarkı Atölyesi 2.0')) {
      expect(JSON.stringify(content)).toContain('Şarkı Atölyesi 2.0');
    }
  });
});
