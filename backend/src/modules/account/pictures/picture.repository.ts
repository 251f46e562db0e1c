import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { User, type UserSchema } from '../../auth/entities/user.entity.js';

/** The URLs of profile pictures, a column of `users`. */
@Injectable()
export class PictureRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns those of the URLs that users have as their picture. */
  async findUsedUrls(urls: readonly string[]): Promise<string[]> {
    const rows = await query<typeof UserSchema>(this.em.fork())
      .selectFrom('users')
      .select('profile_image_url as url')
      .where('profile_image_url', 'in', urls)
      .execute();
    return rows.flatMap(({ url }) => url ?? []);
  }

  /** Returns whether any user has a picture whose URL begins with `prefix`. */
  async hasUrlWithPrefix(prefix: string): Promise<boolean> {
    const row = await query<typeof UserSchema>(this.em.fork())
      .selectFrom('users')
      .select('id')
      .where('profile_image_url', 'like', `${prefix}%`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the URL of a user's picture; null without one, and for an unknown user. */
  async findUrl(userId: number): Promise<string | null> {
    return (await this.em.findOne(User, { id: userId }))?.profileImageUrl ?? null;
  }

  /** Sets or removes the picture of a locked user. */
  async updateUrl(em: EntityManager, user: User, url: string | null): Promise<void> {
    em.assign(user, { profileImageUrl: url, updatedAt: this.clock.now() });
    await em.flush();
  }
}
