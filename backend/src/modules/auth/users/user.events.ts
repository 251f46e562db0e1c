import type { User } from '../entities/user.entity.js';

declare module '../../../platform/events/domain-events.js' {
  interface DomainEvents {
    /** Somebody has another name: copies of it follow. */
    'user.renamed': { readonly user: User };
    /** Somebody has another address: what is kept by it follows. The person is locked. */
    'user.emailChanged': { readonly user: User; readonly from: string };
    /** An account is shut: what works for it stops. */
    'user.deactivated': { readonly user: User };
    /** An account is open again. */
    'user.activated': { readonly user: User };
  }
}
