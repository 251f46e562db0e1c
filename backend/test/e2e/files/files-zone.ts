import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import type { World } from '../../support/world.js';
import { createFolder, uploadFile } from './upload/multipart-helpers.js';

export interface TrashEntry {
  kind: string;
  id: number;
  name: string;
  trashId: string;
}

/** A new zone and its owner, with the calls that file tests use most. */
export class FilesZone {
  private constructor(
    readonly owner: Actor,
    readonly zone: TestZone,
  ) {}

  static async open(world: World): Promise<FilesZone> {
    const owner = await registerUser(world);
    return new FilesZone(owner, await createZone(owner));
  }

  createFolder(name: string, parent?: number): Promise<number> {
    return createFolder(this.owner.client, this.zone.id, name, parent);
  }

  uploadFile(name: string, folderId?: number, body: string | Buffer = 'x') {
    return uploadFile(this.owner.client, this.zone.id, name, body, folderId ? `?folderId=${folderId}` : '');
  }

  post(path: string, body: object) {
    return this.owner.client.post(`/api/zones/${this.zone.id}/${path}`).send(body);
  }

  /** Moves an item to the trash; returns the id for restoring it. */
  async deleteItem(kind: 'files' | 'folders', id: number): Promise<string> {
    const { headers } = await this.owner.client.delete(`/api/${kind}/${id}`).expect(204);
    return headers['x-trash-id'] as string;
  }

  async listTrash(): Promise<TrashEntry[]> {
    return (await this.owner.client.get(`/api/zones/${this.zone.id}/trash`).expect(200)).body as TrashEntry[];
  }

  async listNames(kind: 'files' | 'folders', query = ''): Promise<string[]> {
    const { body } = await this.owner.client.get(`/api/zones/${this.zone.id}/${kind}${query}`).expect(200);
    return (body as { name: string }[]).map(({ name }) => name);
  }

  /** The zone's file and folder counts. */
  async readCounts(): Promise<{ fileCount: number; folderCount: number }> {
    return (await this.owner.client.get(`/api/zones/${this.zone.id}`).expect(200)).body;
  }
}
