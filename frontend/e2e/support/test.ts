import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { Mailbox } from './mailbox.ts';

interface Fixtures {
  mailbox: Mailbox;
  /** What went wrong inside the page; a journey that ends with something in it fails. */
  complaints: string[];
}

/** `test` for journeys: with the mailbox, and failing when the page throws or breaks its content security policy. */
export const test = base.extend<Fixtures>({
  mailbox: async ({ request }, provide) => provide(new Mailbox(request)),
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        const refusal = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
        // The tools of the tests try to run in the sandboxed frame of a mail as well, which rightly refuses them.
        const sandbox = /^Blocked script execution in '[^']+\/preview' because/.test(message.text());
        if (message.type() === 'error' && !refusal && !sandbox) complaints.push(message.text());
      });
      await provide(complaints);
      expect(complaints, 'the page had nothing to complain about').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** An address that nobody has used before. */
export const newAddress = (name = 'person') => `${name}-${randomUUID().slice(0, 8)}@example.org`;

export interface Person {
  firstName: string;
  lastName: string;
  username: string;
  email: string;
  password: string;
}

/** Somebody who has no account yet. */
export function newPerson(firstName = 'Deniz', lastName = 'Acar'): Person {
  const email = newAddress(firstName.toLowerCase());
  const username = `u_${randomUUID().slice(0, 8)}`;
  return { firstName, lastName, username, email, password: 'correct horse battery' };
}

/** Makes an account without the page; the browser of `page` is then signed in. */
export async function register(page: Page, mailbox: Mailbox, person = newPerson()): Promise<Person> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const sent = await page.request.post('/api/send-verification', { headers, data: { email: person.email } });
  expect(sent.status()).toBe(200);
  const verificationCode = await mailbox.code(person.email);
  const made = await page.request.post('/api/register', { headers, data: { ...person, verificationCode } });
  expect(made.status()).toBe(201);
  return person;
}

/** Fills in and sends the sign-in form that the page shows. What comes of it is for the journey to see. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Waits until nothing fades or moves any more: a colour on its way is not the one that people read. */
async function comeToRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
}

/** Asks axe about the page as it is once it has come to rest. */
export async function expectAccessible(page: Page): Promise<void> {
  await comeToRest(page);
  // Legacy: otherwise axe puts its results together in a page of its own, which takes as long again. Tooltips come and
  // go with the pointer, and lie outside all landmarks; axe does not see that they belong to what they describe.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude('[role=tooltip]').analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(told, 'axe finds nothing').toEqual([]);
}

/** Nothing of the page is cut off at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  // The page needs a moment after its width was changed; what counts is where it comes to rest.
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(over, { message: 'pixels beyond the right edge' }).toBeLessThanOrEqual(0);
}
