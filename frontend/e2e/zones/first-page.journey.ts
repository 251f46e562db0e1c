import { Clicks } from '../support/clicks.ts';
import { text } from '../support/files.ts';
import { expect, newAddress, test } from '../support/test.ts';
import { file, openStudio, store } from '../support/zones.ts';

/** From the page of a link to the first page of a file, beside what the address and the consent take. */
const MOST_CLICKS = 2;

const lesson = text('Lesson 1.txt', 'Light and shadow\n');

test('from the page of a link to the first page of a file it takes two clicks beside address and consent', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const id = await openStudio(page, mailbox, { name: 'Pottery', type: 'public' });
  await store(page, id, [lesson]);
  const zone = await page.request.get(`/api/zones/${id}`);
  const { publicLink } = (await zone.json()) as { publicLink: string };

  const context = await browser.newContext({ baseURL, locale: 'en-US', viewport: { width: 360, height: 780 } });
  const clicks = new Clicks();
  await clicks.countIn(context);
  const reader = await context.newPage();
  await reader.goto(`/join/${publicLink}`);
  await expect(reader.getByText(lesson.name)).toBeVisible();
  const email = newAddress('nora');
  await reader.getByLabel('Email address').focus();
  await reader.keyboard.type(email);
  await reader.getByRole('checkbox').focus();
  await reader.keyboard.press('Space');
  await expect(reader.getByRole('checkbox')).toBeChecked();
  const besides = clicks.all.length;

  const seconds: Record<string, string> = {};
  const measured = async (what: string, work: () => Promise<void>) => {
    const begun = performance.now();
    await work();
    seconds[what] = ((performance.now() - begun) / 1000).toFixed(2);
  };
  await measured('Join Zone to the waiting window', async () => {
    await reader.getByRole('button', { name: 'Join Zone' }).click();
    await expect(reader.getByRole('heading', { name: 'Please check your email' })).toBeVisible();
  });
  const code = await mailbox.code(email);
  await measured('code to first page', async () => {
    await reader.getByLabel('Code from the email').fill(code);
    await file(reader, lesson.name).click();
    await expect(reader.getByRole('main')).toContainText('Light and shadow');
  });

  const said = Object.entries(seconds).map(([what, took]) => `${what}: ${took} s`);
  const counted = clicks.all.slice(besides);
  test.info().annotations.push({ type: 'first page', description: [...said, counted.join(', ')].join('; ') });
  process.stdout.write(`first page: ${said.join(', ')}\n`);
  expect(counted).toEqual(expect.arrayContaining(['Join Zone']));
  expect(counted.length, counted.join(', ')).toBeLessThanOrEqual(MOST_CLICKS);
  await context.close();
});

test('what is pressed before the page of a link is alive puts nothing into its address', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const id = await openStudio(page, mailbox, { name: 'Pottery', type: 'public' });
  const { publicLink } = (await (await page.request.get(`/api/zones/${id}`)).json()) as { publicLink: string };
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const reader = await context.newPage();
  let comeAlive = () => {};
  const held = new Promise<void>((resolve) => (comeAlive = resolve));
  await reader.route('**/drawn-start.js', async (route) => {
    await held;
    await route.continue();
  });
  await reader.goto(`/join/${publicLink}`, { waitUntil: 'commit' });
  await reader.getByLabel('Email address').fill(newAddress('nora'));
  await reader.getByRole('checkbox').check();
  await reader.getByRole('button', { name: 'Join Zone' }).click();
  // A form that is sent leads to another document, in which nothing is filled in.
  await expect(reader.getByRole('checkbox')).toBeChecked();
  expect(new URL(reader.url()).search).toBe('');
  comeAlive();
  // Which a script that is put off has run before.
  await reader.waitForLoadState('domcontentloaded');
  await reader.getByRole('button', { name: 'Join Zone' }).click();
  await expect(reader.getByRole('heading', { name: 'Please check your email' })).toBeVisible();
  await context.close();
});
