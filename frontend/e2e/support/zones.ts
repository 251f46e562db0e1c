import type { Page } from '@playwright/test';
import type { Mailbox } from './mailbox.ts';
import type { SampleFile } from './files.ts';
import { expect, newPerson, register, test } from './test.ts';

const origin = () => new URL(test.info().project.use.baseURL!).origin;

/** Calls the API as the person signed in to `page`, and gives what it answers. */
export async function call<T = unknown>(page: Page, path: string, data: object, status = 201): Promise<T> {
  const answer = await page.request.post(path, { headers: { origin: origin() }, data });
  expect(answer.status(), path).toBe(status);
  return (await answer.json()) as T;
}

/** Stores files in a zone of the person signed in to `page`, without the page. */
export async function store(page: Page, zoneId: number, files: SampleFile[], folderId?: number): Promise<void> {
  for (const file of files) {
    const at = folderId === undefined ? '' : `?folderId=${folderId}`;
    const answer = await page.request.post(`/api/zones/${zoneId}/files${at}`, {
      headers: { origin: origin() },
      multipart: { files: file },
    });
    expect(answer.status(), file.name).toBe(201);
  }
}

/** Makes a folder and gives its id. */
export async function makeFolder(page: Page, zoneId: number, name: string, parentId?: number): Promise<number> {
  const { id } = await call<{ id: number }>(page, `/api/zones/${zoneId}/folders`, { name, parentId });
  return id;
}

/** Somebody new, signed in to `page`, with a zone; gives its id. */
export async function openStudio(page: Page, mailbox: Mailbox, more: object = {}): Promise<number> {
  await register(page, mailbox, newPerson());
  const { id } = await call<{ id: number }>(page, '/api/zones', { name: 'Studio', type: 'private', ...more });
  return id;
}

/** Makes the person signed in to `member` a member of a public zone by its link, without the page. */
export async function joinZone(member: Page, publicLink: string, email: string): Promise<void> {
  await call(member, `/api/public-zones/${publicLink}/join`, { email, emailConsent: true }, 200);
}

/** A file or folder of the list, by its name. */
export const file = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const folder = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const selectionBar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
