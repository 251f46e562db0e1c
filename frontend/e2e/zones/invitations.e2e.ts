import { expect, expectAccessible, expectNoOverflow, uniqueEmail, registerUser, test } from '../support/test.ts';
import { createUserWithZone } from '../support/zones.ts';

const findInviteLink = (text: string): string => /https?:\/\/\S+\/invite\/\S+/.exec(text)![0];

test('an owner invites a pasted column; a new and an existing user each accept with one button', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL });
  const existingUserPage = await context.newPage();
  const existingUser = await registerUser(existingUserPage, mailbox);
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery class' });

  const email = uniqueEmail('nora');
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'Invite Members' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email addresses').fill(`${email}\n${existingUser.email}; nobody`);
  await expect(dialog.getByText('3 addresses')).toBeVisible();
  await expect(dialog.getByText('1 address isn’t valid: nobody')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByText('2 invitations are on hold, not sent')).toBeVisible();
  await expect(dialog.getByText('Not a valid email address')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Invite Members' })).toBeFocused();

  const visitorContext = await browser.newContext({ baseURL, viewport: { width: 360, height: 780 } });
  const visitor = await visitorContext.newPage();
  const { text } = await mailbox.waitForEmail(email);
  await visitor.goto(findInviteLink(text));
  await expect(visitor.getByRole('heading', { name: 'Join “Pottery class”' })).toBeVisible();
  await expectAccessible(visitor);
  await expectNoOverflow(visitor);
  await visitor.getByRole('button', { name: 'Accept Invitation' }).click();
  await expect(visitor).toHaveURL(`/zones/${id}`);

  await existingUserPage.goto(findInviteLink((await mailbox.waitForEmail(existingUser.email, 2)).text));
  await existingUserPage.getByRole('button', { name: 'Accept Invitation' }).click();
  await expect(existingUserPage).toHaveURL(`/zones/${id}`);
  await page.goto(`/zones/${id}/members`);
  await expect(page.getByRole('tab', { name: 'Members (2)' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Members' })).toContainText(email);
  await expect(page.getByRole('heading', { name: /Pending invitations/ })).toHaveCount(0);
  await visitorContext.close();
  await context.close();
});

test('an owner resends or revokes an invitation, and invalid invitation links show why', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Evening class' });
  const email = uniqueEmail('nora');
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Invite Members' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email addresses').fill(email);
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByText('Please choose a zone.')).toBeVisible();
  await dialog.getByLabel('Zone').selectOption({ label: 'Evening class' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByText('1 invitation is on hold, not sent')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const first = findInviteLink((await mailbox.waitForEmail(email)).text);

  await page.goto(`/zones/${id}/members`);
  await expect(page.getByRole('heading', { name: 'Pending Invitations (1)' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: `Send again to ${email}` }).click();
  await expect(page.getByText('On hold, not sent', { exact: true })).toBeVisible();
  const second = findInviteLink((await mailbox.waitForEmail(email, 2)).text);
  expect(second).not.toBe(first);
  await page.goto(second);
  await expect(page.getByText(`This invitation is for ${email}`)).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/zones/${id}/members`);
  await page.getByRole('button', { name: `Revoke the invitation to ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Invitation revoked')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Pending invitations/ })).toHaveCount(0);

  for (const [link, locale, title] of [
    [first, 'en-US', 'Invalid Invitation'],
    [second, 'tr-TR', 'Geçersiz Davet'],
  ] as const) {
    const context = await browser.newContext({ baseURL, locale, viewport: { width: 360, height: 780 } });
    const visitor = await context.newPage();
    await visitor.goto(link);
    await expect(visitor.getByRole('heading', { name: title })).toBeVisible();
    await expectAccessible(visitor);
    await expectNoOverflow(visitor);
    await context.close();
  }
});
