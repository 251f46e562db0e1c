import { MikroORM, RequestContext } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { PictureService } from '../../modules/account/pictures/picture.service.js';
import { User } from '../../modules/auth/entities/user.entity.js';
import { UserService } from '../../modules/auth/users/user.service.js';
import { FileAccessService } from '../../modules/files/access/file-access.service.js';
import { ItemEditor } from '../../modules/files/tree/item-editor.service.js';
import { FileReceiver } from '../../modules/files/upload/file-receiver.service.js';
import type { ZoneDto } from '../../modules/zones/dto/zone.dto.js';
import { MemberAdmission } from '../../modules/zones/joining/member-admission.service.js';
import { ZoneService } from '../../modules/zones/zone/zone.service.js';
import { lectureFiles, notesFiles, type DemoFile } from './demo-files.js';
import { DemoMonth, DemoTime, FIRST_DAY } from './demo-month.js';
import { face } from './demo-pictures.js';

export const DEMO_PASSWORD = 'demo pass phrase';

/** Names that are plainly those of samples. */
const MEMBERS = ['Ada', 'Bora', 'Cem', 'Derya', 'Elif', 'Finn', 'Gül', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Leyla'];

const news = (zoneUrl: string) => ({
  subject: 'Week 2 is online: colour',
  htmlContent: `<h2>Week 2 is online</h2><p>Hello {{first_name|friend}},</p>
    <p>the slides and exercises about colour are in the zone now. Start with the colour wheel, then try the palette.</p>
    <p><a href="${zoneUrl}">Open the zone</a></p><p>See you on Monday!</p>`,
});

interface Joined {
  readonly user: User;
  /** How many days ago. */
  readonly joined: number;
}

/**
 * Fills an installation with two creators, members with faces, zones, files, a campaign and a month of figures, through the
 * services that the API uses.
 */
export class Demo {
  private readonly em: EntityManager;
  private readonly time: DemoTime;
  private faces = 0;

  constructor(private readonly app: INestApplicationContext) {
    this.em = app.get(MikroORM).em.fork() as EntityManager;
    this.time = new DemoTime(app.get(Clock));
  }

  /** True when the demonstration is there already. */
  async exists(): Promise<boolean> {
    return (await this.em.count(User, { email: address('creator') })) > 0;
  }

  /** Makes everything; gives the addresses with which one can sign in. */
  fill(): Promise<string[]> {
    return RequestContext.create(this.em, async () => {
      const { lectures, notes, creator, coach } = await this.time.ago(FIRST_DAY, 2, () => this.zones());
      const members = await this.members(lectures, notes, [coach, creator]);
      const month = new DemoMonth(this.app, this.em, this.time);
      await month.open(lectures, creator.id, members.lectures);
      await month.open(notes, coach.id, members.notes);
      const zoneUrl = `${this.app.get(AppConfig).appUrl}/zones/${lectures.id}`;
      await month.campaign(lectures, creator.id, news(zoneUrl));
      return ['creator', 'coach', 'member1'].map(address);
    });
  }

  private async zones() {
    const creator = await this.person('creator', 'Mira', 'creator');
    const coach = await this.person('coach', 'Deniz', 'starter');
    const lectures = await this.zone(creator, 'Photography lectures', 'public', 'Slides, exercises and examples.');
    await this.zone(creator, 'Drafts', 'private', 'Not shared yet.');
    const notes = await this.zone(coach, 'Coaching notes', 'public', 'For everybody who joined the spring group.');
    await this.put(creator, lectures, lectureFiles);
    await this.put(coach, notes, notesFiles);
    return { lectures, notes, creator, coach };
  }

  /** Has people join, one every day or two, before the campaign is sent; each of the owners is in the zone of the other from the first day on. */
  private async members(lectures: ZoneDto, notes: ZoneDto, [coach, creator]: [User, User]) {
    const into = async (zone: ZoneDto, user: User, joined: number): Promise<Joined> => {
      await this.time.ago(joined, 0, () => this.admit(zone, user));
      return { user, joined };
    };
    const joinedLectures = [await into(lectures, coach, FIRST_DAY)];
    const joinedNotes = [await into(notes, creator, FIRST_DAY)];
    for (const [at, firstName] of MEMBERS.entries()) {
      const joined = FIRST_DAY - 1 - Math.floor(at * 1.6);
      const user = await this.time.ago(joined, 1, () => this.person(`member${at + 1}`, firstName, 'free'));
      joinedLectures.push(await into(lectures, user, joined));
      if (at % 2 === 1) joinedNotes.push(await into(notes, user, joined));
    }
    return { lectures: joinedLectures, notes: joinedNotes };
  }

  private async person(name: string, firstName: string, plan: string): Promise<User> {
    const users = this.app.get(UserService);
    const hash = await users.hashNew(DEMO_PASSWORD, 'password', {});
    const person = await inTransaction(this.em, async (em) => {
      const user = await users.findOrCreateVerified(em, address(name), 'en');
      user.plan = plan;
      const profile = { firstName, lastName: 'Sample', username: `demo_${name}`, password: DEMO_PASSWORD };
      await users.completeProfile(em, user, profile, hash);
      return user;
    });
    await this.app.get(PictureService).set(person.id, () => face(this.faces++));
    return person;
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
    const bytes = Buffer.isBuffer(content) ? content : await content();
    yield { name, content: bytesOf(bytes), skip: () => Promise.resolve() };
  }
}

async function* bytesOf(content: Buffer) {
  yield content;
}
