import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../platform/database/transaction.js';
import { UserRepository } from '../auth/users/user.repository.js';
import { UserService } from '../auth/users/user.service.js';
import { UsernameChangeService } from '../auth/registration/username-change.service.js';
import type { UpdateProfileDto } from './dto/profile.dto.js';
import { NO_LAST_NAME } from '../auth/entities/user.entity.js';

/** The profile that users edit in their settings. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly usernames: UsernameChangeService,
  ) {}

  /**
   * Changes the profile; omitted fields stay unchanged. An empty last name is stored as ".".
   * @throws USERNAME_TAKEN, USERNAME_RESERVED, USERNAME_CHANGE_LIMIT; nothing is changed then
   */
  async updateProfile(userId: number, dto: UpdateProfileDto): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const user = await this.userRepository.lockUser(em, userId);
      if (dto.username != null) await this.usernames.changeUsername(em, user, dto.username);
      Object.assign(user, {
        firstName: dto.firstName ?? user.firstName,
        lastName: dto.lastName === undefined ? user.lastName : dto.lastName || NO_LAST_NAME,
        language: dto.language ?? user.language,
        timeZone: dto.timeZone === undefined ? user.timeZone : dto.timeZone,
        notifyAcceptedInvitations: dto.notifyAcceptedInvitations ?? user.notifyAcceptedInvitations,
        notifySuggestions: dto.notifySuggestions ?? user.notifySuggestions,
        notifyAdministration: dto.notifyAdministration ?? user.notifyAdministration,
        postalAddress: dto.postalAddress === undefined ? user.postalAddress : dto.postalAddress,
      });
      await this.users.saveProfile(em, user);
    });
  }
}
