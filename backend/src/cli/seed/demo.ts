import { MikroORM, RequestContext } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { inTransaction } from '../../platform/database/transaction.js';
import { User } from '../../modules/auth/entities/user.entity.js';
import { UserService } from '../../modules/auth/users/user.service.js';
import { FileAccessService } from '../../modules/files/access/file-access.service.js';
import { ItemEditor } from '../../modules/files/tree/item-editor.service.js';
import { FileReceiver } from '../../modules/files/upload/file-receiver.service.js';
import type { ZoneDto } from '../../modules/zones/dto/zone.dto.js';
import { MemberAdmission } from '../../modules/zones/joining/member-admission.service.js';
import { ZoneService } from '../../modules/zones/zone/zone.service.js';
import { lectureFiles, notesFiles, type DemoFile } from './demo-files.js';

export const DEMO_PASSWORD = 'demo pass phrase';
const MEMBERS = 12;

/** Fills an installation with two creators, members, zones and files, through the services that the API uses. */
export class Demo {
  private readonly em: EntityManager;

  constructor(private readonly app: INestApplicationContext) {
    this.em = app.get(MikroORM).em.fork() as EntityManager;
  }

  /** True when the demonstration is there already. */
  async exists(): Promise<boolean> {
    return (await this.em.count(User, { email: address('creator') })) > 0;
  }

  /** Makes everything; gives the addresses with which one can sign in. */
  fill(): Promise<string[]> {
    return RequestContext.create(this.em, async () => {
      const creator = await this.person('creator', 'Sample', 'Creator', 'creator');
      const coach = await this.person('coach', 'Sample', 'Coach', 'starter');
      const lectures = await this.zone(creator, 'Photography lectures', 'public', 'Slides, exercises and examples.');
      await this.zone(creator, 'Drafts', 'private', 'Not shared yet.');
      const notes = await this.zone(coach, 'Coaching notes', 'public', 'For everybody who joined the spring group.');
      await this.put(creator, lectures, lectureFiles);
      await this.put(coach, notes, notesFiles);
      await this.admit(lectures, coach);
      await this.admit(notes, creator);
      for (let number = 1; number <= MEMBERS; number++) {
        const member = await this.person(`member${number}`, 'Sample', `Member ${number}`, 'free');
        await this.admit(lectures, member);
        if (number % 2 === 0) await this.admit(notes, member);
      }
      return ['creator', 'coach', 'member1'].map(address);
    });
  }

  private async person(name: string, firstName: string, lastName: string, plan: string): Promise<User> {
    const users = this.app.get(UserService);
    const hash = await users.hashNew(DEMO_PASSWORD, 'password', {});
    return inTransaction(this.em, async (em) => {
      const user = await users.findOrCreateVerified(em, address(name), 'en');
      user.plan = plan;
      const profile = { firstName, lastName, username: `demo_${name}`, password: DEMO_PASSWORD };
      await users.completeProfile(em, user, profile, hash);
      return user;
    });
  }

  private zone(owner: User, name: string, type: 'private' | 'public', description: string): Promise<ZoneDto> {
    return this.app.get(ZoneService).create(owner.id, { name, type, description });
  }

  private async admit(zone: ZoneDto, user: User): Promise<void> {
    const consent = { ipAddress: null, method: 'public_link', text: 'Demonstration' };
    await inTransaction(this.em, (em) =>
      this.app.get(MemberAdmission).admit(em, { zone, user, method: 'public_link', consent }),
    );
  }

  private async put(owner: User, zone: ZoneDto, folders: typeof lectureFiles): Promise<void> {
    const places = this.app.get(FileAccessService);
    const seen = { ...zone, role: 'owner' as const };
    for (const { folder, files } of folders) {
      const root = await places.placeToWrite(seen, owner.id, null);
      const folderId = folder === null ? null : await this.app.get(ItemEditor).createFolder(root, owner.id, folder);
      const place = await places.placeToWrite(seen, owner.id, folderId);
      const target = { place, userId: owner.id, onConflict: 'refuse' as const, announced: null };
      await this.app.get(FileReceiver).receive(target, incoming(files));
    }
  }
}

function address(name: string): string {
  return `${name}@demo.example`;
}

async function* incoming(files: readonly DemoFile[]) {
  for (const { name, content } of files) {
    yield { name, content: bytesOf(content), skip: () => Promise.resolve() };
  }
}

async function* bytesOf(content: Buffer) {
  yield content;
}
