import { Injectable } from '@nestjs/common';
import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
import type { AvailabilityDto } from '../dto/responses.dto.js';
import { authErrors } from '../auth.errors.js';
import { isReservedUsername } from '../shared/reserved-usernames.js';
import { UserService } from '../users/user.service.js';

const messages = {
  free: { en: 'Username is available', tr: 'Bu kullanıcı adı kullanılabilir' },
  taken: { en: 'This username is already taken', tr: 'Bu kullanıcı adı alınmış' },
  reserved: authErrors.USERNAME_RESERVED.sentence,
  short: { en: 'Username must be at least 3 characters', tr: 'Kullanıcı adı en az 3 karakter olmalıdır' },
  long: { en: 'Username cannot exceed 30 characters', tr: 'Kullanıcı adı 30 karakteri geçemez' },
  letters: {
    en: 'Username can only contain letters, numbers, and underscores',
    tr: 'Kullanıcı adı yalnızca harf, rakam ve alt çizgi içerebilir',
  },
} satisfies Record<string, LocalizedText>;

/** The live check of the forms. The unique constraint has the final say. */
@Injectable()
export class UsernameAvailabilityService {
  constructor(private readonly users: UserService) {}

  /**
   * Tells whether the username is available, and if not, why. A dash is allowed because the settings form accepts it.
   */
  async checkAvailability(input: string, language: Language): Promise<AvailabilityDto> {
    const username = input.trim().toLowerCase();
    const problem = this.findProblem(username);
    if (problem) return { available: false, message: messages[problem][language] };
    if (isReservedUsername(username)) return { available: false, message: messages.reserved[language] };
    const isFree = await this.users.isUsernameAvailable(username);
    return { available: isFree, message: messages[isFree ? 'free' : 'taken'][language] };
  }

  private findProblem(username: string): 'short' | 'long' | 'letters' | null {
    if (username.length < 3) return 'short';
    if (username.length > 30) return 'long';
    return /^[a-z0-9_-]+$/.test(username) ? null : 'letters';
  }
}
