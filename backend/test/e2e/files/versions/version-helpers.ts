import type { Client, World } from '../../../support/world.js';
import type { FilesZone } from '../files-zone.js';
import { buildMultipart } from '../upload/multipart-helpers.js';

export interface Version {
  readonly number: number;
  readonly isCurrent: boolean;
  readonly name: string;
  readonly size: number;
  readonly uploadedBy: string | null;
  readonly replacedAt: string | null;
}

/** Replaces the content of a file. */
export function replaceFile(
  client: Client,
  id: number,
  name: string,
  body: Buffer | string,
  ifVersion?: number | string,
) {
  const fields = ifVersion === undefined ? [] : [{ field: 'ifVersion', body: String(ifVersion) }];
  const form = buildMultipart(...fields, { field: 'file', name, body });
  return client.post(`/api/files/${id}/versions`).set('Content-Type', form.type).send(form.body);
}

export async function listVersions(client: Client, id: number): Promise<Version[]> {
  return (await client.get(`/api/files/${id}/versions`).expect(200)).body as Version[];
}

/** The bytes of the owner by the plan's usage, by the zone's counter, and by the rows. */
export async function readBytes(world: World, { owner, zone }: FilesZone) {
  const [row] = await world.testApp.em().execute<{ used: number; reserved: number; counted: number; stored: number }[]>(
    `select u.used::int, u.reserved::int, s.bytes::int as counted,
      ((select coalesce(sum(size), 0) from files where zone_id = s.zone_id)
        + (select coalesce(sum(v.size), 0) from file_versions v join files f on f.id = v.file_id
          where f.zone_id = s.zone_id))::int as stored
    from zone_stats s join usage u on u.owner_id = ? and u.metric = 'bytes' where s.zone_id = ?`,
    [owner.id, zone.id],
  );
  return row!;
}

/** What `readBytes` returns if all figures agree. */
export const exactly = (bytes: number) => ({ used: bytes, reserved: 0, counted: bytes, stored: bytes });
