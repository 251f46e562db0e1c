import { createZone, register, type Actor, type TestZone } from '../../support/people/actors.js';
import type { World } from '../../support/world.js';
import { makeFolder, put } from './upload/files-forms.js';

export interface TrashEntry {
  kind: string;
  id: number;
  name: string;
  trashId: string;
}

/** A new zone and its owner, with the calls that tests of its files make all the time. */
export class FilesZone {
  private constructor(
    readonly owner: Actor,
    readonly zone: TestZone,
  ) {}

  static async open(world: World): Promise<FilesZone> {
    const owner = await register(world);
    return new FilesZone(owner, await createZone(owner));
  }

  folder(name: string, parent?: number): Promise<number> {
    return makeFolder(this.owner.client, this.zone.id, name, parent);
  }

  file(name: string, folderId?: number, body: string | Buffer = 'x') {
    return put(this.owner.client, this.zone.id, name, body, folderId ? `?folderId=${folderId}` : '');
  }

  /** A POST under the zone. */
  post(what: string, body: object) {
    return this.owner.client.post(`/api/zones/${this.zone.id}/${what}`).send(body);
  }

  /** Puts something into the trash; gives the id that brings it back. */
  async delete(what: 'files' | 'folders', id: number): Promise<string> {
    const { headers } = await this.owner.client.delete(`/api/${what}/${id}`).expect(204);
    return headers['x-trash-id'] as string;
  }

  async trash(): Promise<TrashEntry[]> {
    return (await this.owner.client.get(`/api/zones/${this.zone.id}/trash`).expect(200)).body as TrashEntry[];
  }

  async names(what: 'files' | 'folders', query = ''): Promise<string[]> {
    const { body } = await this.owner.client.get(`/api/zones/${this.zone.id}/${what}${query}`).expect(200);
    return (body as { name: string }[]).map(({ name }) => name);
  }

  /** What the zone says of itself. */
  async counts(): Promise<{ fileCount: number; folderCount: number }> {
    return (await this.owner.client.get(`/api/zones/${this.zone.id}`).expect(200)).body;
  }
}
