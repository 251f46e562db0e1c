import type { Page } from '@playwright/test';
import type { Claims } from '../../../backend/test/support/fakes/identity-provider.ts';

/** The provider knows every user, by the email address they log in with. */
export class AnyEmailClaims extends Map<string, Claims> {
  override get(email: string): Claims {
    return { email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' };
  }
}

/** Signs in through the provider: presses its button, logs in on its pages and returns. */
export async function signInWithProvider(page: Page, email: string): Promise<void> {
  // Its pages load a web font from outside, which tests shouldn't wait for.
  await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await page.getByRole('button', { name: /Example ID/ }).click();
  await page.getByPlaceholder('Enter any login').fill(email);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
