import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from './support/test.ts';
import { createUserWithZone, fileButton } from './support/zones.ts';

test.use({ serviceWorkers: 'allow', viewport: { width: 360, height: 740 } });

test('a user of the installed app gets a page without a connection, and shares a file with the app', async ({
  page,
  context,
  mailbox,
  pageErrors,
}) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await page.goto('/dashboard');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const devTools = await context.newCDPSession(page);
  const { url, errors } = await devTools.send('Page.getAppManifest');
  expect({ path: new URL(url).pathname, errors }).toEqual({ path: '/manifest.webmanifest', errors: [] });

  await context.setOffline(true);
  await page.goto('/zones');
  await expect(page.getByRole('heading', { name: 'No Connection' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await saveScreenshot(page, 'offline-360.png');
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Zones' })).toBeVisible();
  // The failure that the test provokes.
  pageErrors.length = 0;

  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['shared'], 'Shared.txt', { type: 'text/plain' }));
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', files: data.files });
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: '/share-files', enctype: 'multipart/form-data' });
    form.append(input);
    document.body.append(form);
    form.submit();
  });
  const dialog = page.getByRole('dialog', { name: 'Upload Files' });
  await expect(dialog.getByText('Shared.txt')).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'shared-files-360.png');
  await dialog.getByRole('combobox').selectOption({ label: 'Studio' });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await page.goto(`/zones/${zoneId}`);
  await expect(fileButton(page, 'Shared.txt')).toBeVisible();

  // The worker hands files over once.
  await page.goto('/dashboard?do=upload');
  await expect(dialog.getByText('Up to 100 MB per file.')).toBeVisible();
  await expect(dialog.getByText('Shared.txt')).toHaveCount(0);
});
