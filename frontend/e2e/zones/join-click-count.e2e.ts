import { ClickCounter } from '../support/click-counter.ts';
import { textFile } from '../support/sample-files.ts';
import { expect, uniqueEmail, test } from '../support/test.ts';
import { fileButton, createUserWithZone, uploadFiles } from '../support/zones.ts';

/** From the link's page to the first page of a file, not counting the email address and consent. */
const MAX_CLICKS = 2;

const lesson = textFile('Lesson 1.txt', 'Light and shadow\n');

test('a visitor gets from a link to the first page of a file in two clicks besides email and consent', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery', type: 'public' });
  await uploadFiles(page, id, [lesson]);
  const response = await page.request.get(`/api/zones/${id}`);
  const { publicLink } = (await response.json()) as { publicLink: string };

  const context = await browser.newContext({ baseURL, locale: 'en-US', viewport: { width: 360, height: 780 } });
  const clickCounter = new ClickCounter();
  await clickCounter.countClicksIn(context);
  const memberPage = await context.newPage();
  await memberPage.goto(`/join/${publicLink}`);
  await expect(memberPage.getByText(lesson.name)).toBeVisible();
  const email = uniqueEmail('nora');
  await memberPage.getByLabel('Email address').focus();
  await memberPage.keyboard.type(email);
  await memberPage.getByRole('checkbox').focus();
  await memberPage.keyboard.press('Space');
  await expect(memberPage.getByRole('checkbox')).toBeChecked();
  const formClicks = clickCounter.labels.length;

  const seconds: Record<string, string> = {};
  const measure = async (label: string, action: () => Promise<void>) => {
    const startedAt = performance.now();
    await action();
    seconds[label] = ((performance.now() - startedAt) / 1000).toFixed(2);
  };
  await measure('Join Zone to the waiting window', async () => {
    await memberPage.getByRole('button', { name: 'Join Zone' }).click();
    await expect(memberPage.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  });
  const code = await mailbox.waitForCode(email);
  await measure('code to first page', async () => {
    await memberPage.getByLabel('Code from the email').fill(code);
    await fileButton(memberPage, lesson.name).click();
    await expect(memberPage.getByRole('main')).toContainText('Light and shadow');
  });

  const durations = Object.entries(seconds).map(([what, took]) => `${what}: ${took} s`);
  const countedClicks = clickCounter.labels.slice(formClicks);
  test
    .info()
    .annotations.push({ type: 'first page', description: [...durations, countedClicks.join(', ')].join('; ') });
  process.stdout.write(`first page: ${durations.join(', ')}\n`);
  expect(countedClicks).toEqual(expect.arrayContaining(['Join Zone']));
  expect(countedClicks.length, countedClicks.join(', ')).toBeLessThanOrEqual(MAX_CLICKS);
  await context.close();
});

test('a visitor’s click before the app has loaded joins the zone and adds nothing to the URL', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery', type: 'public' });
  const { publicLink } = (await (await page.request.get(`/api/zones/${id}`)).json()) as { publicLink: string };
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const memberPage = await context.newPage();
  const gate = Promise.withResolvers<void>();
  await memberPage.route('**/*.js', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await memberPage.goto(`/join/${publicLink}`, { waitUntil: 'commit' });
  await memberPage.getByLabel('Email address').fill(uniqueEmail('nora'));
  await memberPage.getByRole('checkbox').check();
  await memberPage.getByRole('button', { name: 'Join Zone' }).click();
  // Submitting the form loads a new document, in which nothing would be filled in.
  await expect(memberPage.getByRole('checkbox')).toBeChecked();
  expect(new URL(memberPage.url()).search).toBe('');
  gate.resolve();
  await expect(memberPage.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  await context.close();
});
