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
import { ItemUpdateService } from '../../modules/files/tree/item-update.service.js';
import { FormUploadService } from '../../modules/files/upload/form-upload.service.js';
import type { ZoneDto } from '../../modules/zones/dto/zone.dto.js';
import { MembershipService } from '../../modules/zones/joining/membership.service.js';
import { ZoneService } from '../../modules/zones/zone/zone.service.js';
import { lectureFiles, notesFiles, type DemoFile } from './demo-files.js';
import { DemoActivity, DemoClock, DEMO_DAYS } from './demo-activity.js';
import { createFace } from './demo-pictures.js';

/** Names that are recognisable as samples. */
const MEMBERS = ['Ada', 'Bora', 'Cem', 'Derya', 'Elif', 'Finn', 'Gül', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Leyla'];

const demoCampaign = (zoneUrl: string) => ({
  subject: 'Week 2 is online: colour',
  htmlContent: `<h2>Week 2 is online</h2><p>Hello {{first_name|friend}},</p>
    <p>the slides and exercises about colour are in the zone now. Start with the colour wheel, then try the palette.</p>
    <p><a href="${zoneUrl}">Open the zone</a></p><p>See you on Monday!</p>`,
});

interface DemoMember {
  readonly user: User;
  /** Number of days ago. */
  readonly joined: number;
}

/**
 * Fills an installation with two creators, members with pictures, zones, files, a campaign and a month of activity,
 * using the same services as the API.
 */
export class Demo {
  private readonly em: EntityManager;
  private readonly time: DemoClock;
  private faces = 0;
  private password = '';

  constructor(private readonly app: INestApplicationContext) {
    this.em = app.get(MikroORM).em.fork() as EntityManager;
    this.time = new DemoClock(app.get(Clock));
  }

  /**
   * Creates all demo data.
   * @param password of all its accounts
   * @returns the email addresses for signing in
   */
  seed(password: string): Promise<string[]> {
    this.password = password;
    return RequestContext.create(this.em, async () => {
      const { lectures, notes, creator, coach } = await this.time.runInPast(DEMO_DAYS, 2, () => this.createZones());
      const members = await this.createMembers(lectures, notes, [coach, creator]);
      const month = new DemoActivity(this.app, this.em, this.time);
      await month.createOpenings(lectures, creator.id, members.lectures);
      await month.createOpenings(notes, coach.id, members.notes);
      const zoneUrl = `${this.app.get(AppConfig).appUrl}/zones/${lectures.id}`;
      await month.createSentCampaign(lectures, creator.id, demoCampaign(zoneUrl));
      return ['creator', 'coach', 'member1'].map(demoEmail);
    });
  }

  private async createZones() {
    const creator = await this.createPerson('creator', 'Mira', 'creator');
    const coach = await this.createPerson('coach', 'Deniz', 'starter');
    const lectures = await this.createZone(
      creator,
      'Photography lectures',
      'public',
      'Slides, exercises and examples.',
    );
    await this.createZone(creator, 'Drafts', 'private', 'Not shared yet.');
    const notes = await this.createZone(
      coach,
      'Coaching notes',
      'public',
      'For everybody who joined the spring group.',
    );
    await this.uploadFiles(creator, lectures, lectureFiles);
    await this.uploadFiles(coach, notes, notesFiles);
    return { lectures, notes, creator, coach };
  }

  /**
   * Adds members, one every day or two, before the campaign is sent. Each owner is a member of the other's zone from
   * the first day.
   */
  private async createMembers(lectures: ZoneDto, notes: ZoneDto, [coach, creator]: [User, User]) {
    const into = async (zone: ZoneDto, user: User, joined: number): Promise<DemoMember> => {
      await this.time.runInPast(joined, 0, () => this.addMember(zone, user));
      return { user, joined };
    };
    const joinedLectures = [await into(lectures, coach, DEMO_DAYS)];
    const joinedNotes = [await into(notes, creator, DEMO_DAYS)];
    for (const [index, firstName] of MEMBERS.entries()) {
      const joined = DEMO_DAYS - 1 - Math.floor(index * 1.6);
      const user = await this.time.runInPast(joined, 1, () =>
        this.createPerson(`member${index + 1}`, firstName, 'free'),
      );
      joinedLectures.push(await into(lectures, user, joined));
      if (index % 2 === 1) joinedNotes.push(await into(notes, user, joined));
    }
    return { lectures: joinedLectures, notes: joinedNotes };
  }

  private async createPerson(name: string, firstName: string, plan: string): Promise<User> {
    const users = this.app.get(UserService);
    const hash = await users.validateAndHashPassword(this.password, 'password', {});
    const person = await inTransaction(this.em, async (em) => {
      const user = await users.findOrCreateVerified(em, demoEmail(name), 'en');
      user.plan = plan;
      const profile = { firstName, lastName: 'Sample', username: `demo_${name}`, password: this.password };
      await users.completeProfile(em, user, profile, hash);
      return user;
    });
    await this.app.get(PictureService).setPicture(person.id, () => createFace(this.faces++));
    return person;
  }

  private createZone(owner: User, name: string, type: 'private' | 'public', description: string): Promise<ZoneDto> {
    return this.app.get(ZoneService).create(owner.id, { name, type, description });
  }

  private async addMember(zone: ZoneDto, user: User): Promise<void> {
    const consent = { ipAddress: null, method: 'public_link', text: 'Demonstration' };
    await inTransaction(this.em, (em) =>
      this.app.get(MembershipService).addMember(em, { zone, user, method: 'public_link', consent }),
    );
  }

  private async uploadFiles(owner: User, zone: ZoneDto, folders: typeof lectureFiles): Promise<void> {
    const fileAccess = this.app.get(FileAccessService);
    const accessibleZone = { ...zone, role: 'owner' as const };
    for (const { folder, files } of folders) {
      const root = await fileAccess.resolveWritableLocation(accessibleZone, owner.id, null);
      const folderId =
        folder === null ? null : await this.app.get(ItemUpdateService).createFolder(root, owner.id, folder);
      const location = await fileAccess.resolveWritableLocation(accessibleZone, owner.id, folderId);
      const target = { location, userId: owner.id, onConflict: 'refuse' as const, contentLength: null };
      await this.app.get(FormUploadService).uploadFiles(target, toUploads(files));
    }
  }
}

export function demoEmail(name: string): string {
  return `${name}@demo.example`;
}

async function* toUploads(files: readonly DemoFile[]) {
  for (const { name, content } of files) {
    const bytes = Buffer.isBuffer(content) ? content : await content();
    yield { name, content: toStream(bytes), skip: () => Promise.resolve() };
  }
}

async function* toStream(content: Buffer) {
  yield content;
}
