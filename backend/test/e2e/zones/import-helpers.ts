import { uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import type { Client } from '../../support/world.js';

/** Result of one row of a file. */
export interface ImportedRow {
  readonly row: number;
  readonly email: string;
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
}

export interface ImportResponse {
  readonly results: ImportedRow[];
  readonly total: number;
  readonly succeeded: number;
  readonly counts: Record<string, number>;
  readonly planLimit: { used: number; allowed: number } | null;
  readonly dryRun: boolean;
  readonly mail: { subject: string; text: string } | null;
}

export interface ImportedMember {
  readonly user: { email: string; firstName: string | null; lastName: string | null };
  readonly joinMethod: string;
  readonly getsMails: boolean;
}

/** Form fields for adding people without an invitation. */
export const ADD_MODE = { mode: 'add', consentConfirmed: 'true' };

/** Path of a zone's import. */
export const importPath = ({ id }: Pick<TestZone, 'id'>) => `/api/zones/${id}/members/import`;

/** Posts a file with the form's fields; the caller checks the response. */
export function postImport(
  client: Client,
  zone: Pick<TestZone, 'id'>,
  file: string | Buffer,
  fields: Record<string, string> = {},
) {
  const request = client.post(importPath(zone));
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request.attach('file', typeof file === 'string' ? Buffer.from(file) : file, 'people.csv');
}

/** Imports the people in a file as the owner. */
export async function importMembers(
  owner: Actor,
  zone: TestZone,
  file: string | Buffer,
  fields: Record<string, string> = {},
): Promise<ImportResponse> {
  const { body } = await postImport(owner.client, zone, file, { ...ADD_MODE, ...fields }).expect(200);
  return body as ImportResponse;
}

/** A zone's members, sorted by email address. */
export async function listMembers(owner: Actor, zone: TestZone): Promise<ImportedMember[]> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/members?sort=email`).expect(200);
  return body as ImportedMember[];
}

/** Each row number with its result. */
export const rowStatuses = (results: readonly ImportedRow[]) => results.map(({ row, status }) => [row, status]);

/** Email addresses without accounts. */
export const uniqueEmails = (count: number) => Array.from({ length: count }, () => `${uniqueName('p')}@example.com`);

/** A CSV file with one column. */
export const toCsv = (emails: readonly string[]) => `email\n${emails.join('\n')}\n`;

/** Encodes text like Turkish Windows. */
export function encodeWindows1254(text: string): Buffer {
  const letters: Record<string, number> = { Ş: 0xde, ş: 0xfe, Ö: 0xd6, ö: 0xf6 };
  return Buffer.from([...text].map((letter) => letters[letter] ?? letter.charCodeAt(0)));
}
