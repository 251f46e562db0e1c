import { expect, uniqueEmail, test } from '../support/test.ts';
import { postApi, createUserWithZone } from '../support/zones.ts';

/** A previously shown screen is shown again while the network returns nothing. */
test('a user on a slow connection sees no outdated invitations after inviting people', async ({ page, mailbox }) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery class' });
  await postApi(page, `/api/zones/${id}/invite`, { emails: [uniqueEmail()] }, 200);
  await page.goto(`/zones/${id}/members`);
  await expect(page.getByRole('heading', { name: 'Pending Invitations (1)' })).toBeVisible();

  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('button', { name: 'Invite Members' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email addresses').fill([uniqueEmail(), uniqueEmail(), uniqueEmail()].join('\n'));
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByText('3 invitations are on hold, not sent')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const responseGate = Promise.withResolvers<void>();
  await page.route('**/invitations?*', async (route) => {
    await responseGate.promise;
    await route.continue();
  });
  const invitationsRequest = page.waitForRequest('**/invitations?*');
  await page.getByRole('tab', { name: /^Members/ }).click();
  await invitationsRequest;
  await expect(page.getByText('No members yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Pending invitations/ })).toHaveCount(0);
  responseGate.resolve();
  await expect(page.getByRole('heading', { name: 'Pending Invitations (4)' })).toBeVisible();
});
