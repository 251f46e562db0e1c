import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { Storage } from '../../platform/storage/storage.js';
import { User } from '../auth/entities/user.entity.js';
import { pictureKey } from './picture.service.js';
import { removeUnusedPicture } from './remove-unused-picture.job.js';

@Injectable()
@JobHandler(removeUnusedPicture)
export class RemoveUnusedPictureHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
  ) {}

  async handle({ userId, key }: { userId: number; key: string }): Promise<void> {
    const user = await this.em.findOne(User, { id: userId });
    if (user?.profileImageUrl && pictureKey(user.profileImageUrl) === key) return;
    await this.storage.delete(key);
  }
}
