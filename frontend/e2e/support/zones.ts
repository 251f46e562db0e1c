import type { Page } from '@playwright/test';
import type { Mailbox } from './mailbox.ts';
import type { SampleFile } from './sample-files.ts';
import { expect, makeUser, registerUser, test } from './test.ts';

const getOrigin = () => new URL(test.info().project.use.baseURL!).origin;

/** Calls the API as the user signed in to `page`, and returns the response. */
export async function postApi<T = unknown>(page: Page, path: string, data: object, status = 201): Promise<T> {
  const response = await page.request.post(path, { headers: { origin: getOrigin() }, data });
  expect(response.status(), path).toBe(status);
  return (await response.json()) as T;
}

/** Uploads files to a zone of the user signed in to `page`, by API. */
export async function uploadFiles(page: Page, zoneId: number, files: SampleFile[], folderId?: number): Promise<void> {
  for (const file of files) {
    const query = folderId === undefined ? '' : `?folderId=${folderId}`;
    const response = await page.request.post(`/api/zones/${zoneId}/files${query}`, {
      headers: { origin: getOrigin() },
      multipart: { files: file },
    });
    expect(response.status(), file.name).toBe(201);
  }
}

/** Creates a folder and returns its id. */
export async function createFolder(page: Page, zoneId: number, name: string, parentId?: number): Promise<number> {
  const { id } = await postApi<{ id: number }>(page, `/api/zones/${zoneId}/folders`, { name, parentId });
  return id;
}

/** Registers a user with a zone and signs them in to `page`; returns the zone's id. */
export async function createUserWithZone(page: Page, mailbox: Mailbox, zoneFields: object = {}): Promise<number> {
  await registerUser(page, mailbox, makeUser());
  const { id } = await postApi<{ id: number }>(page, '/api/zones', { name: 'Studio', type: 'private', ...zoneFields });
  return id;
}

/** Adds the user signed in to `memberPage` to a public zone by its link, by API. */
export async function joinZone(memberPage: Page, publicLink: string, email: string): Promise<void> {
  await postApi(memberPage, `/api/public-zones/${publicLink}/join`, { email, emailConsent: true }, 200);
}

/** A file or folder in the list, by name. */
export const fileButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const folderLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const selectionToolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
